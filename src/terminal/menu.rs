//! A menu on a terminal: the user selects a row with the arrow keys, or by typing a part of it.

use super::text::fold_for_search;
use comfy_table::presets::NOTHING;
use console::{Key, Term};

/// The greatest number of rows that are visible at a time.
const MAX_ROWS: usize = 15;

/// The columns that a row cannot use: two for the marker before it, and a free one at its end,
/// because some terminals wrap a full line.
const MARGIN: usize = 3;
const HELP: &str = "  (type to search, ↑↓, Enter, Esc)";

/// Draws the rows and reads keys until one is chosen. Returns its index;
/// None if the user cancels.
///
/// # Errors
/// If the terminal is closed.
pub fn pick(prompt: &str, rows: &[Vec<String>]) -> std::io::Result<Option<usize>> {
    let term = Term::stderr();
    let (height, width) = term.size();
    let width = usize::from(width);
    // Two lines are left for the prompt above the rows and the cursor below them.
    let visible_rows = usize::from(height).saturating_sub(2).clamp(1, MAX_ROWS);
    let lines = aligned_lines(rows, width);
    let mut search_texts = Vec::new();
    for row in rows {
        search_texts.push(fold_for_search(&row.join(" ")));
    }
    let mut typed = String::new();
    // An index in `matches`.
    let mut selected: usize = 0;
    loop {
        let matches = matching_rows(&fold_for_search(&typed), &search_texts);
        let prompt_line = format!("{prompt}: {typed}|{HELP}");
        let mut drawn = vec![cut_line(&prompt_line, width)];
        let first = (selected + 1).saturating_sub(visible_rows);
        for (index, row) in matches.iter().enumerate().skip(first).take(visible_rows) {
            let marker = if index == selected { '>' } else { ' ' };
            drawn.push(format!("{marker} {}", lines[*row]));
        }
        if matches.is_empty() {
            drawn.push(cut_line("  no match", width));
        }
        term.write_line(&drawn.join("\n"))?;
        let key = term.read_key_raw()?;
        term.clear_last_lines(drawn.len())?;
        match key {
            Key::Enter if !matches.is_empty() => {
                let row = matches[selected];
                let choice = format!("{prompt}: {}", lines[row]);
                term.write_line(&cut_line(&choice, width))?;
                return Ok(Some(row));
            }
            // Ctrl-D is U+0004.
            Key::Escape | Key::CtrlC | Key::Char('\x04') => return Ok(None),
            Key::ArrowUp | Key::BackTab => {
                let last = matches.len().saturating_sub(1);
                selected = selected.checked_sub(1).unwrap_or(last);
            }
            Key::ArrowDown | Key::Tab => {
                selected = (selected + 1) % matches.len().max(1);
            }
            Key::Backspace => {
                typed.pop();
                selected = 0;
            }
            // Ctrl-U
            Key::Char('\x15') => {
                typed.clear();
                selected = 0;
            }
            Key::Char(c) if !c.is_control() => {
                typed.push(c);
                selected = 0;
            }
            _ => {}
        }
    }
}

/// Returns one line per row, with aligned columns and no wider than the terminal.
fn aligned_lines(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let mut table = comfy_table::Table::new();
    table.load_style(NOTHING).add_rows(rows);
    let mut lines = Vec::new();
    for line in table.lines() {
        let line = line.strip_prefix(' ').unwrap_or(&line);
        lines.push(cut_line(line.trim_end(), width));
    }
    lines
}

fn cut_line(line: &str, width: usize) -> String {
    let max_width = width.saturating_sub(MARGIN).max(1);
    console::truncate_str(line, max_width, "…").into_owned()
}

/// Returns the indexes of the rows that contain all typed words; if there are none, of those that
/// contain the letters in their order.
fn matching_rows(typed: &str, rows: &[String]) -> Vec<usize> {
    let mut with_words = Vec::new();
    let mut with_letters = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        if typed.split_whitespace().all(|word| row.contains(word)) {
            with_words.push(index);
        } else if contains_letters(row, typed) {
            with_letters.push(index);
        }
    }
    if with_words.is_empty() {
        with_letters
    } else {
        with_words
    }
}

fn contains_letters(row: &str, typed: &str) -> bool {
    let mut rest = row.chars();
    let mut letters = typed.chars().filter(|c| !c.is_whitespace());
    letters.all(|letter| rest.any(|c| c == letter))
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
            aligned_lines(&aligned, 80),
            ["site-1   東京  a", "s        x     b", "site-22"]
        );
        let long = rows(&[
            &["site-1", &"https://x.example/".repeat(9)],
            &["site-2", &"東京都庁舎".repeat(9)],
        ]);
        for width in [1, 4, 20, 400] {
            assert!(
                aligned_lines(&long, width)
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
        for (typed, expected) in [
            ("cafe", &[0][..]),
            ("CAFÉ", &[0]),
            ("muse 19", &[1]),
            ("19 muse", &[1]),
            ("cfp", &[2]),
            ("x", &[]),
            ("s", &[0, 1, 2]),
        ] {
            assert_eq!(
                matching_rows(&fold_for_search(typed), &rows),
                expected,
                "{typed}"
            );
        }
    }
}
