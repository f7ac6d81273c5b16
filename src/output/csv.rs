//! CSV for spreadsheets and scripts: a header, then one line per record with complete values. Rows
//! are printed at the end of their page, or of the list if all records determine the columns.

use super::columns::{Column, choose_columns, columns_of_records};
use super::json;
use super::options::{Audience, Output};
use super::scalar::{raw_scalar_text, scalar_items};
use super::sink::{OutputText, PrintedKind, Sink};
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, member_value};
use std::borrow::Cow;

pub struct Csv {
    /// None if the records determine the columns.
    columns: Option<Vec<Column>>,
    /// Whether the byte order mark is still to be printed.
    needs_mark: bool,
    /// Whether the header is still to be printed.
    needs_header: bool,
    /// The records that are not printed yet.
    held: Vec<Record>,
}

impl Csv {
    pub fn new(content: PrintedKind, options: &Output) -> Self {
        Self {
            columns: choose_columns(content, options),
            needs_mark: options.bom,
            needs_header: !options.no_header,
            held: Vec::new(),
        }
    }

    fn print_held(&mut self, out: &mut String) -> Result<()> {
        if std::mem::take(&mut self.needs_mark) {
            out.push('\u{feff}');
        }
        let records = std::mem::take(&mut self.held);
        let columns = self
            .columns
            .get_or_insert_with(|| columns_of_records(&records, Audience::Programs));
        let mut writer = ::csv::WriterBuilder::new()
            .terminator(::csv::Terminator::Any(b'\n'))
            .from_writer(Vec::new());
        if std::mem::take(&mut self.needs_header) && !columns.is_empty() {
            let names = columns.iter().map(|column| &column.name);
            writer.write_record(names).map_err(write_error)?;
        }
        for record in &records {
            let members = record.members();
            for column in columns.iter() {
                let value = member_value(&members, &column.name);
                let text = value.map_or("".into(), |raw| cell_text(raw.get()));
                writer.write_field(text.as_bytes()).map_err(write_error)?;
            }
            // Without fields, this ends the row.
            writer.write_record(None::<&[u8]>).map_err(write_error)?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| Error::stdout(error.error()))?;
        match str::from_utf8(&bytes) {
            Ok(text) => out.push_str(text),
            Err(error) => return Err(Error::new(Kind::Error, error.to_string())),
        }
        Ok(())
    }
}

impl Sink for Csv {
    fn add(&mut self, record: &Record, _out: &mut OutputText) -> Result<()> {
        self.held.push(record.clone());
        Ok(())
    }

    /// Prints nothing as long as the columns depend on later records.
    fn end_page(&mut self, out: &mut OutputText) -> Result<()> {
        if self.columns.is_none() || self.held.is_empty() {
            return Ok(());
        }
        self.print_held(out)
    }

    /// Prints the header also if there are no records.
    fn end(&mut self, out: &mut OutputText) -> Result<()> {
        self.print_held(out)
    }

    /// Prints no header without rows, which would look like a complete, empty list.
    fn end_incomplete(&mut self, out: &mut OutputText) -> Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        self.print_held(out)
    }
}

fn write_error(error: ::csv::Error) -> Error {
    Error::stdout(&error.into())
}

/// Returns the text of a value. A list or an object that has no simple text is JSON.
fn cell_text(raw: &str) -> Cow<'_, str> {
    if let Some(text) = raw_scalar_text(raw) {
        return text;
    }
    match join_with_semicolons(raw) {
        Some(text) => text.into(),
        None => json::compact(raw).into(),
    }
}

/// Joins a list of scalars, if a reader can separate them again, even one that trims white space.
/// A text that starts with `[` would be read as JSON.
fn join_with_semicolons(raw: &str) -> Option<String> {
    let items = scalar_items(raw)?;
    for item in &items {
        if item.is_empty() || item.contains(';') || item.trim() != item {
            return None;
        }
    }
    let text = items.join(";");
    (!text.starts_with('[')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv(columns: Option<&[&str]>, pages: &[&[&str]]) -> String {
        let columns =
            columns.map(|names| names.iter().map(|name| Column::undeclared(name)).collect());
        let mut sink = Csv {
            columns,
            needs_mark: false,
            needs_header: true,
            held: vec![],
        };
        let mut out = OutputText::new(|text| text.into(), std::io::sink());
        for page in pages {
            let mut rows = page.iter().map(|text| Record::from_json((*text).into()));
            assert!(
                rows.try_for_each(|record| sink.add(&record, &mut out))
                    .is_ok()
                    && sink.end_page(&mut out).is_ok()
            );
        }
        assert!(sink.end(&mut out).is_ok());
        out.clone()
    }

    fn cell(value: &str) -> String {
        let text = csv(
            Some(&["a", "z"]),
            &[&[&format!(r#"{{"z":0,"a":{value}}}"#)]],
        );
        text.trim_start_matches("a,z\n")
            .trim_end_matches(",0\n")
            .to_string()
    }

    #[test]
    fn values_are_written_as_csv_cells() {
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
            assert_eq!(cell(value), text, "{value}");
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
