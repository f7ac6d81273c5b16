//! How the rows of a list to choose from are laid out on a terminal.

use super::visible;
use dialoguer::theme::Theme;
use std::fmt;

/// The widest that a column is made for the sake of those below it.
const ALIGNED: usize = 44;
/// What stands before a row, and one column that stays free, since some terminals wrap when the last is filled.
const MARGIN: usize = 3;

/// One line a row, its columns aligned, none longer than the terminal is wide.
pub fn lines(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| visible(cell).into_owned()).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| measure(cell)).max();
    let widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or_default().min(ALIGNED)).collect();
    rows.iter().map(|row| cut(&line(row, &widths), width)).collect()
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).filter(|(_, width)| **width > 0);
    let padded = cells.map(|(cell, width)| format!("{cell}{}  ", " ".repeat(width.saturating_sub(measure(cell)))));
    padded.collect::<String>().trim_end().to_string()
}

/// The line as far as it fits. dialoguer takes bytes for columns when it clears its list, and would clear what was there
/// before it: there must be no more bytes than columns either.
fn cut(line: &str, width: usize) -> String {
    let mut room = width.saturating_sub(MARGIN).max(1);
    loop {
        let cut = console::truncate_str(line, room, "…");
        if cut.len() <= width || room == 1 {
            return cut.into_owned();
        }
        room -= 1;
    }
}

fn measure(text: &str) -> usize {
    console::measure_text_width(text)
}

/// How dialoguer draws the list: as it does by default, but no line wraps.
pub struct Menu {
    /// Columns of the terminal.
    pub width: usize,
}

impl Theme for Menu {
    fn format_fuzzy_select_prompt(
        &self,
        f: &mut dyn fmt::Write,
        prompt: &str,
        typed: &str,
        cursor: usize,
    ) -> fmt::Result {
        let (before, after) = typed.split_at(cursor);
        let line = format!("{prompt}: {before}|{after}");
        let hint = "  (type to search, ↑↓, Enter, Esc)";
        let room = self.width.saturating_sub(1);
        match measure(&line) + measure(hint) {
            whole if whole <= room => write!(f, "{line}{hint}"),
            // What was typed last is what a person looks at.
            _ => f.write_str(&tail(&line, room)),
        }
    }

    fn format_input_prompt_selection(&self, f: &mut dyn fmt::Write, prompt: &str, chosen: &str) -> fmt::Result {
        f.write_str(&cut(&format!("{prompt}: {chosen}"), self.width))
    }
}

/// The end of the text, as much as fits.
fn tail(text: &str, room: usize) -> String {
    let starts = text.char_indices().map(|(start, _)| start);
    let fits = starts.chain([text.len()]).find(|start| measure(&text[*start..]) <= room);
    text[fits.unwrap_or_default()..].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect()
    }

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let rows = rows(&[&["site-1", "", "東京"], &["s", "", "\x1b[31m"], &["site-22", ""]]);
        assert_eq!(lines(&rows, 80), ["site-1   東京", "s        \\u{1b}[31m", "site-22"]);
        assert_eq!(lines(&[], 80), [""; 0]);
    }

    #[test]
    fn no_line_is_longer_than_the_terminal_in_columns_or_bytes() {
        let rows =
            rows(&[&["site-1", &"https://x.example/".repeat(9), "n"], &["site-2", "東京都庁舎".repeat(9).as_str()]]);
        for width in [1, 4, 10, 20, 40, 80, 400] {
            for line in lines(&rows, width) {
                assert!(measure(&line) <= width.max(1) && line.len() <= width.max(3), "{width} {line}");
            }
        }
        assert_eq!(lines(&rows, 20)[0], "site-1  https://…");
    }

    #[test]
    fn what_is_typed_never_wraps() {
        let drawn = |width: usize, typed: &str, cursor: usize| {
            let mut text = String::new();
            let _ = Menu { width }.format_fuzzy_select_prompt(&mut text, "Site", typed, cursor);
            text
        };
        assert_eq!(drawn(80, "", 0), "Site: |  (type to search, ↑↓, Enter, Esc)");
        assert_eq!(drawn(40, "shop", 2), "Site: sh|op");
        assert_eq!(drawn(10, "shop.example", 12), ".example|");
        assert_eq!(drawn(4, "東京都", 9), "都|");
    }
}
