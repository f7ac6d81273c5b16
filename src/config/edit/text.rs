//! Changes to the text of the config file, at the places where its keys stand. What comes out is looked at by whoever
//! asked, so that a way to write TOML that nobody thought of here is refused, not damaged.

use super::Edit;
use super::place::{Entry, Style, entries, entry, line_start, lines, own, parts, style};
use std::ops::Range;
use toml::de::DeTable;
use toml::{Spanned, Value};

/// The text with this changed; none where there is no place for it.
pub fn edited(text: &str, edit: &Edit) -> Option<String> {
    let root = DeTable::parse(text).ok()?;
    let root = root.get_ref();
    let current = entry(root, "current_profile");
    let profiles = entry(root, "profiles");
    let profile = |name: &str| entry(profiles?.1.get_ref().as_table()?, name);
    match edit {
        Edit::Current(Some(name)) => Some(match current {
            Some((_, value)) => spliced(text, value.span(), &quoted(name)),
            None => first(text, &format!("current_profile = {}", quoted(name))),
        }),
        Edit::Current(None) => Some(current.map_or(text.into(), |current| without(text, current))),
        Edit::Remove(name) => match profile(name) {
            Some(found) if style(text, profiles?.1) == Style::Inline => without_item(text, profiles?, found),
            Some(found) => Some(without(text, found)),
            None => Some(text.into()),
        },
        Edit::Key(name, key, Some(value)) => match profile(name) {
            Some(found) => {
                let value = written(value)?;
                // A profile may have no place of its own, but only tables below it.
                with_key(text, found, key, &value).or_else(|| Some(with_table(text, name, &format!("{key} = {value}"))))
            }
            None => with_profile(text, profiles, name, &format!("{key} = {}", written(value)?)),
        },
        Edit::Key(name, key, None) => {
            let found = profile(name).and_then(|found| Some((found, entry(found.1.get_ref().as_table()?, key)?)));
            found.map_or(Some(text.into()), |(profile, key)| removed(text, profile, key))
        }
    }
}

/// The text with these bytes replaced.
fn spliced(text: &str, bytes: Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..bytes.start], &text[bytes.end..])
}

/// The text with a line at its beginning, below what is said of the whole file: comments with a blank line after them.
fn first(text: &str, line: &str) -> String {
    let begin = line_start(text, 0);
    let spaced = format!("{line}{}", end(text));
    let mut place = begin;
    for row in text[begin..].split_inclusive('\n') {
        place += row.len();
        match row.trim() {
            "" => return with_line(text, place, &spaced),
            row if row.starts_with('#') => {}
            _ => return with_line(text, begin, &spaced),
        }
    }
    with_line(text, place, line)
}

/// The text without an entry of this table, which itself stays, also where it is empty then.
fn removed(text: &str, table: Entry<'_>, entry: Entry<'_>) -> Option<String> {
    match style(text, table.1) {
        Style::Inline => without_item(text, table, entry),
        Style::Dotted if parts(text, table) == parts(text, entry) => {
            let start = line_start(text, entry.0.span().start);
            let path = text[start..entry.0.span().start].trim_end_matches(['.', ' ', '\t']);
            Some(spliced(text, start..entry.1.span().end, &format!("{path} = {{}}")))
        }
        _ => Some(without(text, entry)),
    }
}

/// The text without the lines of an entry.
fn without(text: &str, entry: Entry<'_>) -> String {
    let mut kept = text.to_string();
    for part in parts(text, entry).into_iter().rev() {
        // Of two blank lines that would meet, one goes too.
        let alone = [text[..part.start].trim_end_matches(['\n', '\r']), &text[..part.start]];
        let below_blank = alone[0].is_empty() || alone[1].ends_with("\n\n") || alone[1].ends_with("\n\r\n");
        let blank = ["\r\n", "\n"].into_iter().find(|end| text[part.end..].starts_with(end));
        let more = blank.filter(|_| below_blank).map_or(0, str::len);
        kept.replace_range(part.start..part.end + more, "");
    }
    kept
}

/// The text without an entry of a table in braces.
fn without_item(text: &str, (_, table): Entry<'_>, entry: Entry<'_>) -> Option<String> {
    let all = entries(table.get_ref().as_table()?);
    let place = all.iter().position(|(key, _)| key.span() == entry.0.span())?;
    let whole = |(key, value): Entry<'_>| key.span().start..value.span().end;
    let bytes = match (place.checked_sub(1).map(|before| whole(all[before]).end), all.get(place + 1)) {
        (Some(before), _) => before..whole(entry).end,
        (None, Some(next)) => whole(entry).start..whole(*next).start,
        (None, None) => whole(entry),
    };
    Some(spliced(text, bytes, ""))
}

/// The text with this value of a key of a table.
fn with_key(text: &str, (_, table): Entry<'_>, key: &str, value: &str) -> Option<String> {
    let keys = table.get_ref().as_table()?;
    if let Some((_, old)) = entry(keys, key) {
        return Some(spliced(text, old.span(), value));
    }
    let line = format!("{key} = {value}");
    match style(text, table) {
        Style::Inline => with_entry(text, table, &line),
        Style::Header => {
            let below = own(text, keys).last().map_or_else(|| lines(text, &table.span()), Clone::clone);
            let indent = own(text, keys).first().map_or("", |first| indent(&text[first.clone()]));
            Some(with_line(text, below.end, &format!("{indent}{line}")))
        }
        Style::Dotted => {
            let (last, value) = entries(keys).into_iter().rfind(|(_, value)| value.get_ref().as_table().is_none())?;
            let path = &text[line_start(text, last.span().start)..last.span().start];
            Some(with_line(text, lines(text, &value.span()).end, &format!("{path}{line}")))
        }
    }
}

/// The text with one more profile, which has this one key.
fn with_profile(text: &str, profiles: Option<Entry<'_>>, name: &str, line: &str) -> Option<String> {
    if let Some((_, profiles)) = profiles.filter(|(_, profiles)| style(text, profiles) == Style::Inline) {
        return with_entry(text, profiles, &format!("{} = {{ {line} }}", bare(name)));
    }
    Some(with_table(text, name, line))
}

/// The text with one more table at its end, that of this profile.
fn with_table(text: &str, name: &str, line: &str) -> String {
    let blank =
        if text.trim().is_empty() || text.ends_with("\n\n") || text.ends_with("\n\r\n") { "" } else { end(text) };
    let header = format!("{blank}[profiles.{}]{}{line}", bare(name), end(text));
    with_line(text, text.len(), &header)
}

/// The text with one more entry in braces.
fn with_entry(text: &str, table: &Spanned<toml::de::DeValue<'_>>, entry: &str) -> Option<String> {
    Some(match entries(table.get_ref().as_table()?).last() {
        Some((_, last)) => spliced(text, last.span().end..last.span().end, &format!(", {entry}")),
        None => spliced(text, table.span(), &format!("{{ {entry} }}")),
    })
}

/// The text with a line more at this place, where a line begins or the text ends.
fn with_line(text: &str, place: usize, line: &str) -> String {
    let end = end(text);
    let open = place > 0 && !text[..place].ends_with('\n') && text[..place] != *"\u{feff}";
    spliced(text, place..place, &format!("{}{line}{end}", if open { end } else { "" }))
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// How the lines of this text end.
fn end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A value as TOML writes it; none where a change never holds such a one.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(quoted(text)),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(written).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// A name as a key.
fn bare(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(is_bare) { name.into() } else { quoted(name) }
}
