//! CSV as spreadsheets and `-o csv` write it: a header in any letter case, then one row per record.
//! The delimiter is a comma, a semicolon or a tab. Rows may lack the delimiters of trailing empty
//! cells.

use super::{ColumnKind, Columns, InputRow, Parsed, RowPosition, quote_briefly};
use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The header row.
#[derive(Debug)]
pub struct Header {
    pub position: RowPosition,
    /// The names of the columns, one per cell. A heading that is no column is a name too.
    pub names: Vec<String>,
}

/// A row of the file, or its header, before its cells are matched with columns. Blank rows are left
/// out.
struct CsvRow {
    position: RowPosition,
    cells: Vec<String>,
    /// A problem with the quotes, because of which the cells are wrong.
    problem: Option<&'static str>,
}

/// Reads all rows.
///
/// # Errors
/// If the columns cannot be recognized.
pub fn parse(text: &str, columns: &Columns) -> Result<Parsed, String> {
    // Old spreadsheets end lines with `\r`.
    let mut text: Cow<'_, str> = if text.contains('\n') {
        text.into()
    } else {
        text.replace('\r', "\n").into()
    };
    let stated_delimiter = stated_delimiter(&text);
    if stated_delimiter.is_some() {
        // The line stays, so that the other lines keep their numbers.
        text.to_mut().replace_range(.."sep=;".len(), "");
    }
    let delimiter = stated_delimiter
        .unwrap_or_else(|| detect_delimiter(first_data_line(&text, columns), columns));
    let hidden_lines = usize::from(stated_delimiter.is_some());
    let mut rows = read_csv_rows(&text, delimiter, hidden_lines);
    if columns.list.is_some() {
        let is_data = |row: &CsvRow| !is_comment(&row.cells[0]);
        rows.drain(..rows.iter().position(is_data).unwrap_or(rows.len()));
    }
    let Some(first_row) = rows.first() else {
        return Ok(Parsed::default());
    };
    let position = first_row.position;
    if let Some(problem) = first_row.problem {
        return Err(format!("{position}: {problem}"));
    }
    let list_column = list_column(&first_row.cells, columns);
    let names = match list_column {
        Some(_) if first_row.cells[0].trim().contains("  ") => {
            return Err("this is a table for people; print the list with -o csv or -o ids".into());
        }
        Some(column) => vec![column.into()],
        None => column_names(&rows.remove(0).cells, columns)?,
    };
    if list_column.is_some() {
        rows.retain(|row| !is_comment(&row.cells[0]));
    }
    let mut parsed = Parsed {
        is_list: list_column.is_some(),
        ..Parsed::default()
    };
    for (index, name) in names.iter().enumerate() {
        if !name.is_empty() && names[..index].contains(name) {
            parsed.add_problem(position, name, "duplicate_field", "Is in the header twice");
        }
    }
    // Spreadsheets that leave out the last line end write all cells.
    let last = rows
        .last()
        .filter(|_| columns.list.is_none() && !text.ends_with('\n'));
    if let Some(row) = last.filter(|row| row.cells.len() < names.len()) {
        let message = "Has fewer cells than the header, and no line end: the file was cut";
        parsed.add_problem(row.position, "", "invalid_row", message);
    }
    for row in rows {
        parsed.add_csv_row(row, &names, columns);
    }
    parsed.csv_header = Some(Header { position, names });
    Ok(parsed)
}

/// Returns the first line that is neither blank nor a comment.
fn first_data_line<'t>(text: &'t str, columns: &Columns) -> &'t str {
    let is_skipped = |line: &&str| line.is_empty() || columns.list.is_some() && is_comment(line);
    let mut lines = text.lines().map(str::trim_start);
    lines.find(|line| !is_skipped(line)).unwrap_or_default()
}

/// Whether a line, or its first cell, is a comment of a plain list.
fn is_comment(cell: &str) -> bool {
    cell.trim().starts_with('#') && !is_error_value(cell)
}

/// Whether a text is an error value of a spreadsheet, such as `#N/A`, `#REF!` or `Err:502`.
pub fn is_error_value(text: &str) -> bool {
    let text = text.trim();
    let Some(name) = text.strip_prefix('#') else {
        let number = text.strip_prefix("Err:").unwrap_or_default();
        return !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    };
    let is_name = |name: &str| name.chars().all(|c| c.is_uppercase() || "/0¡".contains(c));
    matches!(name, "N/A" | "NV") || name.strip_suffix(['!', '?']).is_some_and(is_name)
}

/// Reads all rows. `hidden_lines` is the number of lines that a spreadsheet does not show as rows.
fn read_csv_rows(text: &str, delimiter: u8, mut hidden_lines: usize) -> Vec<CsvRow> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    let mut rows = Vec::new();
    loop {
        let start = byte_offset(&reader);
        // The reader's position is before the blank lines that it skips.
        let line = reader.position().line() as usize;
        // The text is UTF-8 and rows may have any length: reading cannot fail.
        if !reader.read_record(&mut record).unwrap_or(false) {
            return rows;
        }
        let raw = &text[start..byte_offset(&reader)];
        let row = raw.trim_start_matches(['\r', '\n']);
        let line = line + raw[..raw.len() - row.len()].matches('\n').count();
        let row = row.trim_end_matches(['\r', '\n']);
        let number = line - hidden_lines;
        hidden_lines += row.matches('\n').count();
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        rows.push(CsvRow {
            position: RowPosition::LineAndRow(line, number),
            cells: record.iter().map(str::to_string).collect(),
            problem: quoting_problem(row, delimiter),
        });
    }
}

fn byte_offset(reader: &csv::Reader<&[u8]>) -> usize {
    usize::try_from(reader.position().byte()).unwrap_or(usize::MAX)
}

impl Parsed {
    /// Adds a row whose columns have these names, or a problem if the cells do not match them.
    fn add_csv_row(&mut self, row: CsvRow, names: &[String], columns: &Columns) {
        let mut input_row = InputRow {
            position: row.position,
            fields: Map::new(),
        };
        if let Some(message) = row.problem {
            return self.add_problem(row.position, "", "invalid_syntax", message);
        }
        let mut invalid_cells = Vec::new();
        let mut unnamed_cells = Vec::new();
        for ((name, cell), number) in names.iter().zip(&row.cells).zip(1..) {
            if name.is_empty() {
                if !cell.trim().is_empty() {
                    let value = quote_briefly(cell);
                    unnamed_cells.push(format!("Cell {number} has {value}, but no heading"));
                }
                continue;
            }
            let kind = columns.kind(name).unwrap_or(ColumnKind::Text);
            match cell_value(cell, kind) {
                Ok(Value::Null) => {}
                Ok(value) => {
                    input_row.fields.insert(name.clone(), value);
                }
                Err(message) => invalid_cells.push((name, message)),
            }
        }
        // Missing trailing cells are empty, and so may be cells beyond the header.
        let expected = names.len();
        let mut more = row.cells.iter().skip(expected);
        if more.any(|cell| !cell.trim().is_empty()) {
            let count = row.cells.len();
            let message = format!(
                "Has {count} cells, but the header has {expected}; put a value that contains the \
                 delimiter in quotes"
            );
            self.add_problem(row.position, "", "invalid_row", message);
            self.rejected.push(input_row);
            return;
        }
        for (name, message) in invalid_cells {
            self.add_problem(row.position, name, "invalid_type", message);
        }
        for message in unnamed_cells {
            self.add_problem(row.position, "", "unknown_field", message);
        }
        self.rows.push(input_row);
    }
}

/// Returns the delimiter in a first line such as `sep=;`, which spreadsheets write.
fn stated_delimiter(text: &str) -> Option<u8> {
    let line = text.lines().next()?;
    let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] = line.as_bytes() else {
        return None;
    };
    matches!(delimiter, b';' | b',' | b'\t').then_some(*delimiter)
}

/// Returns the delimiter with which the header has the most allowed columns.
fn detect_delimiter(header: &str, columns: &Columns) -> u8 {
    let count_allowed_columns = |delimiter: &u8| {
        let cells = header.split(char::from(*delimiter));
        cells.filter_map(|cell| find_column(cell, columns)).count()
    };
    // Of equal delimiters, `max_by_key` returns the last: the comma, if no column is allowed.
    [b'\t', b';', b',']
        .into_iter()
        .max_by_key(count_allowed_columns)
        .unwrap_or(b',')
}

/// Returns the allowed column that a heading names, in any letter case, and with or without blanks,
/// hyphens and underscores.
fn find_column(heading: &str, columns: &Columns) -> Option<&'static str> {
    let heading = heading_letters(heading);
    let mut names = columns
        .names()
        .into_iter()
        .chain(columns.ignored.iter().copied());
    names.find(|name| heading_letters(name) == heading)
}

/// Returns a heading in lower case, without blanks, hyphens and underscores.
pub fn heading_letters(heading: &str) -> String {
    let mut letters = heading.to_lowercase();
    letters.retain(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '"'));
    letters
}

/// Returns the column of a file without a header, which has one value per line. None if the first
/// line is a header, or such files are not allowed.
fn list_column(cells: &[String], columns: &Columns) -> Option<&'static str> {
    columns
        .list
        .filter(|_| cells.len() == 1 && find_column(&cells[0], columns).is_none())
}

/// Returns the names of the columns.
///
/// # Errors
/// If no heading is an allowed column.
fn column_names(cells: &[String], columns: &Columns) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut has_column = false;
    for cell in cells {
        let column = find_column(cell, columns);
        has_column |= column.is_some();
        // A heading that is no column is reported as it is.
        names.push(column.unwrap_or(cell.trim()).into());
    }
    if has_column {
        Ok(names)
    } else {
        let allowed = columns.names().join(", ");
        let read: Vec<String> = cells.iter().map(|cell| quote_briefly(cell)).collect();
        let read = read.join(", ");
        Err(format!(
            "the first line must name the columns; it has {read}; allowed: {allowed}"
        ))
    }
}

/// Returns the value of a cell; null if the cell is absent. `[]` is an empty list.
fn cell_value(cell: &str, kind: ColumnKind) -> Result<Value, String> {
    match kind {
        _ if cell.is_empty() => Ok(Value::Null),
        _ if cell.trim_start().starts_with('[') && kind != ColumnKind::Text => {
            serde_json::from_str(cell).map_err(|_| {
                let quoted = quote_briefly(cell);
                format!("Must be a list separated by semicolons, or a JSON array, not {quoted}")
            })
        }
        _ if cell.trim().is_empty() => Ok(Value::Null),
        ColumnKind::Text => Ok(cell.into()),
        ColumnKind::List => {
            let items = cell.split(';').map(str::trim);
            let items: Vec<&str> = items.filter(|item| !item.is_empty()).collect();
            if items.is_empty() {
                Err("Has only separators; leave the cell empty, or use [] to clear the list".into())
            } else {
                Ok(items.into())
            }
        }
    }
}

/// Returns a problem with the quotes in a row, which the parser would accept and read as another
/// value.
fn quoting_problem(row: &str, delimiter: u8) -> Option<&'static str> {
    let mut bytes = row.bytes().peekable();
    loop {
        // Each turn of this loop reads one cell.
        if bytes.next_if_eq(&b'"').is_some() {
            loop {
                match bytes.next() {
                    None => return Some("Has a quote that is never closed"),
                    // Two quotes are a quote inside the value.
                    Some(b'"') if bytes.next_if_eq(&b'"').is_none() => break,
                    Some(_) => {}
                }
            }
            if bytes.peek().is_some_and(|byte| *byte != delimiter) {
                return Some(
                    "Has text after a closing quote; write a quote inside a quoted value twice",
                );
            }
        }
        bytes.find(|byte| *byte == delimiter)?;
    }
}
