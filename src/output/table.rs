//! Tables for people: aligned columns under headings. In a pipe nothing is cut.

use super::columns::{Column, ValueStyle, choose_columns, columns_of_records, is_text};
use super::fields::Selection;
use super::json::parse_items;
use super::options::{Audience, Output};
use super::sink::{OutputText, PrintedKind, Sink};
use crate::error::Result;
use crate::resources::{Record, Table, members};
use crate::terminal::{GAP, Ui, align_rows, painted, visible};
use console::{measure_text_width, truncate_str};
use serde::Serialize;
use std::cmp::Reverse;

/// A column of text is not cut to less than this width or the width of its heading.
const MIN_TEXT_WIDTH: usize = 8;
/// The width to which columns of text are cut first if the table is too wide.
const ENOUGH_WIDTH: usize = 24;
/// The same width for emails and states, because a part of them is useless.
const ENOUGH_WIDTH_IF_IMPORTANT: usize = 36;
/// The rows that are drawn at a time, because a large table takes more time and memory than several
/// small ones.
const BATCH: usize = 500;

/// A list. Its records are held until the end, because all of them determine the widths of the
/// columns.
#[derive(Default)]
pub struct AlignedTable {
    /// None if the records determine the columns.
    columns: Option<Vec<Column>>,
    records: Vec<Record>,
    has_header: bool,
    has_color: bool,
    value_style: ValueStyle,
    terminal_width: Option<usize>,
    /// Whether empty columns, and columns that don't fit, may be left out: not those that `--fields`
    /// selects.
    may_leave_out: bool,
    /// The fields whose columns were left out of the last printed table.
    left_out: Vec<String>,
}

impl AlignedTable {
    pub fn new(content: PrintedKind, options: &Output) -> Self {
        Self {
            columns: choose_columns(content, options),
            has_header: !options.no_header,
            has_color: options.ui.stdout_color,
            value_style: ValueStyle::on(options.ui.stdout_terminal),
            terminal_width: options.ui.stdout_width,
            may_leave_out: options.fields.is_none(),
            ..Self::default()
        }
    }

    /// Prints the records. `RecordSheet` calls this several times, with `columns` None.
    fn print(&mut self, out: &mut OutputText) -> Result<()> {
        let (columns, style) = self.fitting_columns();
        for line in self.lines(&columns, style) {
            out.push_str(&line);
            out.write_if_long()?;
        }
        Ok(())
    }

    /// Returns the table, and the fields whose columns were left out.
    fn into_text(mut self) -> (String, Vec<String>) {
        let (columns, style) = self.fitting_columns();
        let text = self.lines(&columns, style).collect();
        (text, self.left_out)
    }

    /// Returns the columns that fit, and how their values are written.
    fn fitting_columns(&mut self) -> (Vec<Column>, ValueStyle) {
        let mut columns = match self.columns.take() {
            Some(columns) => columns,
            None => columns_of_records(&self.records, Audience::People),
        };
        let mut style = self.value_style;
        self.set_full_widths(&mut columns, style, self.may_leave_out);
        if let Some(width) = self.terminal_width
            && total_width(&columns) > width
        {
            style = ValueStyle::Shortened;
            self.set_full_widths(&mut columns, style, self.may_leave_out);
            fit_columns(&mut columns, width, self.may_leave_out);
            let left_out = columns.extract_if(.., |column| column.width == 0);
            self.left_out = left_out.map(|column| column.name).collect();
        }
        (columns, style)
    }

    /// Draws the lines of the table, a part at a time.
    fn lines(&self, columns: &[Column], style: ValueStyle) -> impl Iterator<Item = String> {
        let widths: Vec<usize> = columns.iter().map(|column| column.width).collect();
        let has_header = self.has_header && !self.records.is_empty();
        let header = has_header.then(|| {
            let headings = columns.iter().map(|column| column.heading.clone());
            let line = align_rows(vec![headings.collect()], Some(&widths)).concat();
            painted(self.has_color, &line, "1") + "\n"
        });
        let rows = self.records.chunks(BATCH).flat_map(move |batch| {
            let cells = batch.iter().map(|record| {
                let members = record.members();
                let cells = columns.iter();
                let cells = cells.map(|column| column.cell_text(&members, style));
                cells.collect::<Vec<String>>()
            });
            let cells: Vec<Vec<String>> = cells.collect();
            let mut lines = align_rows(cells.clone(), Some(&widths));
            for (line, cells) in lines.iter_mut().zip(&cells).filter(|_| self.has_color) {
                paint_cells(line, columns, cells);
            }
            lines.into_iter().map(|line| line + "\n")
        });
        header.into_iter().chain(rows)
    }

    /// Sets the widths with which nothing is cut, and removes empty columns if `hides_empty`.
    fn set_full_widths(&self, columns: &mut Vec<Column>, style: ValueStyle, hides_empty: bool) {
        for column in columns.iter_mut() {
            column.width = 0;
        }
        for record in &self.records {
            let members = record.members();
            for column in columns.iter_mut() {
                let width = measure_text_width(&column.cell_text(&members, style));
                column.width = column.width.max(width);
            }
        }
        columns.retain(|column| column.width > 0 || !hides_empty);
        for column in columns {
            let heading_width = if self.has_header {
                measure_text_width(&column.heading)
            } else {
                1
            };
            column.width = column.width.max(heading_width);
        }
    }
}

/// Paints the cells of a line that have a color, the last one first.
fn paint_cells(line: &mut String, columns: &[Column], cells: &[String]) {
    for (index, text) in cells.iter().enumerate().rev() {
        if let Some(color) = columns[index].color(text) {
            let before = columns[..index].iter().map(|column| column.width + GAP);
            let start = truncate_str(line, before.sum(), "").len();
            line.replace_range(start..start + text.len(), &painted(true, text, color));
        }
    }
}

/// Reduces the widths of columns to a terminal that is too narrow. At first, all text is cut to a
/// width that is enough. Then the least important column is cut, and left out (width 0) if that is
/// allowed, before the next one is touched.
fn fit_columns(columns: &mut [Column], terminal_width: usize, may_leave_out: bool) {
    let full_widths: Vec<usize> = columns.iter().map(|column| column.width).collect();
    for column in columns.iter_mut() {
        if column.is_never_cut() {
            continue;
        }
        let enough_width = if column.is_important() {
            ENOUGH_WIDTH_IF_IMPORTANT
        } else {
            ENOUGH_WIDTH
        };
        column.width = column.width.min(enough_width);
    }
    let mut least_important_first: Vec<usize> = (0..columns.len()).collect();
    least_important_first.sort_by_key(|index| (columns[*index].importance, Reverse(*index)));
    for index in &least_important_first {
        let excess = total_width(columns).saturating_sub(terminal_width);
        let column = &mut columns[*index];
        let min_width = cut_width(column);
        let is_most_important = Some(index) == least_important_first.last();
        column.width = column.width.saturating_sub(excess);
        if column.width < min_width {
            let is_left_out = may_leave_out && !is_most_important;
            column.width = if is_left_out { 0 } else { min_width };
        }
    }
    // A column that was left out may free more space than needed: the others get it back, the most
    // important one first.
    for index in least_important_first.into_iter().rev() {
        let free = terminal_width.saturating_sub(total_width(columns));
        let column = &mut columns[index];
        if column.width > 0 {
            column.width = full_widths[index].min(column.width + free);
        }
    }
}

/// Returns the smallest width to which a column may be cut.
fn cut_width(column: &Column) -> usize {
    if column.is_never_cut() {
        return column.width;
    }
    let heading_width = measure_text_width(&column.heading);
    column.width.min(MIN_TEXT_WIDTH.max(heading_width))
}

impl Sink for AlignedTable {
    fn add(&mut self, record: &Record, _out: &mut OutputText) -> Result<()> {
        self.records.push(record.clone());
        Ok(())
    }

    fn end(&mut self, out: &mut OutputText) -> Result<()> {
        self.print(out)
    }

    fn end_incomplete(&mut self, out: &mut OutputText) -> Result<()> {
        self.end(out)
    }

    fn report_hidden(&self, ui: &Ui) {
        if !self.left_out.is_empty() {
            let names = self.left_out.join(",");
            ui.note(&format!(
                "hidden at this width: {names} (select columns with --fields, or use -o csv)"
            ));
        }
    }
}

/// One record: one field per line with its complete value, and below them a table for each list of
/// objects.
pub struct RecordSheet {
    /// Whether fields that can only be shown as JSON or a table are left out.
    shows_only_text: bool,
    /// Whether fields without a value are shown, as `--fields` selects them.
    shows_empty: bool,
    /// Prints each list of objects.
    table: AlignedTable,
}

impl RecordSheet {
    /// Shows every field of a record of the service. Of sitectl's own result, only text is shown,
    /// unless `--fields` selects fields.
    pub fn new(content: PrintedKind, options: &Output) -> Self {
        Self {
            shows_only_text: matches!(content, PrintedKind::OwnResult) && options.fields.is_none(),
            shows_empty: options.fields.is_some(),
            table: AlignedTable {
                // `--fields` selects fields of the record, not of the objects in its lists.
                columns: None,
                ..AlignedTable::new(content, options)
            },
        }
    }

    /// Adds the fields of an object, and those of its objects under names such as `client.name`.
    /// Lists of objects are collected in `lists`.
    fn add_fields(
        &self,
        prefix: &str,
        object: &str,
        fields: &mut Vec<Vec<String>>,
        lists: &mut Vec<(String, Vec<Record>)>,
    ) {
        let members = members(object).unwrap_or_default();
        for (name, raw) in &members {
            let path = format!("{prefix}{name}");
            let raw = raw.get();
            if self.shows_only_text && !is_text(raw) {
                continue;
            }
            if let Some(records) = list_of_objects(raw) {
                let nested = records.iter().flat_map(|record| lists_in(&path, record));
                let nested: Vec<_> = nested.collect();
                lists.push((path, records));
                lists.extend(nested);
            } else if raw.starts_with('{') {
                self.add_fields(&format!("{path}."), raw, fields, lists);
            } else {
                let text = Column::undeclared(name).cell_text(&members, self.table.value_style);
                if self.shows_empty || !text.is_empty() {
                    fields.push(vec![visible(&path).into_owned(), text]);
                }
            }
        }
    }
}

impl Sink for RecordSheet {
    fn add(&mut self, record: &Record, out: &mut OutputText) -> Result<()> {
        let mut fields = Vec::new();
        let mut lists = Vec::new();
        self.add_fields("", record.json(), &mut fields, &mut lists);
        for line in align_rows(fields, None) {
            out.extend([&line, "\n"]);
        }
        for (name, records) in lists {
            out.extend(["\n", &visible(&name), ":\n"]);
            self.table.records = records;
            self.table.print(out)?;
        }
        Ok(())
    }

    fn end(&mut self, _out: &mut OutputText) -> Result<()> {
        Ok(())
    }

    fn end_incomplete(&mut self, _out: &mut OutputText) -> Result<()> {
        Ok(())
    }
}

/// Returns the lists of objects in an item of a list, such as the steps of the sites of a task.
fn lists_in(path: &str, item: &Record) -> Vec<(String, Vec<Record>)> {
    let members = item.members();
    let lists = members.iter().filter_map(|(name, raw)| {
        let records = list_of_objects(raw.get())?;
        Some((format!("{path}.{name}"), records))
    });
    lists.collect()
}

/// Returns the items if the value is a list of at least one item, and all items are objects.
fn list_of_objects(raw: &str) -> Option<Vec<Record>> {
    let items = parse_items(raw).ok()?;
    let are_objects = !items.is_empty() && items.iter().all(|item| item.json().starts_with('{'));
    are_objects.then_some(items)
}

/// Returns rows in the columns of a table, for stderr.
pub fn table_for_stderr(table: &'static Table, rows: &impl Serialize, ui: &Ui) -> Result<String> {
    let mut selection = Selection::of_table(table);
    let rows = parse_items(&serde_json::to_string(rows)?)?;
    let table = AlignedTable {
        columns: Some(Column::of_table(table)),
        records: rows.iter().map(|row| selection.reduce(row)).collect(),
        has_header: true,
        has_color: ui.stderr_color,
        value_style: ValueStyle::on(ui.stderr_terminal),
        terminal_width: ui.stderr_width,
        may_leave_out: true,
        ..AlignedTable::default()
    };
    Ok(table.into_text().0)
}

/// Returns the width of a table with these columns, except those that are left out (width 0).
fn total_width(columns: &[Column]) -> usize {
    let mut with_gaps: usize = 0;
    for column in columns {
        if column.width > 0 {
            with_gaps += column.width + GAP;
        }
    }
    with_gaps.saturating_sub(GAP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Flags};
    use crate::resources::RESTORES;

    fn table(
        names: &[&str],
        terminal_width: Option<usize>,
        may_leave_out: bool,
    ) -> (String, Vec<String>) {
        let records = [
            r#"{"id":"client-0001","name":"東京都庁舎東京都庁舎","site_ids":["site-1","site-2","site-3"],"size":1}"#,
            r#"{"id":"client-0002","name":"\u001b[31m","site_ids":[],"size":22}"#,
        ];
        let table = AlignedTable {
            columns: Some(names.iter().map(|name| Column::undeclared(name)).collect()),
            records: records.map(|text| Record::from_json(text.into())).into(),
            has_header: true,
            value_style: ValueStyle::Readable,
            terminal_width,
            may_leave_out,
            ..AlignedTable::default()
        };
        table.into_text()
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
            (narrow.into(), vec!["size".into(), "site_ids".into()])
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
    fn a_table_on_stderr_fits_its_terminal() {
        let rows = [
            serde_json::json!({"site_id": "s1", "url": "a.example", "snapshot_id": "snap-1", "age": "2d"}),
            serde_json::json!({"site_id": "s2", "url": "b.example"}),
        ];
        let mut ui = Ui::new(&Flags::default(), &Environment::default());
        ui.stderr_width = Some("SITE       AGE  SNAPSHO".len());
        let text = table_for_stderr(&RESTORES, &rows, &ui).unwrap_or_default();
        assert_eq!(text, "SITE       AGE\na.example  2d\nb.example\n");
    }
}
