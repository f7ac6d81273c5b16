//! Which lines of a YAML file are a row's own, so that they can be copied.

use crate::input::reading::Reading;

/// Gives the row of this number the lines that it stands on, up to those of what comes next, where nothing else is on
/// them than what it begins with. Comments and blank lines behind it are more likely of the next.
pub fn cut(reading: &mut Reading<'_>, index: usize, start: usize, lead: &str, next: usize) {
    let text = reading.text;
    let Some(row) = reading.rows.get_mut(index) else { return };
    let (Some(from), Some(to)) = (line_start(text, start), line_start(text, next)) else { return };
    if text[from..start].trim_matches([' ', '\t']) != lead || to < start {
        return;
    }
    let mut lines = &text[from..to];
    while let Some(last) = lines.split_inclusive('\n').next_back() {
        if !(last.trim().is_empty() || last.trim_start().starts_with('#')) {
            break;
        }
        lines = &lines[..lines.len() - last.len()];
    }
    row.span = from..from + lines.len();
}

/// Where the line of this offset begins; behind the last line, its end. None far inside a long line, where no item of
/// its own begins.
fn line_start(text: &str, offset: usize) -> Option<usize> {
    if offset >= text.len() {
        return Some(text.len());
    }
    let floor = offset.saturating_sub(256);
    match memchr::memrchr2(b'\n', b'\r', &text.as_bytes()[floor..offset]) {
        Some(end) => Some(floor + end + 1),
        None => (floor == 0).then_some(0),
    }
}
