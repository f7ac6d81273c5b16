//! CSV for spreadsheets and scripts: a header, a line per record, nothing cut and nothing prefixed. Rows wait for the end
//! of their page, because the first page determines the columns that nobody declares.

use super::cell::{simple, simple_items};
use super::json;
use super::shape::Shape;
use super::sink::{Content, Sink};
use crate::error::{Error, Result};
use crate::resources::{Member, Record, Resource, last};
use crate::terminal::Ui;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The rows of one list.
pub struct Csv {
    /// The columns, where they are known before any record.
    columns: Option<Vec<String>>,
    /// The columns of a list that turns out to be empty.
    fallback: Vec<String>,
    header: bool,
    /// The rows of the page so far.
    held: Vec<Record>,
    /// Fields that came too late for a column.
    late: BTreeSet<String>,
    /// Whether the records name the columns, so that one may be missed.
    open: bool,
}

impl Csv {
    /// The columns are the fields asked for, else those that the spec names, else those that the first page brings.
    pub fn new(content: Content, shape: &Shape) -> Self {
        let resource = content.resource();
        let declared = |resource: &Resource| resource.recorded().map(String::from).collect::<Vec<_>>();
        let chosen = shape.fields.as_ref().map(|names| names.to_vec());
        let columns = chosen.or(resource.filter(|resource| resource.specified).map(declared));
        Self {
            open: columns.is_none(),
            columns,
            fallback: resource.map(declared).unwrap_or_default(),
            header: !shape.no_header,
            held: Vec::new(),
            late: BTreeSet::new(),
        }
    }

    fn print(&mut self, out: &mut String) -> Result<()> {
        let rows = std::mem::take(&mut self.held);
        let fallback = || if rows.is_empty() { self.fallback.clone() } else { names(&rows) };
        let columns = self.columns.get_or_insert_with(fallback);
        let mut writer = ::csv::WriterBuilder::new().terminator(::csv::Terminator::Any(b'\n')).from_writer(Vec::new());
        if std::mem::take(&mut self.header) && !columns.is_empty() {
            writer.write_record(columns.iter()).map_err(broken)?;
        }
        for row in &rows {
            let members = row.members();
            if self.open {
                let late = members.iter().filter(|(name, _)| !columns.iter().any(|column| column == name));
                self.late.extend(late.map(|(name, _)| name.to_string()));
            }
            for value in values(&members, columns) {
                let text = value.map_or("".into(), |raw| cell(raw.get()));
                writer.write_field(text.as_bytes()).map_err(broken)?;
            }
            writer.write_record(None::<&[u8]>).map_err(broken)?;
        }
        let text = writer.into_inner().map_err(|error| Error::stdout(error.error()))?;
        out.push_str(&String::from_utf8_lossy(&text));
        Ok(())
    }
}

impl Sink for Csv {
    fn row(&mut self, record: &Record, _out: &mut String) -> Result<()> {
        self.held.push(record.clone());
        Ok(())
    }

    fn page(&mut self, out: &mut String) -> Result<()> {
        if self.held.is_empty() { Ok(()) } else { self.print(out) }
    }

    fn finish(&mut self, out: &mut String) -> Result<()> {
        self.print(out)
    }

    fn remark(&self, ui: &Ui) {
        if !self.late.is_empty() {
            let late = self.late.iter().cloned().collect::<Vec<_>>().join(", ");
            ui.warn(&format!(
                "these fields came after the first page and have no column: {late} (--fields names columns)"
            ));
        }
    }
}

/// What a failed write means.
fn broken(error: ::csv::Error) -> Error {
    Error::stdout(&error.into())
}

/// All fields of these records, in the order in which they first appear.
fn names(rows: &[Record]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in rows.iter().flat_map(Record::members) {
        if !names.iter().any(|known| *known == name) {
            names.push(name.into_owned());
        }
    }
    names
}

/// The value of each column. Most records have just these fields in this order, which is soon seen.
fn values<'r>(members: &[Member<'r>], columns: &[String]) -> impl Iterator<Item = Option<&'r RawValue>> {
    let same = members.len() == columns.len() && members.iter().zip(columns).all(|((name, _), column)| name == column);
    columns.iter().enumerate().map(move |(place, column)| match same {
        true => Some(members[place].1),
        false => last(members, column),
    })
}

fn cell(raw: &str) -> Cow<'_, str> {
    simple(raw).or_else(|| joined(raw)).unwrap_or_else(|| json::compact(raw).into())
}

/// A list of simple values with semicolons between them, where that can be taken apart again, also by a reader that
/// drops the white space around them.
fn joined(raw: &str) -> Option<Cow<'_, str>> {
    let items = simple_items(raw)?;
    let safe = items.iter().all(|item| !item.is_empty() && !item.contains([';', ',']) && item.trim() == item);
    let text = items.join(";");
    (safe && !text.starts_with('[')).then_some(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv(columns: Option<&[&str]>, pages: &[&[&str]]) -> (String, String) {
        let columns = columns.map(|names| names.iter().map(ToString::to_string).collect());
        let mut sink = Csv {
            open: columns.is_none(),
            columns,
            fallback: vec!["id".into()],
            header: true,
            held: vec![],
            late: BTreeSet::new(),
        };
        let mut out = String::new();
        for page in pages {
            let mut rows = page.iter().map(|text| Record::whole((*text).into()));
            assert!(rows.try_for_each(|record| sink.row(&record, &mut out)).is_ok() && sink.page(&mut out).is_ok());
        }
        assert!(sink.finish(&mut out).is_ok());
        (out, sink.late.into_iter().collect())
    }

    fn one(value: &str) -> String {
        let text = csv(Some(&["a", "z"]), &[&[&format!(r#"{{"z":0,"a":{value}}}"#)]]).0;
        text.trim_start_matches("a,z\n").trim_end_matches(",0\n").to_string()
    }

    #[test]
    fn cells() {
        for (value, text) in [
            (r#""text""#, "text"),
            ("null", ""),
            ("12345678901234567890123", "12345678901234567890123"),
            ("1.10e400", "1.10e400"),
            ("true", "true"),
            (r#""=SUM(A1)""#, "=SUM(A1)"),
            (r#""a \"b\", c""#, r#""a ""b"", c""#),
            (r#""one\r\ntwo\tthree""#, "\"one\r\ntwo\tthree\""),
            (r#""\u001b\u202e\u200c""#, "\u{1b}\u{202e}\u{200c}"),
            (r#""\r \\u{1b}""#, "\"\r \\u{1b}\""),
            (r#""caf\ud83d""#, r"caf\ud83d"),
            (r#"["s1","s2",3]"#, "s1;s2;3"),
            ("[]", ""),
            (r#"["a;b", "c"]"#, r#""[""a;b"",""c""]""#),
            (r#"["a",null]"#, r#""[""a"",null]""#),
            (r#"["[x]"]"#, r#""[""[x]""]""#),
            (r#"["a ","b"]"#, r#""[""a "",""b""]""#),
            (r#"["a b","c"]"#, "a b;c"),
            (r#"{"b": [1 , 2]}"#, r#""{""b"":[1,2]}""#),
        ] {
            assert_eq!(one(value), text, "{value}");
        }
    }

    #[test]
    fn the_first_page_names_the_columns() {
        let pages: [&[&str]; 2] = [&[r#"{"b":1,"a":2}"#, r#"{"a":3,"c":4}"#], &[r#"{"a":5,"d":6}"#]];
        assert_eq!(csv(None, &pages), ("b,a,c\n1,2,\n,3,4\n,5,\n".into(), "d".into()));
    }

    #[test]
    fn columns_that_are_known_are_kept() {
        assert_eq!(csv(Some(&["a", "x"]), &[&[r#"{"a":1,"b":2}"#]]), ("a,x\n1,\n".into(), String::new()));
        assert_eq!(csv(Some(&["a"]), &[]).0, "a\n");
        assert_eq!(csv(None, &[]).0, "id\n");
    }
}
