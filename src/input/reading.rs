//! What a format's reader fills in while it goes through a file.

use super::document::{Cell, Row};
use super::place::{Cursor, Place, locate};
use super::{Columns, InputFormat};
use crate::error::Detail;
use crate::query::did_you_mean;
use serde_json::Value;
use std::collections::HashSet;
use std::ops::Range;

/// Where a document came from.
#[derive(Debug)]
pub struct Source {
    /// Without the byte order mark.
    pub text: String,
    /// Whether there was one.
    pub marked: bool,
    /// How it was read.
    pub format: InputFormat,
    /// The line that names the columns.
    pub header: Range<usize>,
}

/// A file that is being read.
pub struct Reading<'t> {
    name: &'t str,
    /// The whole file.
    pub text: &'t str,
    /// What it may hold.
    pub columns: &'t Columns,
    /// Finds places.
    pub cursor: Cursor<'t>,
    /// What was read.
    pub rows: Vec<Row>,
    /// What could not be.
    pub problems: Vec<Detail>,
    /// The columns that are not known, where these are read too.
    pub unknown: Vec<Detail>,
    /// The line that names the columns.
    pub header: Range<usize>,
    /// The unknown names so far.
    strange: HashSet<String>,
}

impl<'t> Reading<'t> {
    /// Nothing has been read.
    pub fn new(name: &'t str, text: &'t str, columns: &'t Columns) -> Self {
        let cursor = Cursor::new(text);
        let (rows, problems, unknown, strange) = (Vec::new(), Vec::new(), Vec::new(), HashSet::new());
        Self { name, text, columns, cursor, rows, problems, unknown, header: 0..0, strange }
    }

    /// Something is wrong at this place.
    pub fn problem(&mut self, place: Place, column: &str, code: &str, message: impl Into<String>) {
        let problem = self.detail(place, column, code, message);
        self.problems.push(problem);
    }

    fn detail(&self, place: Place, column: &str, code: &str, message: impl Into<String>) -> Detail {
        Detail { place: Some(locate(self.name, place, Some(column))), ..Detail::new(code, column, message) }
    }

    /// The file breaks the rules of its format at this offset.
    pub fn broken(&mut self, offset: usize, message: impl Into<String>) {
        let place = self.cursor.at(offset);
        self.problem(place, "", "invalid_syntax", message);
    }

    /// A name that no known column has: said once.
    pub fn unknown(&mut self, place: Place, name: &str) {
        // It is most likely in every row.
        if !self.strange.insert(name.into()) {
            return;
        }
        let known: Vec<&str> = self.columns.known.iter().map(|(name, _)| *name).collect();
        let message = format!("Is not a known column; {}", did_you_mean(name, &known));
        let problem = self.detail(place, name, "unknown_field", message);
        let open = self.columns.open && !name.is_empty();
        if open { self.unknown.push(problem) } else { self.problems.push(problem) }
    }

    /// A row of members, as in JSON and YAML, that begins here.
    pub fn row(&mut self, span: Range<usize>) -> Members<'_, 't> {
        let place = self.row_place(span.start);
        let row = Row { place, cells: Vec::new(), blanks: Vec::new(), span };
        Members { reading: self, row, seen: HashSet::new(), spoiled: false }
    }

    /// Where a row begins: the line says enough where nothing but the beginning of a list is before it.
    pub fn row_place(&mut self, offset: usize) -> Place {
        let place = self.cursor.at(offset);
        let before = place.column.map_or(0, |column| column - 1);
        let lead = |c: char| matches!(c, ' ' | '\t' | '[' | '-');
        // On a line without end, as of a file in one line, nobody looks back all the way.
        let first = before <= 40 && self.text[..offset].chars().rev().take(before).all(lead);
        Place { column: place.column.filter(|_| !first), ..place }
    }
}

/// Takes the members of one row.
pub struct Members<'r, 't> {
    reading: &'r mut Reading<'t>,
    row: Row,
    seen: HashSet<String>,
    spoiled: bool,
}

impl Members<'_, '_> {
    /// One of them. One without a value, or with null, is absent.
    pub fn member(&mut self, name: &str, offset: usize, value: Value) {
        let place = self.reading.cursor.at(offset);
        if !self.seen.insert(name.into()) {
            return self.reading.problem(place, name, "duplicate_field", "Is named twice in this row");
        }
        match self.reading.columns.find(name) {
            Some((column, _)) if value.is_null() => self.row.blanks.push((column, place)),
            Some((column, _)) => self.row.cells.push(Cell { column: column.into(), value, place }),
            None if self.reading.columns.allows(name) => {}
            None => {
                self.reading.unknown(place, name);
                if self.reading.columns.open && !value.is_null() {
                    self.row.cells.push(Cell { column: name.to_string().into(), value, place });
                }
            }
        }
    }

    /// Something is wrong with the row itself, which then is none.
    pub fn problem(&mut self, offset: usize, name: &str, message: String) {
        let place = self.reading.cursor.at(offset);
        self.reading.problem(place, name, "invalid_type", message);
        self.spoiled = true;
    }

    /// There are no more.
    pub fn end(self) {
        if !self.spoiled {
            self.reading.rows.push(self.row);
        }
    }
}
