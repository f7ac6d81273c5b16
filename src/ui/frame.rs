//! What is drawn below the text on a terminal while something takes its time: a bar a line, as many as there is room
//! for, and a last line that says how far the whole has come. Pure: sizes and times come from outside.

use super::visible;
use crate::duration::describe;
use console::measure_text_width;
use std::time::{Duration, Instant};

/// So many columns are room for names.
const ROOMY: usize = 79;
/// The widest that the share of a bar is drawn.
const WIDEST: usize = 24;
/// Fewer columns show no share.
const NARROWEST: usize = 5;
/// The least that a name is cut to.
const LEAST_NAME: usize = 10;
/// What shows that something goes on where nobody knows how far it is.
const SPINNER: [char; 8] = ['⠁', '⠂', '⠄', '⡀', '⢀', '⠠', '⠐', '⠈'];
/// How long each of these stays.
const TURN: Duration = Duration::from_millis(120);

/// One bar.
#[derive(Debug, Clone)]
pub struct Row {
    /// What it is the progress of.
    pub name: String,
    /// Percent done, where that is known.
    pub percent: Option<f64>,
    /// What happens.
    pub words: String,
    /// Since when.
    pub begun: Instant,
}

/// The last line.
#[derive(Debug, Clone)]
pub struct Foot {
    /// The share that is done, where that is known.
    pub share: Option<f64>,
    /// How far it has come.
    pub words: String,
    /// Since when.
    pub begun: Instant,
}

/// The lines of a terminal of so many rows and columns, none wider than it.
pub fn frame(rows: &[&Row], foot: Option<&Foot>, (height, width): (usize, usize), now: Instant) -> String {
    let columns = width.saturating_sub(1);
    // The cursor's own row stays free.
    let room = height.saturating_sub(1 + usize::from(foot.is_some()));
    let shown = &rows[..rows.len().min(room)];
    let names = shown.iter().map(|row| widest(&visible(&row.name))).max().unwrap_or(0);
    // Where there is little room, what a task does is worth more of it than its name.
    let most = if columns < ROOMY { columns / 4 } else { columns * 2 / 5 };
    let names = names.min(most.max(LEAST_NAME));
    let shares = shown.iter().any(|row| row.percent.is_some());
    let mut lines: Vec<String> = shown.iter().map(|row| bar(row, names, shares, columns, now)).collect();
    let foot = foot.filter(|_| height > 1);
    lines.extend(foot.map(|foot| last_line(foot, rows.len() - shown.len(), columns, now)));
    lines.join("\n")
}

/// One bar's line. Where any bar shows a share, the others leave room for it.
fn bar(row: &Row, names: usize, shares: bool, columns: usize, now: Instant) -> String {
    let drawn = drawn_columns(columns);
    let gauge = match row.percent {
        Some(percent) => format!("{}{:>3}%", drawn_share(percent / 100.0, drawn), percent as u64),
        None => spinner(row.begun, now).to_string(),
    };
    let gauge_columns = match (shares, drawn) {
        (false, _) => 1,
        (true, 0) => 4,
        (true, drawn) => drawn + 5,
    };
    let (name, gauge) = (padded(&visible(&row.name), names), padded(&gauge, gauge_columns));
    line(format!("{name} {gauge} "), &visible(&row.words), row.begun, columns, now)
}

fn last_line(foot: &Foot, hidden: usize, columns: usize, now: Instant) -> String {
    let gauge = match foot.share {
        Some(share) => drawn_share(share, drawn_columns(columns)),
        None => format!("{} ", spinner(foot.begun, now)),
    };
    let hidden = if hidden > 0 { format!(", {hidden} not shown") } else { String::new() };
    line(gauge, &format!("{}{hidden}", visible(&foot.words)), foot.begun, columns, now)
}

/// The words behind what is drawn, with the time that it took where there is room for that.
fn line(drawn: String, words: &str, begun: Instant, columns: usize, now: Instant) -> String {
    let took = format!(" ({})", elapsed(begun, now));
    let room = columns.saturating_sub(widest(&drawn));
    let whole = widest(words) + widest(&took) <= room;
    cut(&if whole { format!("{drawn}{words}{took}") } else { format!("{drawn}{}", cut(words, room)) }, columns)
}

/// The most columns that a terminal takes for this text. Terminals differ: what one joins, another shows side by side,
/// and an emoji that one shows narrow is wide on another.
fn widest(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(c: char) -> usize {
    if c == '\u{fe0f}' { 1 } else { measure_text_width(c.encode_utf8(&mut [0; 4])) }
}

/// The text where it takes no more than so many columns on any terminal, else as much as fits, with an ellipsis.
fn cut(text: &str, columns: usize) -> String {
    if widest(text) <= columns {
        return text.into();
    }
    let ends = text.char_indices().scan(0, |taken, (start, c)| {
        *taken += columns_of(c);
        (*taken < columns).then_some(start + c.len_utf8())
    });
    let end = ends.last().unwrap_or_default();
    let ellipsis = if columns > 0 { "…" } else { "" };
    // A joiner is not left without what it joins.
    format!("{}{ellipsis}", text[..end].trim_end_matches('\u{200d}'))
}

/// The text in exactly so many columns.
fn padded(text: &str, columns: usize) -> String {
    let text = cut(text, columns);
    let missing = columns.saturating_sub(widest(&text));
    format!("{text}{}", " ".repeat(missing))
}

/// In whole seconds.
pub fn elapsed(begun: Instant, now: Instant) -> String {
    describe(Duration::from_secs((now - begun).as_secs()))
}

/// How wide a share is drawn; nothing where it would be too narrow to tell anything.
fn drawn_columns(columns: usize) -> usize {
    Some((columns / 6).min(WIDEST)).filter(|drawn| *drawn >= NARROWEST).unwrap_or(0)
}

/// A share from 0 to 1, with a space behind it.
fn drawn_share(share: f64, columns: usize) -> String {
    let done = ((share.clamp(0.0, 1.0) * columns as f64) as usize).min(columns);
    let mut drawn = "━".repeat(done);
    if done < columns {
        drawn.push(if done > 0 { '╸' } else { '─' });
        drawn.push_str(&"─".repeat(columns - done - 1));
    }
    if columns > 0 {
        drawn.push(' ');
    }
    drawn
}

fn spinner(begun: Instant, now: Instant) -> char {
    SPINNER[((now - begun).as_millis() / TURN.as_millis()) as usize % SPINNER.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(name: &str, percent: Option<f64>, words: &str, begun: Instant) -> Row {
        Row { name: name.into(), percent, words: words.into(), begun }
    }

    fn drawn(rows: &[Row], foot: Option<&str>, size: (usize, usize)) -> Vec<String> {
        let begun = rows.first().map_or_else(Instant::now, |row| row.begun);
        let foot = foot.map(|words| Foot { share: Some(0.5), words: words.into(), begun });
        let rows: Vec<&Row> = rows.iter().collect();
        frame(&rows, foot.as_ref(), size, begun + Duration::from_millis(34_900)).lines().map(String::from).collect()
    }

    #[test]
    fn bars_stand_below_each_other() {
        let begun = Instant::now();
        let rows = [
            row("site-1 (task-1)", Some(40.9), "running (files, 1 of 4 done)", begun),
            row("site-13 (task-13)", None, "reticulating", begun),
        ];
        assert_eq!(
            drawn(&rows, Some("1 of 3 ended"), (24, 80)),
            [
                "site-1 (task-1)   ━━━━━╸───────  40% running (files, 1 of 4 done) (34s)",
                "site-13 (task-13) ⠄                  reticulating (34s)",
                "━━━━━━╸────── 1 of 3 ended (34s)",
            ]
        );
        let narrow = drawn(&rows, Some("1 of 3 ended"), (24, 40));
        assert_eq!(
            narrow,
            [
                "site-1 (t… ━━╸───  40% running (files,…",
                "site-13 (… ⠄           reticulating",
                "━━━╸── 1 of 3 ended (34s)"
            ]
        );
        assert_eq!(drawn(&rows[1..], None, (24, 80)), ["site-13 (task-13) ⠄ reticulating (34s)"]);
    }

    #[test]
    fn bars_that_find_no_room_wait_until_others_end() {
        let begun = Instant::now();
        let rows: Vec<Row> = (1..=60).map(|number| row(&format!("task-{number}"), None, "queued", begun)).collect();
        let lines = drawn(&rows, Some("0 of 60 ended"), (24, 80));
        assert_eq!(lines.len(), 23);
        assert!(lines[0].starts_with("task-1 ") && lines[21].starts_with("task-22 "), "{lines:?}");
        assert!(lines[22].contains("0 of 60 ended, 38 not shown"), "{lines:?}");
        assert!(drawn(&rows[3..], Some("3 of 60 ended"), (24, 80))[21].starts_with("task-25 "));
        assert!(!drawn(&rows[38..], Some("38 of 60 ended"), (24, 80)).join("").contains("not shown"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_is_wider_or_higher_than_the_terminal(
            rows in proptest::collection::vec((".{0,60}", proptest::option::of(-10.0..200.0_f64), ".{0,90}"), 0..40),
            foot in proptest::option::of(".{1,90}"), height in 1..30_usize, width in 1..130_usize,
        ) {
            let begun = Instant::now();
            let rows: Vec<Row> = rows.iter().map(|(name, percent, words)| row(name, *percent, words, begun)).collect();
            let lines = drawn(&rows, foot.as_deref(), (height, width));
            prop_assert!(lines.len() < height, "{}", lines.len());
            for line in lines {
                let columns = widest(&line);
                prop_assert!(columns < width.max(2), "{columns} of {width}: {line}");
                prop_assert!(!line.chars().any(crate::ui::is_hidden), "{line:?}");
            }
        }
    }
}
