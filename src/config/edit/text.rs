//! Changes to the text of the config file. `toml_edit` keeps each comment and white space with what it stands at. Here is
//! what it leaves to others: what is said above a key or a table stays when that goes, and line ends stay what they are.
//! What it does not keep: keys with dots are written together with those of their table.

use super::Edit;
use serde::Serialize;
use toml_edit::ser::ValueSerializer;
use toml_edit::{Decor, DocumentMut, InlineTable, Item, Key, KeyMut, RawString, Table, Value};

/// Stands at both ends of what is taken away, until that is cut out: no TOML text can hold it.
const GONE: char = '\0';

/// The text with this changed; none where there is no place for it.
pub fn edited(text: &str, edit: &Edit) -> Option<String> {
    let (mark, rest) = text.split_at(text.len() - text.trim_start_matches('\u{feff}').len());
    let ends = rest.matches('\n').count();
    if ends == 0 || ends > rest.matches("\r\n").count() {
        return Some(format!("{mark}{}", changed(rest, edit)?));
    }
    let changed = changed(&rest.replace("\r\n", "\n"), edit)?;
    Some(format!("{mark}{}", changed.replace('\n', "\r\n")))
}

fn changed(text: &str, edit: &Edit) -> Option<String> {
    let mut file: DocumentMut = text.parse().ok()?;
    match edit {
        Edit::Current(Some(name)) if !file.contains_key("current_profile") => return Some(with_first(text, name)),
        Edit::Current(Some(name)) => set(file.as_item_mut(), "current_profile", name.into())?,
        Edit::Current(None) => remove(file.as_item_mut(), "current_profile")?,
        Edit::Key(name, key, Some(value)) => {
            let value = value.serialize(ValueSerializer::new()).ok()?;
            let Some(profile) = place(&mut file, name) else { return Some(with_last(text, name, key, &value)) };
            set(profile, key, value)?;
        }
        Edit::Key(name, key, None) => empty(file.get_mut("profiles")?, name, key)?,
        Edit::Remove(name) => remove(file.get_mut("profiles")?, name)?,
    }
    cut(file.to_string())
}

/// The text with the current profile named where that is easily seen: below what is said of the whole file.
fn with_first(text: &str, name: &str) -> String {
    let (head, rest) = text.split_at(head(text));
    let blank = if rest.is_empty() { "" } else { "\n" };
    format!("{head}{}current_profile = {}\n{blank}{rest}", open_end(head), Value::from(name))
}

/// The text with one more profile, or with its own keys where it had only tables below it.
fn with_last(text: &str, name: &str, key: &str, value: &Value) -> String {
    let blank = if text.trim().is_empty() || text.ends_with("\n\n") { "" } else { "\n" };
    format!("{text}{}{blank}[profiles.{}]\n{key} = {value}\n", open_end(text), Key::new(name))
}

/// What ends the last line.
fn open_end(text: &str) -> &'static str {
    if text.is_empty() || text.ends_with('\n') { "" } else { "\n" }
}

/// The length of what is said of the whole file: comments with a blank line, or with nothing, after them.
fn head(text: &str) -> usize {
    let comments = text.split_inclusive('\n').take_while(|line| line.trim().starts_with('#')).map(str::len).sum();
    match text[comments..].split_inclusive('\n').next() {
        Some(line) if line.trim().is_empty() => comments + line.len(),
        Some(_) => 0,
        None => comments,
    }
}

/// The profile, where its keys have a place: not where it is only in the names of the tables below it.
fn place<'f>(file: &'f mut DocumentMut, name: &str) -> Option<&'f mut Item> {
    let profiles = file.get_mut("profiles")?;
    if profiles.is_inline_table() && profiles.as_table_like()?.get(name).is_none() {
        insert(profiles, name, InlineTable::new().into())?;
    }
    let is_place = |table: &Table| table.is_dotted() || !table.is_implicit();
    profiles.as_table_like_mut()?.get_mut(name).filter(|profile| profile.as_table().is_none_or(is_place))
}

fn shown(text: Option<&RawString>) -> &str {
    text.and_then(RawString::as_str).unwrap_or_default()
}

/// Gives a value to a key; what is said beside the old one stays.
fn set(table: &mut Item, key: &str, mut value: Value) -> Option<()> {
    let Some(old) = table.as_table_like_mut()?.get_mut(key) else { return insert(table, key, value) };
    *value.decor_mut() = old.as_value()?.decor().clone();
    *old = Item::Value(value);
    Some(())
}

/// One more key at the end of a table, as far to the right as its first one.
fn insert(table: &mut Item, key: &str, value: Value) -> Option<()> {
    let last = table.as_inline_table_mut().and_then(|table| table.iter_mut().last());
    if let Some((_, last)) = last.filter(|(_, last)| shown(last.decor().suffix()).trim().is_empty()) {
        last.decor_mut().set_suffix("");
    }
    let table = table.as_table_like_mut()?;
    let first = table.get_values().first().and_then(|(path, _)| path.last().map(|key| key.leaf_decor().clone()));
    table.insert(key, Item::Value(value));
    if let (Some(first), Some(mut key)) = (first, table.key_mut(key)) {
        key.leaf_decor_mut().set_prefix(shown(first.prefix()).rsplit('\n').next()?);
    }
    Some(())
}

/// Takes a key of a profile away, which itself stays, also where it is only in the name of that key.
fn empty(profiles: &mut Item, name: &str, key: &str) -> Option<()> {
    let (mut path, profile) = profiles.as_table_like_mut()?.get_key_value_mut(name)?;
    let table = profile.as_table_like().filter(|table| table.is_dotted() && table.len() == 1);
    let Some((key, value)) = table.and_then(|table| table.key(key).zip(table.get(key)?.as_value())) else {
        return remove(profile, key);
    };
    *path.leaf_decor_mut() = key.leaf_decor().clone();
    let mut empty = Value::from(InlineTable::new());
    *empty.decor_mut() = value.decor().clone();
    *profile = Item::Value(empty);
    Some(())
}

/// Takes a key away, and all that is below it.
fn remove(table: &mut Item, key: &str) -> Option<()> {
    match table {
        Item::Table(table) => table.get_key_value_mut(key).map(|(key, item)| mark(key, item, false)),
        table => table.as_table_like_mut()?.remove(key).map(drop),
    }
}

/// Marks the lines of a key, or of a table and all below it: with what is said above them where that is `inside` of a
/// table that goes.
fn mark(mut key: KeyMut<'_>, item: &mut Item, inside: bool) {
    match item {
        Item::Value(value) => {
            begin(key.leaf_decor_mut(), inside);
            end(value.decor_mut());
        }
        Item::Table(table) => {
            let has_header = !table.is_implicit();
            if has_header {
                begin(table.decor_mut(), false);
                end(table.decor_mut());
            }
            table.iter_mut().for_each(|(key, item)| mark(key, item, inside || has_header));
        }
        Item::None | Item::ArrayOfTables(_) => {}
    }
}

fn begin(decor: &mut Decor, inside: bool) {
    let above = shown(decor.prefix());
    decor.set_prefix(if inside { format!("{GONE}{above}") } else { format!("{above}{GONE}") });
}

fn end(decor: &mut Decor) {
    decor.set_suffix(format!("{}{GONE}", shown(decor.suffix())));
}

/// The text without the lines that are marked, nor one of two blank lines that would meet.
fn cut(mut text: String) -> Option<String> {
    while let Some((above, rest)) = text.split_once(GONE) {
        let below = rest.split_once(GONE)?.1.strip_prefix('\n')?;
        let above = above.trim_end_matches([' ', '\t']);
        let is_blank = above.is_empty() || above.ends_with("\n\n");
        let below = below.strip_prefix('\n').filter(|_| is_blank).unwrap_or(below);
        text = format!("{above}{below}");
    }
    Some(text)
}
