//! Tables for people, drawn by comfy-table: aligned columns under headings. In a pipe nothing is cut.

use super::columns::{Column, Values, is_text, of_records};
use super::shape::Shape;
use super::sink::{Content, Sink};
use crate::error::Result;
use crate::resources::{Record, Resource, last};
use crate::terminal::{Ui, painted, visible};
use comfy_table::ColumnConstraint::Absolute;
use comfy_table::presets::NOTHING;
use comfy_table::{Row, Width};
use serde_json::value::RawValue;
use std::cmp::Reverse;

/// The space between columns.
const GAP: usize = 2;
/// The separator of the cells of a row, which no escaped text contains.
const SEPARATOR: char = '\x1f';
/// The least width that a column of text is cut to.
const LEAST: usize = 10;
/// The width that is enough for a column of text if the table is too wide.
const WIDEST: usize = 24;
/// The same for emails and states, because a part of them is useless.
const WIDEST_EMAIL: usize = 36;
/// The rows that are drawn at a time, because a large table takes more time and memory than several small ones.
const BATCH: usize = 500;

/// A list. Its rows are kept until the end, because all of them determine the widths of the columns.
#[derive(Default)]
pub struct Table {
    /// None if the records determine the columns.
    columns: Option<Vec<Column>>,
    /// The cells of the rows, if the columns are known and nothing has to fit a terminal.
    rows: Vec<String>,
    /// The records of the other rows.
    records: Vec<Record>,
    header: bool,
    bold: bool,
    values: Values,
    /// The width of the terminal.
    room: Option<usize>,
    /// Whether empty columns are hidden: those of sitectl's own records, and all if the table is too wide.
    hides_empty: bool,
    /// Whether columns that don't fit may be left out.
    may_leave_out: bool,
    left_out: Vec<String>,
}

impl Table {
    /// The columns are those of `--fields`, else of the resource, else of the records.
    pub fn new(content: Content, shape: &Shape) -> Self {
        let declared = |resource: &Resource| Column::all(resource);
        let field = |name: &str| content.resource().and_then(|resource| resource.field(name));
        let chosen = |name: &String| field(name).map_or_else(|| Column::new(name), Column::declared);
        let chosen = shape.fields.as_ref().map(|names| names.iter().map(chosen).collect());
        Self {
            columns: chosen.or_else(|| content.resource().map(declared)),
            header: !shape.no_header,
            bold: shape.ui.stdout_color,
            values: values(&shape.ui),
            room: shape.ui.stdout_width,
            hides_empty: shape.fields.is_none()
                && content.resource().is_some_and(|resource| !resource.order.is_empty()),
            may_leave_out: shape.fields.is_none(),
            ..Self::default()
        }
    }

    fn print(&mut self, out: &mut String) {
        let columns = self.columns.take().unwrap_or_else(|| of_records(&self.records));
        let mut rows = std::mem::take(&mut self.rows);
        rows.extend(self.records.iter().map(|record| row(&columns, record, self.values)));
        if rows.is_empty() || columns.is_empty() {
            return;
        }
        let mut widths = self.widths(&columns, &rows);
        if let Some(room) = self.room.filter(|room| total(&widths) > *room) {
            rows = self.records.iter().map(|record| row(&columns, record, Values::Short)).collect();
            self.hides_empty |= self.may_leave_out;
            let natural = self.widths(&columns, &rows);
            widths = fit(&columns, &natural, room, self.may_leave_out);
            let left_out =
                columns.iter().zip(natural.iter().zip(&widths)).filter(|(_, (was, is))| **is == 0 && **was > 0);
            self.left_out = left_out.map(|(column, _)| column.heading.clone()).collect();
        }
        for (number, batch) in rows.chunks(BATCH).enumerate() {
            self.draw(&columns, &widths, batch, self.header && number == 0, out);
        }
    }

    /// Returns the width of each column if nothing is cut; 0 for a column that is not shown.
    fn widths(&self, columns: &[Column], rows: &[String]) -> Vec<usize> {
        let mut widths = vec![0; columns.len()];
        for row in rows {
            widths.iter_mut().zip(row.split(SEPARATOR)).for_each(|(widest, cell)| *widest = width(cell).max(*widest));
        }
        let heading = |column: &Column| if self.header { width(&column.heading) } else { 1 };
        let is_hidden = |width: usize| self.hides_empty && width == 0;
        let all = columns.iter().zip(widths);
        all.map(|(column, width)| if is_hidden(width) { 0 } else { width.max(heading(column)) }).collect()
    }

    fn draw(&self, columns: &[Column], widths: &[usize], rows: &[String], header: bool, out: &mut String) {
        let mut table = plain();
        if header {
            table.set_header(line(columns.iter().map(|column| column.heading.as_str()), widths));
        }
        table.add_rows(rows.iter().map(|row| line(row.split(SEPARATOR), widths)));
        pad(&mut table);
        let fixed = |width: &usize| Absolute(Width::Fixed(u16::try_from(width + GAP).unwrap_or(u16::MAX)));
        table.set_constraints(widths.iter().filter(|width| **width > 0).map(fixed));
        for (number, line) in table.lines().enumerate() {
            let line = line.trim_end();
            match (self.bold, number.checked_sub(usize::from(header))) {
                (false, _) => out.push_str(line),
                (true, None) => out.push_str(&painted(true, line, "1")),
                (true, Some(row)) => out.push_str(&colored(columns, widths, &rows[row], line)),
            }
            out.push('\n');
        }
    }
}

/// Returns the cells of a record in one text, because so many short texts take more memory.
fn row(columns: &[Column], record: &Record, values: Values) -> String {
    let members = record.members();
    let mut row = String::with_capacity(record.json().len() / 2);
    for (number, column) in columns.iter().enumerate() {
        if number > 0 {
            row.push(SEPARATOR);
        }
        row.push_str(&column.text(last(&members, &column.name), values));
    }
    row.shrink_to_fit();
    row
}

/// Returns a row with its outcome in color.
fn colored(columns: &[Column], widths: &[usize], row: &str, line: &str) -> String {
    let place = columns.iter().position(|column| column.name == "outcome");
    let code = |place: usize| color(row.split(SEPARATOR).nth(place).filter(|_| widths[place] > 0)?);
    let Some((place, code)) = place.and_then(|place| Some((place, code(place)?))) else { return line.into() };
    let start: usize = widths[..place].iter().filter(|width| **width > 0).map(|width| width + GAP).sum();
    let at = line.char_indices().map(|(at, _)| at).find(|at| width(&line[..*at]) >= start).unwrap_or(line.len());
    let (before, rest) = line.split_at(at);
    let (outcome, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
    format!("{before}{}{after}", painted(true, outcome, code))
}

/// Returns the color of an outcome.
fn color(outcome: &str) -> Option<&'static str> {
    match outcome {
        "succeeded" => Some("32"),
        "failed" => Some("31"),
        "unknown" | "timed_out" => Some("33"),
        _ => None,
    }
}

/// Returns a row of the shown cells, cut to one line.
fn line<'c>(cells: impl Iterator<Item = &'c str>, widths: &[usize]) -> Row {
    let mut row: Row =
        cells.zip(widths).filter(|(_, width)| **width > 0).map(|(cell, _)| cell).collect::<Vec<_>>().into();
    row.max_height(1);
    row
}

/// Returns the width of each column in a terminal that is too narrow; 0 leaves a column out. The least important column
/// is cut, then left out, before the next one is touched.
fn fit(columns: &[Column], natural: &[usize], room: usize, may_leave_out: bool) -> Vec<usize> {
    let widest = |column: &Column| if column.importance > 1 { WIDEST_EMAIL } else { WIDEST };
    let bound = |(column, width): (&Column, &usize)| match column.is_fixed() {
        true => *width,
        false => (*width).min(widest(column)),
    };
    let mut widths: Vec<usize> = columns.iter().zip(natural).map(bound).collect();
    let mut order: Vec<usize> = (0..columns.len()).filter(|place| natural[*place] > 0).collect();
    order.sort_by_key(|place| (columns[*place].importance, Reverse(*place)));
    for place in &order {
        let excess = total(&widths).saturating_sub(room);
        let least = least(&columns[*place], widths[*place]);
        let can_be_left_out = may_leave_out && Some(place) != order.last();
        widths[*place] = match widths[*place].saturating_sub(excess) {
            cut if cut >= least => cut,
            _ if can_be_left_out => 0,
            _ => least,
        };
    }
    // A column that is left out may leave room for others.
    for place in order.into_iter().rev().filter(|place| widths[*place] > 0).collect::<Vec<_>>() {
        let free = room.saturating_sub(total(&widths));
        widths[place] = natural[place].min(widths[place] + free);
    }
    widths
}

impl Sink for Table {
    fn row(&mut self, record: &Record, _out: &mut String) -> Result<()> {
        match (&self.columns, self.room) {
            (Some(columns), None) => self.rows.push(row(columns, record, self.values)),
            _ => self.records.push(record.clone()),
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut String) -> Result<()> {
        self.print(out);
        Ok(())
    }

    fn break_off(&mut self, out: &mut String) -> Result<()> {
        self.finish(out)
    }

    fn remark(&self, ui: &Ui) {
        if !self.left_out.is_empty() {
            let names = self.left_out.join(", ");
            ui.note(&format!("hidden at this width: {names} (select columns with --fields, or use -o csv)"));
        }
    }
}

/// One record: one field per line with its complete value. A list of objects is a table below.
pub struct Sheet {
    /// Whether fields that are not text are left out.
    text_only: bool,
    values: Values,
    bold: bool,
    room: Option<usize>,
}

impl Sheet {
    /// Shows every field of a record, but only text of sitectl's own results, unless `--fields` selects more.
    pub fn new(content: Content, shape: &Shape) -> Self {
        Self {
            text_only: matches!(content, Content::Result) && shape.fields.is_none(),
            values: values(&shape.ui),
            bold: shape.ui.stdout_color,
            room: shape.ui.stdout_width,
        }
    }

    fn table(&self, records: Vec<Record>) -> Table {
        let (values, bold, room) = (self.values, self.bold, self.room);
        Table { records, values, bold, room, header: true, may_leave_out: true, ..Table::default() }
    }
}

impl Sink for Sheet {
    fn row(&mut self, record: &Record, out: &mut String) -> Result<()> {
        let mut table = plain();
        let mut lists = Vec::new();
        for (name, raw) in record.members() {
            match objects(raw.get()) {
                _ if self.text_only && !is_text(raw.get()) => {}
                Some(records) => lists.push((name, records)),
                None => {
                    let text = Column::new(&name).text(Some(raw), self.values);
                    table.add_row([visible(&name).into_owned(), text]);
                }
            }
        }
        pad(&mut table);
        out.extend(table.lines().flat_map(|line| [line.trim_end().to_string(), "\n".into()]));
        for (name, records) in lists {
            out.extend(["\n", &visible(&name), ":\n"]);
            self.table(records).print(out);
        }
        Ok(())
    }
}

/// Returns the items of a non-empty list of objects.
fn objects(raw: &str) -> Option<Vec<Record>> {
    let items: Vec<Box<RawValue>> = serde_json::from_str(raw).ok().filter(|_| raw.starts_with('['))?;
    let are_objects = !items.is_empty() && items.iter().all(|item| item.get().starts_with('{'));
    are_objects.then(|| items.into_iter().map(Record::new).collect())
}

/// Returns a table for stderr with the columns of the records.
pub fn preview(records: Vec<Record>, ui: &Ui) -> String {
    let mut table = Table { records, header: true, bold: ui.stderr_color, ..Table::default() };
    let mut out = String::new();
    table.print(&mut out);
    out
}

fn values(ui: &Ui) -> Values {
    if ui.stdout_terminal { Values::Local } else { Values::Sent }
}

fn plain() -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(NOTHING);
    table
}

/// Adds the gap to the right of every column.
fn pad(table: &mut comfy_table::Table) {
    for column in table.column_iter_mut() {
        column.set_padding((0, GAP as u16));
    }
}

/// Returns the least width of a column of this width.
fn least(column: &Column, natural: usize) -> usize {
    if column.is_fixed() { natural } else { natural.min(LEAST.max(width(&column.heading))) }
}

fn total(widths: &[usize]) -> usize {
    widths.iter().filter(|width| **width > 0).map(|width| width + GAP).sum::<usize>().saturating_sub(GAP)
}

/// Returns the width of a text on a terminal.
fn width(text: &str) -> usize {
    let is_ascii = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_ascii { text.len() } else { console::measure_text_width(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(names: &[&str], room: Option<usize>, may_leave_out: bool) -> (String, Vec<String>) {
        let records = [
            r#"{"id":"client-0001","name":"東京都庁舎東京都庁舎","site_ids":["site-1","site-2","site-3"],"size":1}"#,
            r#"{"id":"client-0002","name":"\u001b[31m","site_ids":[],"size":22}"#,
        ];
        let mut table = Table {
            columns: Some(names.iter().map(|name| Column::new(name)).collect()),
            records: records.map(|text| Record::whole(text.into())).into(),
            header: true,
            values: Values::Local,
            room,
            may_leave_out,
            ..Table::default()
        };
        let mut out = String::new();
        table.print(&mut out);
        (out, table.left_out)
    }

    #[test]
    fn a_table_fits_its_terminal() {
        let names = ["id", "name", "size", "site_ids"];
        let short = "\
ID           NAME                  SIZE  SITE IDS
client-0001  東京都庁舎東京都庁舎  1     site-1 +2
client-0002  \\u{1b}[31m            22
";
        assert_eq!(table(&names, Some(63), true).0, short.replace(" +2", ", site-2, site-3"));
        assert_eq!(table(&names, Some(62), true).0, short);
        let narrow = "\
ID           NAME
client-0001  東京都庁舎東京都…
client-0002  \\u{1b}[31m
";
        assert_eq!(table(&names, Some(30), true), (narrow.into(), vec!["SIZE".into(), "SITE IDS".into()]));
        let (text, left_out) = table(&names, Some(5), true);
        assert_eq!((text.as_str(), left_out.len()), ("ID\nclient-0001\nclient-0002\n", 3), "an id is never cut");
        assert!(table(&names, Some(30), false).1.is_empty());
        assert_eq!(table(&names, None, true), table(&names, Some(200), true));
    }

    #[test]
    fn emails_are_cut_last() {
        let columns = ["id", "email", "company_name"].map(Column::new);
        assert_eq!(fit(&columns, &[10, 30, 30], 60, true), [10, 30, 16]);
        assert_eq!(fit(&columns, &[10, 30, 30], 50, true), [10, 30, 0]);
    }

    #[test]
    fn batches_are_aligned() {
        let records: Vec<Record> =
            (0..BATCH + 1).map(|number| Record::whole(format!(r#"{{"id":{},"x":1}}"#, number * 1000))).collect();
        let text = preview(records, &Ui::new(crate::terminal::Wishes::default(), |_| false));
        assert_eq!(text.lines().filter(|line| line.starts_with("ID")).count(), 1);
        assert!(text.lines().skip(1).all(|line| line.len() == "500000  1".len()), "{text}");
    }
}
