//! Finishes a manual page: what mandoc and other readers expect of its source.

use std::fmt::Write;

/// The date of the last review. It is not read from a clock, so that a page is the same whenever it is generated.
pub const DATE: &str = "2026-11-22";
/// The source of all pages.
pub const SOURCE: &str = concat!("sitectl ", env!("CARGO_PKG_VERSION"));
/// Words of a command line are neither hyphenated nor stretched.
pub const LAYOUT: &str = ".nr HY 0\n.nh\n.ad l\n";

/// The longest line of the source in mandoc's style.
const WIDTH: usize = 78;

/// Returns the source with long lines broken, without empty lines and superfluous breaks, and in ASCII.
pub fn finish(source: &str) -> Vec<u8> {
    let mut page = String::new();
    let (mut in_code, mut is_term, mut before) = (false, false, "");
    for line in source.lines() {
        in_code = line == ".EX" || in_code && line != ".EE";
        let after_heading = before.starts_with(".SH") || before.starts_with(".SS");
        let is_superfluous =
            line == ".PP" && after_heading || line == ".br" && before == ".br" || line.trim().is_empty();
        if is_superfluous && !in_code {
            continue;
        }
        let keep = in_code || is_term || line.starts_with('.');
        let _ = if keep { writeln!(page, "{line}") } else { write!(page, "{}", broken(line)) };
        is_term = line == ".TP";
        before = line;
    }
    page.chars().map(in_ascii).collect::<String>().into_bytes()
}

fn in_ascii(char: char) -> String {
    match char {
        '\u{a0}' => "\\~".into(),
        char if char.is_ascii() => char.to_string(),
        char => format!("\\[u{:04X}]", u32::from(char)),
    }
}

fn broken(line: &str) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        if length > 0 && length + 1 + word.len() > WIDTH {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        if length == 0 && text.ends_with('\n') && word.starts_with('.') {
            text.push_str("\\&");
        }
        text.push_str(word);
        length += word.len();
    }
    text + "\n"
}
