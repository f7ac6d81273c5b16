//! CSV for spreadsheets and scripts: a header, then one line per record with complete values. Rows are printed at the
//! end of their page, or of the list if all records determine the columns.

use super::cell::{simple, simple_items};
use super::json;
use super::options::OutputOptions;
use super::sink::{Content, Sink};
use crate::error::{Error, Kind, Result};
use crate::resources::{Member, Record, last};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The rows of one list.
pub struct Csv {
    /// None if the records determine the columns.
    columns: Option<Vec<String>>,
    header: bool,
    /// The rows that are not printed yet.
    held: Vec<Record>,
}

impl Csv {
    /// Selects the columns: those of `--fields`, else those of the spec, else those of the records.
    pub fn new(content: Content, options: &OutputOptions) -> Self {
        let specified = content.resource().filter(|resource| resource.specified);
        let chosen = options.fields.as_ref().map(|names| names.to_vec());
        Self {
            columns: chosen
                .or(specified.map(|resource| resource.record_fields().map(String::from).collect())),
            header: !options.no_header,
            held: Vec::new(),
        }
    }

    fn print(&mut self, out: &mut String) -> Result<()> {
        let rows = std::mem::take(&mut self.held);
        let columns = self.columns.get_or_insert_with(|| names(&rows));
        let mut writer = ::csv::WriterBuilder::new()
            .terminator(::csv::Terminator::Any(b'\n'))
            .from_writer(Vec::new());
        if std::mem::take(&mut self.header) && !columns.is_empty() {
            writer.write_record(columns.iter()).map_err(broken)?;
        }
        for row in &rows {
            let members = row.members();
            for value in values(&members, columns) {
                let text = value.map_or("".into(), |raw| cell(raw.get()));
                writer.write_field(text.as_bytes()).map_err(broken)?;
            }
            writer.write_record(None::<&[u8]>).map_err(broken)?;
        }
        let text = writer
            .into_inner()
            .map_err(|error| Error::stdout(error.error()))?;
        out.push_str(
            &String::from_utf8(text).map_err(|error| Error::new(Kind::Error, error.to_string()))?,
        );
        Ok(())
    }
}

impl Sink for Csv {
    fn row(&mut self, record: &Record, _out: &mut String) -> Result<()> {
        self.held.push(record.clone());
        Ok(())
    }

    fn page(&mut self, out: &mut String) -> Result<()> {
        if self.columns.is_none() || self.held.is_empty() {
            Ok(())
        } else {
            self.print(out)
        }
    }

    fn end(&mut self, is_complete: bool, out: &mut String) -> Result<()> {
        if is_complete || !self.held.is_empty() {
            self.print(out)
        } else {
            Ok(())
        }
    }
}

/// Returns the error of a failed write.
fn broken(error: ::csv::Error) -> Error {
    Error::stdout(&error.into())
}

/// Returns all fields of these records, in the order of their appearance.
fn names(rows: &[Record]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in rows.iter().flat_map(Record::members) {
        if !names.iter().any(|known| *known == name) {
            names.push(name.into_owned());
        }
    }
    names
}

/// Returns the value of each column. Most records have exactly these fields in this order, which is fast to check.
fn values<'r>(
    members: &[Member<'r>],
    columns: &[String],
) -> impl Iterator<Item = Option<&'r RawValue>> {
    let same = members.len() == columns.len()
        && members
            .iter()
            .zip(columns)
            .all(|((name, _), column)| name == column);
    columns
        .iter()
        .enumerate()
        .map(move |(place, column)| match same {
            true => Some(members[place].1),
            false => last(members, column),
        })
}

fn cell(raw: &str) -> Cow<'_, str> {
    simple(raw)
        .or_else(|| joined(raw))
        .unwrap_or_else(|| json::compact(raw).into())
}

/// Returns a list of simple values separated by semicolons, if a reader can separate them again, even one that trims
/// white space.
fn joined(raw: &str) -> Option<Cow<'_, str>> {
    let items = simple_items(raw)?;
    let safe = items
        .iter()
        .all(|item| !item.is_empty() && !item.contains([';', ',']) && item.trim() == item);
    let text = items.join(";");
    (safe && !text.starts_with('[')).then_some(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv(columns: Option<&[&str]>, pages: &[&[&str]]) -> String {
        let columns = columns.map(|names| names.iter().map(ToString::to_string).collect());
        let mut sink = Csv {
            columns,
            header: true,
            held: vec![],
        };
        let mut out = String::new();
        for page in pages {
            let mut rows = page.iter().map(|text| Record::whole((*text).into()));
            assert!(
                rows.try_for_each(|record| sink.row(&record, &mut out))
                    .is_ok()
                    && sink.page(&mut out).is_ok()
            );
        }
        assert!(sink.end(true, &mut out).is_ok());
        out
    }

    fn one(value: &str) -> String {
        let text = csv(
            Some(&["a", "z"]),
            &[&[&format!(r#"{{"z":0,"a":{value}}}"#)]],
        );
        text.trim_start_matches("a,z\n")
            .trim_end_matches(",0\n")
            .to_string()
    }

    #[test]
    fn cells() {
        for (value, text) in [
            (r#""text""#, "text"),
            ("null", ""),
            ("12345678901234567890123", "12345678901234567890123"),
            ("1.10e400", "1.10e400"),
            (r#""=SUM(A1)""#, "=SUM(A1)"),
            (r#""a \"b\", c""#, r#""a ""b"", c""#),
            (r#""one\r\ntwo\tthree""#, "\"one\r\ntwo\tthree\""),
            (r#""\u001b\u202e\u200c""#, "\u{1b}\u{202e}\u{200c}"),
            (r#""caf\ud83d""#, r"caf\ud83d"),
            (r#"["s1","s2",3]"#, "s1;s2;3"),
            ("[]", ""),
            (r#"["a;b", "c"]"#, r#""[""a;b"",""c""]""#),
            (r#"["a",null]"#, r#""[""a"",null]""#),
            (r#"["a ","b"]"#, r#""[""a "",""b""]""#),
            (r#"["a b","c"]"#, "a b;c"),
            (r#"{"b": [1 , 2]}"#, r#""{""b"":[1,2]}""#),
        ] {
            assert_eq!(one(value), text, "{value}");
        }
    }

    #[test]
    fn columns_are_known_or_those_of_all_records() {
        let pages: [&[&str]; 2] = [
            &[r#"{"b":1,"a":2}"#, r#"{"a":3,"c":4}"#],
            &[r#"{"a":5,"d":6}"#],
        ];
        assert_eq!(csv(None, &pages), "b,a,c,d\n1,2,,\n,3,4,\n,5,,6\n");
        assert_eq!(csv(Some(&["a", "x"]), &pages), "a,x\n2,\n3,\n5,\n");
        assert_eq!(
            (csv(Some(&["a"]), &[]), csv(None, &[])),
            ("a\n".into(), String::new())
        );
    }
}
