//! Reads the rows of a plan, and checks them as far as that can be done without the service.

use super::row::{Row, State};
use crate::commands::restore::launch::Order;
use crate::commands::restore::selection::Selection;
use crate::error::{Detail, Result};
use crate::input::{self, ColumnKind, Columns, Document};
use crate::resources::scalar;
use serde_json::Value;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The columns of a plan.
pub const COLUMNS: Columns = Columns {
    known: &[
        ("site_id", ColumnKind::Text),
        ("snapshot_id", ColumnKind::Text),
        ("files", ColumnKind::Text),
        ("database", ColumnKind::Text),
        ("paths", ColumnKind::List(&[';'])),
        ("tables", ColumnKind::List(&[';'])),
        ("subsite_ids", ColumnKind::List(&[';'])),
    ],
    ignored: &[],
    open: false,
};

/// Reads the rows of the file.
///
/// # Errors
/// `Invalid` with every problem of the file at once.
pub fn read(document: &Document) -> Result<Vec<Row>> {
    let mut problems = document.problems.clone();
    let mut rows = Vec::new();
    for (number, row) in document.rows.iter().enumerate() {
        let mut reader = Reader { document, row, problems: &mut problems };
        rows.push(reader.row(number)?);
    }
    problems.extend(doubles(document, &rows));
    document.refuse(problems).map(|()| rows)
}

/// Two restores of one site at a time are in each other's way.
pub fn doubles(document: &Document, rows: &[Row]) -> Vec<Detail> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut doubles = Vec::new();
    for row in rows.iter().filter(|row| !row.order.site_id.is_empty()) {
        let site = &*row.order.site_id;
        match first.entry(site) {
            Entry::Vacant(entry) => drop(entry.insert(row.number)),
            Entry::Occupied(entry) => {
                let other = document.locate(document.rows[*entry.get()].position, None);
                let message = format!("'{site}' is restored by {other} too");
                doubles.push(document.detail(&document.rows[row.number], "site_id", "duplicate", message));
            }
        }
    }
    doubles
}

/// Reads one row, and notes what is wrong with it.
struct Reader<'r> {
    document: &'r Document,
    row: &'r input::Row,
    problems: &'r mut Vec<Detail>,
}

impl Reader<'_> {
    fn row(&mut self, number: usize) -> Result<Row> {
        let (site_id, snapshot_id, selection) = (self.id("site_id"), self.id("snapshot_id"), self.selection());
        let order = Order { site_id, snapshot_id, scope: selection.scope()? };
        Ok(Row { number, order, restores: selection.describe(), taken_at: None, state: State::Waiting })
    }

    fn problem(&mut self, field: &str, code: &str, message: &str) {
        self.problems.push(self.document.detail(self.row, field, code, message));
    }

    fn id(&mut self, field: &str) -> String {
        match self.row.value(field) {
            None => self.problem(field, "blank", "Can't be blank"),
            // A number that is none of these would not come out as it was written.
            Some(Value::Number(number)) if !number.is_i64() && !number.is_u64() => {
                self.problem(field, "invalid_type", "Must be a string");
            }
            Some(value) => match scalar(value).filter(|_| !value.is_boolean()).map(|text| text.trim().to_string()) {
                None => self.problem(field, "invalid_type", "Must be a string"),
                Some(text) if text.is_empty() => self.problem(field, "blank", "Can't be blank"),
                Some(text) if text == "." || text == ".." => self.problem(field, "invalid_id", "Is not an id"),
                Some(text) => return text,
            },
        }
        String::new()
    }

    fn selection(&mut self) -> Selection {
        let known = self.problems.len();
        let (files, paths) = self.part("files", "paths");
        let (database, tables) = self.part("database", "tables");
        let subsite_ids = self.list("subsite_ids");
        if !files && !database && self.problems.len() == known {
            self.problem("files", "blank", "Nothing is restored: files, database, paths or tables must say what");
        }
        Selection { files, database, paths, tables, subsite_ids }
    }

    /// Files or the database, and the list that narrows it and so implies it.
    fn part(&mut self, flag: &str, list: &str) -> (bool, Vec<String>) {
        let (said, names) = (self.flag(flag), self.list(list));
        if said == Some(false) && !names.is_empty() {
            self.problem(flag, "contradiction", &format!("Is no, and {list} names some"));
        }
        (said.unwrap_or(!names.is_empty()), names)
    }

    fn flag(&mut self, field: &str) -> Option<bool> {
        let said = match self.row.value(field)? {
            Value::Bool(said) => Some(*said),
            value => scalar(value).and_then(|text| match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "1" => Some(true),
                "false" | "no" | "0" => Some(false),
                _ => None,
            }),
        };
        if said.is_none() {
            self.problem(field, "invalid_type", "Must be true or false, yes or no, 1 or 0");
        }
        said
    }

    /// An empty list could mean everything or nothing: neither is guessed.
    fn list(&mut self, field: &str) -> Vec<String> {
        let Some(value) = self.row.value(field) else { return Vec::new() };
        let Value::Array(items) = value else {
            self.problem(field, "invalid_type", "Must be an array");
            return Vec::new();
        };
        if items.is_empty() {
            self.problem(field, "blank", "Names nothing; leave it out to restore all");
        }
        let texts: Option<Vec<String>> = items.iter().map(|item| scalar(item).filter(|_| !item.is_boolean())).collect();
        match texts {
            Some(texts) if texts.iter().any(|text| text.trim().is_empty()) => {
                self.problem(field, "blank", "Has an item that is blank");
                texts
            }
            Some(texts) => texts,
            None => {
                self.problem(field, "invalid_type", "Must be an array of strings");
                Vec::new()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::InputFormat;

    fn rows(text: &str, format: InputFormat) -> Result<Vec<Row>> {
        read(&Document::parse("plan", text.into(), format, &COLUMNS)?)
    }

    fn scopes(text: &str, format: InputFormat) -> Vec<String> {
        let rows = rows(text, format).unwrap_or_default();
        rows.iter().map(|row| row.order.scope.raw().get().to_string()).collect()
    }

    #[test]
    fn a_row_says_the_same_in_each_format() {
        let csv = "site_id,snapshot_id,files,database,paths,tables,subsite_ids\n\
                   s1,latest,yes,TRUE,,,\ns2,p2,,,a/b;c d,,2;3\ns3,p3,no,1,,wp_posts,\n";
        let json = r#"[{"site_id":"s1","snapshot_id":"latest","files":true,"database":true},
            {"site_id":"s2","snapshot_id":"p2","paths":["a/b","c d"],"subsite_ids":[2,"3"]},
            {"site_id":"s3","snapshot_id":"p3","files":false,"database":1,"tables":["wp_posts"]}]"#;
        let yaml = "- {site_id: s1, snapshot_id: latest, files: true, database: yes}\n\
                    - {site_id: s2, snapshot_id: p2, paths: [a/b, c d], subsite_ids: [2, 3]}\n\
                    - {site_id: s3, snapshot_id: p3, files: no, database: true, tables: [wp_posts]}\n";
        let wanted = [
            r#"{"include_files":true,"include_database":true}"#,
            r#"{"include_files":true,"include_database":false,"paths":["a/b","c d"],"subsite_ids":["2","3"]}"#,
            r#"{"include_files":false,"include_database":true,"tables":["wp_posts"]}"#,
        ];
        for (text, format) in [(csv, InputFormat::Csv), (json, InputFormat::Json), (yaml, InputFormat::Yaml)] {
            assert_eq!(scopes(text, format), wanted, "{format:?}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_row_is_told_with_its_place() {
        let cases = [
            (r#"{"snapshot_id":"p","files":true}"#, "site_id", "blank"),
            (r#"{"site_id":"s","files":true}"#, "snapshot_id", "blank"),
            (r#"{"site_id":" ","snapshot_id":"p","files":true}"#, "site_id", "blank"),
            (r#"{"site_id":"..","snapshot_id":"p","files":true}"#, "site_id", "invalid_id"),
            (r#"{"site_id":{},"snapshot_id":"p","files":true}"#, "site_id", "invalid_type"),
            (r#"{"site_id":true,"snapshot_id":"p","files":true}"#, "site_id", "invalid_type"),
            (r#"{"site_id":12345678901234567890123,"snapshot_id":"p","files":true}"#, "site_id", "invalid_type"),
            (r#"{"site_id":"s","snapshot_id":1.10,"files":true}"#, "snapshot_id", "invalid_type"),
            (r#"{"site_id":"s","snapshot_id":"p"}"#, "files", "blank"),
            (r#"{"site_id":"s","snapshot_id":"p","files":false,"database":"no"}"#, "files", "blank"),
            (r#"{"site_id":"s","snapshot_id":"p","subsite_ids":["1"]}"#, "files", "blank"),
            (r#"{"site_id":"s","snapshot_id":"p","files":"maybe"}"#, "files", "invalid_type"),
            (r#"{"site_id":"s","snapshot_id":"p","files":false,"paths":["a"]}"#, "files", "contradiction"),
            (r#"{"site_id":"s","snapshot_id":"p","database":0,"tables":["a"]}"#, "database", "contradiction"),
            (r#"{"site_id":"s","snapshot_id":"p","paths":[]}"#, "paths", "blank"),
            (r#"{"site_id":"s","snapshot_id":"p","paths":[" "]}"#, "paths", "blank"),
            (r#"{"site_id":"s","snapshot_id":"p","tables":"a"}"#, "tables", "invalid_type"),
            (r#"{"site_id":"s","snapshot_id":"p","tables":[["a"]]}"#, "tables", "invalid_type"),
        ];
        for (text, field, code) in cases {
            let error = rows(text, InputFormat::Json).err();
            let details = error.map(|error| error.details.clone()).unwrap_or_default();
            let told: Vec<_> = details.iter().map(|detail| (detail.param.as_str(), detail.code.as_str())).collect();
            assert_eq!(told, [(field, code)], "{text}");
        }
    }

    #[test]
    fn a_site_is_restored_once() {
        let error = rows("site_id,snapshot_id,files\ns1,p,1\ns2,p,1\n s1 ,q,1\n", InputFormat::Csv).err();
        let details = error.map(|error| error.details.clone()).unwrap_or_default();
        assert_eq!(details.len(), 1);
        assert_eq!(details[0].message, "'s1' is restored by plan line 2 too");
        assert_eq!(details[0].place.as_deref(), Some("plan line 4, column site_id"));
    }
}
