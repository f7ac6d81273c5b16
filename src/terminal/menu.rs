//! A menu on a terminal: arrow keys or a part of a row choose the row.

use super::text::fold_for_search;
use comfy_table::presets::NOTHING;
use console::{Key, Term};

/// The most rows that are visible at a time.
const MOST_ROWS: usize = 15;

/// The marker before a row, and one free column, because some terminals wrap a full line.
const MARGIN: usize = 3;
/// The keys of the menu.
const KEYS: &str = "  (type to search, ↑↓, Enter, Esc)";

/// Returns one line per row, with aligned columns and no wider than the terminal.
fn lines(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let mut table = comfy_table::Table::new();
    table.load_style(NOTHING).add_rows(rows);
    table
        .lines()
        .map(|line| cut(line.strip_prefix(' ').unwrap_or(&line).trim_end(), width))
        .collect()
}

fn cut(line: &str, width: usize) -> String {
    console::truncate_str(line, width.saturating_sub(MARGIN).max(1), "…").into_owned()
}

/// Draws the rows and reads keys until one is chosen. Returns none if the user cancels.
///
/// # Errors
/// If the terminal is closed.
pub fn pick(prompt: &str, rows: &[Vec<String>]) -> std::io::Result<Option<usize>> {
    let term = Term::stderr();
    let (height, width) = term.size();
    let room = usize::from(height).saturating_sub(2).clamp(1, MOST_ROWS);
    let lines = lines(rows, width.into());
    let texts: Vec<String> = rows
        .iter()
        .map(|row| fold_for_search(&row.join(" ")))
        .collect();
    let (mut typed, mut at) = (String::new(), 0);
    loop {
        let found = find(&fold_for_search(&typed), &texts);
        let shown = found
            .iter()
            .enumerate()
            .skip((at + 1_usize).saturating_sub(room))
            .take(room);
        let shown = shown
            .map(|(place, row)| format!("{} {}", if place == at { '>' } else { ' ' }, lines[*row]));
        let drawn: Vec<String> = [cut(&format!("{prompt}: {typed}|{KEYS}"), width.into())]
            .into_iter()
            .chain(shown)
            .collect();
        term.write_line(&drawn.join("\n"))?;
        let key = term.read_key_raw()?;
        term.clear_last_lines(drawn.len())?;
        match key {
            Key::Enter if !found.is_empty() => {
                term.write_line(&cut(
                    &format!("{prompt}: {}", lines[found[at]]),
                    width.into(),
                ))?;
                return Ok(Some(found[at]));
            }
            Key::Escape | Key::CtrlC | Key::Char('\x04') => return Ok(None),
            Key::ArrowUp | Key::BackTab => {
                at = at.checked_sub(1).unwrap_or(found.len().saturating_sub(1))
            }
            Key::ArrowDown | Key::Tab => at = if at + 1 < found.len() { at + 1 } else { 0 },
            Key::Backspace => (at, _) = (0, typed.pop()),
            Key::Char('\x15') => (at, typed) = (0, String::new()),
            Key::Char(c) if !c.is_control() => (at, _) = (0, typed.push(c)),
            _ => {}
        }
    }
}

/// Returns the rows that contain all typed words; if there are none, those that contain the letters in their order.
fn find(typed: &str, rows: &[String]) -> Vec<usize> {
    let has_words = |row: &String| typed.split_whitespace().all(|word| row.contains(word));
    let has_letters = |row: &String| {
        let mut letters = row.chars();
        typed
            .chars()
            .filter(|c| !c.is_whitespace())
            .all(|letter| letters.any(|c| c == letter))
    };
    let found = |is_found: &dyn Fn(&String) -> bool| -> Vec<usize> {
        rows.iter()
            .enumerate()
            .filter(|(_, row)| is_found(row))
            .map(|(place, _)| place)
            .collect()
    };
    Some(found(&has_words))
        .filter(|found| !found.is_empty())
        .unwrap_or_else(|| found(&has_letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter()
            .map(|row| row.iter().map(ToString::to_string).collect())
            .collect()
    }

    #[test]
    fn columns_are_aligned_and_no_line_wraps() {
        let aligned = rows(&[&["site-1", "東京", "a"], &["s", "x", "b"], &["site-22", ""]]);
        assert_eq!(
            lines(&aligned, 80),
            ["site-1   東京  a", "s        x     b", "site-22"]
        );
        let long = rows(&[
            &["site-1", &"https://x.example/".repeat(9)],
            &["site-2", &"東京都庁舎".repeat(9)],
        ]);
        for width in [1, 4, 20, 400] {
            assert!(
                lines(&long, width)
                    .iter()
                    .all(|line| console::measure_text_width(line) <= width),
                "{width}"
            );
        }
    }

    #[test]
    fn words_come_before_letters() {
        let rows = [
            "site-0038 Café 38",
            "site-0019 Museum 19",
            "site-0020 Cinema 20 for people",
        ]
        .map(fold_for_search);
        for (typed, found) in [
            ("cafe", &[0][..]),
            ("CAFÉ", &[0]),
            ("muse 19", &[1]),
            ("19 muse", &[1]),
            ("cfp", &[2]),
            ("x", &[]),
            ("s", &[0, 1, 2]),
        ] {
            assert_eq!(find(&fold_for_search(typed), &rows), found, "{typed}");
        }
    }
}
