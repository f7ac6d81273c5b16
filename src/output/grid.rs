//! Rows for people: aligned columns under headings, no lines. Off a terminal nothing is cut.

use super::Shape;
use super::cell::cell;
use super::fit::{Column, GAP, fit};
use super::guess::Guess;
use super::sink::{Remark, Rowed, Sink, put};
use super::width::{pad, width};
use crate::error::Result;
use crate::resources::{Field, Record, last};
use crate::terminal::{Ui, visible};
use serde_json::value::RawValue;
use std::io::Write;

/// The rows of one table, held until all are there: only then are its widths known.
pub struct Grid {
    /// The columns, where they are known before any record.
    columns: Option<Vec<Column>>,
    /// The cells of each row.
    rows: Vec<Vec<String>>,
    /// Records whose columns are not yet known, and how those are guessed.
    records: Vec<Record>,
    guess: Guess,
    look: Look,
    left_out: Vec<String>,
}

/// How the table looks.
#[derive(Debug, Clone, Copy)]
struct Look {
    header: bool,
    bold: bool,
    /// Columns of the terminal.
    width: Option<usize>,
    /// Whether columns may be left out where it is narrow: not those that were asked for.
    may_leave_out: bool,
}

impl Grid {
    /// The columns are the fields asked for, else those that the resource declares, else those that the records bring.
    pub fn new(what: Rowed, shape: &Shape) -> Self {
        let resource = what.resource();
        let named = |name: &String| match resource.and_then(|resource| resource.field(name)) {
            Some(field) => declared(field),
            None => Column::new(name, heading(name)),
        };
        let chosen = shape.fields.as_ref().map(|names| names.iter().map(named).collect());
        Self {
            columns: chosen.or(resource.map(|resource| resource.columns().map(declared).collect())),
            rows: Vec::new(),
            records: Vec::new(),
            guess: if matches!(what, Rowed::Found) { Guess::Foreign } else { Guess::Own },
            look: Look {
                header: !shape.no_header,
                bold: shape.ui.stdout_color(),
                width: shape.ui.stdout_width(),
                may_leave_out: shape.fields.is_none(),
            },
            left_out: Vec::new(),
        }
    }

    /// A table on stderr, its columns the fields that the records bring. A person decides by it: nothing is cut or left
    /// out, however narrow the terminal.
    pub fn preview(ui: &Ui) -> Self {
        let look = Look { header: true, bold: ui.stderr_color(), width: None, may_leave_out: false };
        let (rows, records, guess) = (Vec::new(), Vec::new(), Guess::Own);
        Self { columns: None, rows, records, guess, look, left_out: Vec::new() }
    }

    fn print(&mut self, out: &mut dyn Write) -> Result<()> {
        let columns = self.columns.take().unwrap_or_else(|| guessed(self.guess, &self.records));
        let mut rows = std::mem::take(&mut self.rows);
        rows.extend(self.records.iter().map(|record| cells(record, &columns)));
        if rows.is_empty() {
            return Ok(());
        }
        let widths = self.widths(&columns, &rows);
        if self.look.header {
            let headings = columns.iter().map(|column| column.heading.clone()).collect();
            let line = line(headings, &columns, &widths);
            put(out, &if self.look.bold { format!("\x1b[1m{line}\x1b[0m\n") } else { format!("{line}\n") })?;
        }
        rows.into_iter().try_for_each(|row| {
            put(out, &line(row, &columns, &widths))?;
            put(out, "\n")
        })
    }

    /// The width of each column; none where it is left out.
    fn widths(&mut self, columns: &[Column], rows: &[Vec<String>]) -> Vec<Option<usize>> {
        let heading = |column: &Column| if self.look.header { width(&column.heading) } else { 0 };
        let mut natural: Vec<usize> = columns.iter().map(heading).collect();
        for row in rows {
            natural.iter_mut().zip(row).for_each(|(widest, cell)| *widest = width(cell).max(*widest));
        }
        let Some(room) = self.look.width else { return natural.into_iter().map(Some).collect() };
        let widths = fit(columns, &natural, room, self.look.may_leave_out);
        let left_out = columns.iter().zip(&widths).filter(|(_, width)| width.is_none());
        self.left_out = left_out.map(|(column, _)| column.heading.clone()).collect();
        widths
    }
}

impl Sink for Grid {
    fn row(&mut self, record: &Record, _out: &mut dyn Write) -> Result<()> {
        match &self.columns {
            Some(columns) => self.rows.push(cells(record, columns)),
            None => self.records.push(record.clone()),
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> Result<()> {
        self.print(out)
    }

    fn break_off(&mut self, out: &mut dyn Write) -> Result<()> {
        self.print(out)
    }

    fn streams(&self) -> bool {
        false
    }

    fn remarks(&self) -> Vec<Remark> {
        if self.left_out.is_empty() {
            return Vec::new();
        }
        let names = self.left_out.join(", ");
        vec![Remark::Note(format!("left out at this width: {names} (--fields names columns, -o csv has all)"))]
    }
}

fn cells(record: &Record, columns: &[Column]) -> Vec<String> {
    let members = record.members();
    columns.iter().map(|column| text(column, last(&members, &column.name))).collect()
}

/// What a column shows of a value.
fn text(column: &Column, raw: Option<&RawValue>) -> String {
    let words = column.words.zip(raw).and_then(|(words, raw)| words(raw.get()));
    words.map_or_else(|| cell(raw), |words| visible(&words).into_owned())
}

fn declared(field: &Field) -> Column {
    let heading = field.column.map_or_else(|| heading(field.name), String::from);
    let mut column = Column::new(field.name, heading);
    column.words = field.words;
    column
}

/// One line: each cell as wide as its column, two spaces between them.
fn line(cells: Vec<String>, columns: &[Column], widths: &[Option<usize>]) -> String {
    let mut line = String::new();
    for ((mut cell, column), width) in cells.into_iter().zip(columns).zip(widths) {
        if let Some(width) = *width {
            column.cut(&mut cell, width);
            pad(&mut cell, width + GAP);
            line.push_str(&cell);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// The columns that the records bring.
fn guessed(guess: Guess, records: &[Record]) -> Vec<Column> {
    guess.columns(records).iter().map(|name| Column::new(name, heading(name))).collect()
}

/// The heading of a field that nobody declared.
fn heading(name: &str) -> String {
    visible(&name.to_uppercase().replace('_', " ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(names: Option<&[&str]>, width: Option<usize>, may_leave_out: bool) -> (String, Vec<Remark>) {
        let columns = names.map(|names| names.iter().map(|name| Column::new(name, heading(name))).collect());
        let look = Look { header: true, bold: false, width, may_leave_out };
        let mut grid = Grid { columns, look, ..Grid::preview(&Ui::new(crate::terminal::Wishes::default(), |_| false)) };
        let mut out = Vec::new();
        for record in [
            r#"{"id":"client-0001","name":"東京都庁舎東京都庁舎","x":{},"site_ids":["site-1","site-2","site-3"],"gone":null}"#,
            r#"{"id":"client-0002","name":"\u001b[31m","site_ids":[],"gone":null}"#,
        ] {
            assert!(grid.row(&Record::whole(record.into()), &mut out).is_ok());
        }
        assert!(grid.finish(&mut out).is_ok());
        (String::from_utf8_lossy(&out).into_owned(), grid.remarks())
    }

    #[test]
    fn a_table_fits_its_terminal() {
        let (text, remarks) = grid(Some(&["id", "name", "site_ids"]), Some(45), true);
        let wanted = "\
ID           NAME             SITE IDS
client-0001  東京都庁舎東京…  site-1, …
client-0002  \\u{1b}[31m
";
        assert_eq!((text.as_str(), remarks), (wanted, vec![]));
        let (text, remarks) = grid(Some(&["id", "name", "site_ids"]), Some(30), true);
        assert_eq!(text.lines().next(), Some("ID           NAME"));
        assert!(matches!(&remarks[..], [Remark::Note(text)] if text.starts_with("left out at this width: SITE IDS (")));
        assert!(grid(Some(&["id", "name", "site_ids"]), Some(30), false).1.is_empty());
    }

    #[test]
    fn results_have_the_columns_that_words_can_fill() {
        let (text, _) = grid(None, None, true);
        assert_eq!(text.lines().next(), Some("ID           NAME                  SITE IDS"));
    }
}
