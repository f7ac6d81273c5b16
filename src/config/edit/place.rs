//! Where the keys of a TOML text are: which bytes, and in which of the ways that TOML has to write a table.

use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// A key and its value.
pub type Entry<'t> = (&'t Spanned<DeString<'t>>, &'t Spanned<DeValue<'t>>);

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Below a header, such as `[profiles.live]`.
    Header,
    /// In braces.
    Inline,
    /// Only in the names of its keys, or of the tables below it.
    Dotted,
}

/// How this table is written: its place is its header, its braces, or its name.
pub fn style(text: &str, value: &Spanned<DeValue<'_>>) -> Style {
    match text.as_bytes().get(value.span().start) {
        Some(b'[') => Style::Header,
        Some(b'{') => Style::Inline,
        _ => Style::Dotted,
    }
}

/// The entry of this name.
pub fn entry<'t>(table: &'t DeTable<'t>, name: &str) -> Option<Entry<'t>> {
    table.iter().find(|(key, _)| key.get_ref() == name)
}

/// The entries in the order of the text.
pub fn entries<'t>(table: &'t DeTable<'t>) -> Vec<Entry<'t>> {
    let mut entries: Vec<Entry<'t>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// The lines of these bytes, with their end.
pub fn lines(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let end = text[bytes.end..].find('\n').map_or(text.len(), |newline| bytes.end + newline + 1);
    line_start(text, bytes.start)..end
}

/// Where the line of this byte begins: behind a byte order mark, which is no part of it.
pub fn line_start(text: &str, byte: usize) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    text[..byte].rfind('\n').map_or(mark, |newline| newline + 1)
}

/// The lines of all that an entry holds, wherever they stand, in their order and apart from each other: of a key its
/// own, of a table with a header all from that to its last key. Comments above them are not among them.
pub fn parts(text: &str, entry: Entry<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    collect(text, entry, &mut found);
    found.sort_by_key(|part| part.start);
    found.dedup_by(|later, part| {
        part.end = if later.start < part.end { part.end.max(later.end) } else { part.end };
        later.start < part.end
    });
    found
}

fn collect(text: &str, (key, value): Entry<'_>, found: &mut Vec<Range<usize>>) {
    let table = value.get_ref().as_table().filter(|_| style(text, value) != Style::Inline);
    let Some(table) = table else { return found.push(lines(text, &(key.span().start..value.span().end))) };
    if style(text, value) == Style::Header {
        let header = lines(text, &value.span());
        let end = own(text, table).last().map_or(header.end, |last| last.end);
        found.push(header.start..end);
    }
    table.iter().for_each(|entry| collect(text, entry, found));
}

/// The lines of the keys that stand right below a table's header, dotted ones among them, in their order.
pub fn own(text: &str, table: &DeTable<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (key, value) in table {
        match value.get_ref().as_table().map(|table| (table, style(text, value))) {
            Some((_, Style::Header)) => {}
            Some((table, Style::Dotted)) => found.extend(own(text, table)),
            _ => found.push(lines(text, &(key.span().start..value.span().end))),
        }
    }
    found.sort_by_key(|part| part.start);
    found
}
