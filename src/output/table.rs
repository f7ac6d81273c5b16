//! Tables for people, drawn by comfy-table: aligned columns under headings. In a pipe nothing is cut.

use super::columns::{Column, Values, is_text, of_records};
use super::options::OutputOptions;
use super::sink::{Content, Sink};
use crate::error::Result;
use crate::resources::Record;
use crate::terminal::{Ui, painted, visible};
use comfy_table::ColumnConstraint::Absolute;
use comfy_table::presets::NOTHING;
use comfy_table::{Row, Width};
use serde_json::value::RawValue;
use std::cmp::Reverse;

/// The space between columns: the padding of comfy-table, one space on either side.
const GAP: usize = 2;
/// The least width that a column of text is cut to.
const LEAST: usize = 10;
/// The width that is enough for a column of text if the table is too wide.
const WIDEST: usize = 24;
/// The same for emails and states, because a part of them is useless.
const WIDEST_EMAIL: usize = 36;
/// The rows that are drawn at a time, because a large table takes more time and memory than several small ones.
const BATCH: usize = 500;
/// The colors of the outcomes of restores.
const OUTCOMES: [(&str, &str); 4] = [
    ("succeeded", "32"),
    ("failed", "31"),
    ("unknown", "33"),
    ("timed_out", "33"),
];

/// A list. Its records are kept until the end, because all of them determine the widths of the columns.
#[derive(Default)]
pub struct Table {
    /// None if the records determine the columns.
    columns: Option<Vec<Column>>,
    records: Vec<Record>,
    header: bool,
    bold: bool,
    values: Values,
    /// The width of the terminal.
    room: Option<usize>,
    /// Whether empty columns are hidden, also if the table fits.
    hides_empty: bool,
    /// Whether columns that don't fit may be left out.
    may_leave_out: bool,
    left_out: Vec<String>,
}

impl Table {
    /// Selects the columns: those of `--fields`, else of the resource, else of the records.
    pub fn new(content: Content, options: &OutputOptions) -> Self {
        let resource = content.resource();
        let field = |name: &String| resource.and_then(|resource| resource.field(name));
        let chosen = |name| field(name).map_or_else(|| Column::new(name), Column::declared);
        let chosen = options
            .fields
            .as_ref()
            .map(|names| names.iter().map(chosen).collect());
        Self {
            columns: chosen.or_else(|| resource.map(Column::all)),
            header: !options.no_header,
            bold: options.ui.stdout_color,
            values: if options.ui.stdout_terminal {
                Values::Local
            } else {
                Values::Sent
            },
            room: options.ui.stdout_width,
            hides_empty: options.fields.is_none()
                && resource.is_some_and(|resource| !resource.column_order.is_empty()),
            may_leave_out: options.fields.is_none(),
            ..Self::default()
        }
    }

    fn print(&mut self, out: &mut String) {
        let mut columns = self
            .columns
            .take()
            .unwrap_or_else(|| of_records(&self.records));
        let mut values = self.values;
        self.measure(&mut columns, values, self.hides_empty);
        if let Some(room) = self.room.filter(|room| total(&columns) > *room) {
            values = Values::Short;
            self.measure(&mut columns, values, self.hides_empty || self.may_leave_out);
            fit(&mut columns, room, self.may_leave_out);
            let left_out = columns.extract_if(.., |column| column.width == 0);
            self.left_out = left_out.map(|column| column.heading).collect();
        }
        for (number, batch) in self.records.chunks(BATCH).enumerate() {
            self.draw(&columns, values, batch, self.header && number == 0, out);
        }
    }

    /// Sets the widths with which nothing is cut.
    fn measure(&self, columns: &mut Vec<Column>, values: Values, hides_empty: bool) {
        columns.iter_mut().for_each(|column| column.width = 0);
        for record in &self.records {
            let members = record.members();
            for column in columns.iter_mut() {
                column.width = column.width.max(width(&column.cell(&members, values)));
            }
        }
        columns.retain(|column| column.width > 0 || !hides_empty);
        for column in columns {
            let heading = if self.header {
                width(&column.heading)
            } else {
                1
            };
            column.width = column.width.max(heading);
        }
    }

    fn draw(
        &self,
        columns: &[Column],
        values: Values,
        records: &[Record],
        header: bool,
        out: &mut String,
    ) {
        let mut table = plain();
        if header {
            table.set_header(one_line(
                columns.iter().map(|column| column.heading.clone()),
            ));
        }
        table.add_rows(records.iter().map(|record| {
            let members = record.members();
            one_line(columns.iter().map(|column| column.cell(&members, values)))
        }));
        let fixed = |column: &Column| {
            Absolute(Width::Fixed(
                u16::try_from(column.width + GAP).unwrap_or(u16::MAX),
            ))
        };
        table.set_constraints(columns.iter().map(fixed));
        let has_outcome = columns.iter().any(|column| column.name == "outcome");
        for (number, line) in lines(&table).enumerate() {
            match (self.bold, header && number == 0) {
                (true, true) => out.push_str(&painted(true, &line, "1")),
                (true, false) if has_outcome => out.push_str(&colored(&line)),
                _ => out.push_str(&line),
            }
            out.push('\n');
        }
    }
}

/// Returns a row that is cut to one line.
fn one_line(cells: impl Iterator<Item = String>) -> Row {
    let mut row: Row = cells.collect::<Vec<_>>().into();
    row.max_height(1);
    row
}

/// Returns a row with its outcome in color: the first word that can be one, because only the time and the site are
/// before it.
fn colored(line: &str) -> String {
    let found = |(word, code)| Some((line.find(&format!("  {word}"))? + GAP, word, code));
    match OUTCOMES.into_iter().filter_map(found).min() {
        Some((at, word, code)) => format!(
            "{}{}{}",
            &line[..at],
            painted(true, word, code),
            &line[at + word.len()..]
        ),
        None => line.into(),
    }
}

/// Sets the widths of columns in a terminal that is too narrow; 0 leaves a column out. The least important column is cut,
/// then left out, before the next one is touched.
fn fit(columns: &mut [Column], room: usize, may_leave_out: bool) {
    let natural: Vec<usize> = columns.iter().map(|column| column.width).collect();
    for column in columns.iter_mut().filter(|column| !column.is_fixed()) {
        column.width = column.width.min(if column.importance > 1 {
            WIDEST_EMAIL
        } else {
            WIDEST
        });
    }
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|place| (columns[*place].importance, Reverse(*place)));
    let least = |column: &Column| match column.is_fixed() {
        true => column.width,
        false => column.width.min(LEAST.max(width(&column.heading))),
    };
    for place in &order {
        let excess = total(columns).saturating_sub(room);
        let column = &mut columns[*place];
        let can_be_left_out = may_leave_out && Some(place) != order.last();
        column.width = match column.width.saturating_sub(excess) {
            cut if cut >= least(column) => cut,
            _ if can_be_left_out => 0,
            _ => least(column),
        };
    }
    // A column that is left out may leave room for others.
    for place in order
        .into_iter()
        .rev()
        .filter(|place| columns[*place].width > 0)
        .collect::<Vec<_>>()
    {
        let free = room.saturating_sub(total(columns));
        columns[place].width = natural[place].min(columns[place].width + free);
    }
}

impl Sink for Table {
    fn row(&mut self, record: &Record, _out: &mut String) -> Result<()> {
        self.records.push(record.clone());
        Ok(())
    }

    fn end(&mut self, _is_complete: bool, out: &mut String) -> Result<()> {
        self.print(out);
        Ok(())
    }

    fn remark(&self, ui: &Ui) {
        if !self.left_out.is_empty() {
            let names = self.left_out.join(", ");
            ui.note(&format!(
                "hidden at this width: {names} (select columns with --fields, or use -o csv)"
            ));
        }
    }
}

/// One record: one field per line with its complete value. A list of objects is a table below.
pub struct Sheet {
    /// Whether fields that are not text are left out.
    text_only: bool,
    /// Prints the lists.
    table: Table,
}

impl Sheet {
    /// Shows every field of a record, but only text of sitectl's own results, unless `--fields` selects more.
    pub fn new(content: Content, options: &OutputOptions) -> Self {
        let text_only = matches!(content, Content::Result) && options.fields.is_none();
        Self {
            text_only,
            table: Table {
                columns: None,
                ..Table::new(content, options)
            },
        }
    }
}

impl Sink for Sheet {
    fn row(&mut self, record: &Record, out: &mut String) -> Result<()> {
        let mut fields = plain();
        let mut lists = Vec::new();
        let members = record.members();
        for (name, raw) in &members {
            match objects(raw.get()) {
                _ if self.text_only && !is_text(raw.get()) => {}
                Some(records) => lists.push((name, records)),
                None => {
                    let text = Column::new(name).cell(&members, self.table.values);
                    fields.add_row([visible(name).into_owned(), text]);
                }
            }
        }
        out.extend(lines(&fields).map(|line| line + "\n"));
        for (name, records) in lists {
            out.extend(["\n", &visible(name), ":\n"]);
            self.table.records = records;
            self.table.print(out);
        }
        Ok(())
    }
}

/// Returns the items of a non-empty list of objects.
fn objects(raw: &str) -> Option<Vec<Record>> {
    let items: Vec<Box<RawValue>> = serde_json::from_str(raw)
        .ok()
        .filter(|_| raw.starts_with('['))?;
    let are_objects = !items.is_empty() && items.iter().all(|item| item.get().starts_with('{'));
    are_objects.then(|| items.into_iter().map(Record::new).collect())
}

/// Returns a table for stderr with the columns of the records.
pub fn preview(records: Vec<Record>, ui: &Ui) -> String {
    let mut table = Table {
        records,
        header: true,
        bold: ui.stderr_color,
        ..Table::default()
    };
    let mut out = String::new();
    table.print(&mut out);
    out
}

fn plain() -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(NOTHING);
    table
}

/// Returns the lines without the padding at both ends.
fn lines(table: &comfy_table::Table) -> impl Iterator<Item = String> {
    table.lines().map(|line| {
        line.strip_prefix(' ')
            .unwrap_or(&line)
            .trim_end()
            .to_string()
    })
}

fn total(columns: &[Column]) -> usize {
    let shown = columns.iter().filter(|column| column.width > 0);
    shown
        .map(|column| column.width + GAP)
        .sum::<usize>()
        .saturating_sub(GAP)
}

/// Returns the width of a text on a terminal.
fn width(text: &str) -> usize {
    let is_ascii = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_ascii {
        text.len()
    } else {
        console::measure_text_width(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Flags};

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
        assert_eq!(
            table(&names, Some(63), true).0,
            short.replace(" +2", ", site-2, site-3")
        );
        assert_eq!(table(&names, Some(62), true).0, short);
        let narrow = "\
ID           NAME
client-0001  東京都庁舎東京都…
client-0002  \\u{1b}[31m
";
        assert_eq!(
            table(&names, Some(30), true),
            (narrow.into(), vec!["SIZE".into(), "SITE IDS".into()])
        );
        let (text, left_out) = table(&names, Some(5), true);
        assert_eq!(
            (text.as_str(), left_out.len()),
            ("ID\nclient-0001\nclient-0002\n", 3),
            "an id is never cut"
        );
        assert!(table(&names, Some(30), false).1.is_empty());
        assert_eq!(table(&names, None, true), table(&names, Some(200), true));
    }

    #[test]
    fn emails_are_cut_last() {
        let fitted = |room| {
            let mut columns = ["id", "email", "company_name"].map(Column::new);
            columns
                .iter_mut()
                .zip([10, 30, 30])
                .for_each(|(column, width)| column.width = width);
            fit(&mut columns, room, true);
            columns.map(|column| column.width)
        };
        assert_eq!((fitted(60), fitted(50)), ([10, 30, 16], [10, 30, 0]));
    }

    #[test]
    fn batches_are_aligned() {
        let records: Vec<Record> = (0..BATCH + 1)
            .map(|number| Record::whole(format!(r#"{{"id":{},"x":1}}"#, number * 1000)))
            .collect();
        let text = preview(
            records,
            &Ui::new(&Flags::default(), &Environment::default()),
        );
        assert_eq!(
            text.lines().filter(|line| line.starts_with("ID")).count(),
            1
        );
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.len() == "500000  1".len()),
            "{text}"
        );
    }
}
