//! Reads the rows of a plan.

use super::row::{Row, State};
use crate::commands::restore::launch::Order;
use crate::error::{Detail, Result};
use crate::input::{self, Document};
use crate::resources::{Scope, scalar};
use serde_json::Value;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

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

/// Returns the rows whose site has another row, each as a problem.
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

/// Reads one row, and collects its problems.
struct Reader<'r> {
    document: &'r Document,
    row: &'r input::Row,
    problems: &'r mut Vec<Detail>,
}

impl Reader<'_> {
    fn row(&mut self, number: usize) -> Result<Row> {
        let (site_id, snapshot_id, scope) = (self.id("site_id"), self.id("snapshot_id"), self.scope().json()?);
        let order = Order { site_id, snapshot_id, scope };
        Ok(Row { number, order, taken_at: None, state: State::Waiting })
    }

    fn problem(&mut self, field: &str, code: &str, message: &str) {
        self.problems.push(self.document.detail(self.row, field, code, message));
    }

    fn id(&mut self, field: &str) -> String {
        let text = self.row.value(field).map(|value| scalar(value).filter(|_| !value.is_boolean()));
        match text.map(|text| text.map(|text| text.trim().to_string())) {
            Some(Some(text)) if !text.is_empty() => return text,
            Some(None) => self.problem(field, "invalid_type", "Must be a string"),
            None | Some(Some(_)) => self.problem(field, "blank", "Can't be blank"),
        }
        String::new()
    }

    fn scope(&mut self) -> Scope {
        let known = self.problems.len();
        let (include_files, paths) = self.part("files", "paths");
        let (include_database, tables) = self.part("database", "tables");
        let subsite_ids = self.list("subsite_ids");
        if !include_files && !include_database && self.problems.len() == known {
            self.problem("files", "blank", "Nothing is restored: files, database, paths or tables must say what");
        }
        Scope { include_files, include_database, paths, tables, subsite_ids }
    }

    /// Files or the database, and the list that narrows it and so implies it.
    fn part(&mut self, flag: &str, list: &str) -> (bool, Vec<String>) {
        let (is_set, names) = (self.flag(flag), self.list(list));
        if is_set == Some(false) && !names.is_empty() {
            self.problem(flag, "contradiction", &format!("Is no, and {list} names some"));
        }
        (is_set.unwrap_or(!names.is_empty()), names)
    }

    fn flag(&mut self, field: &str) -> Option<bool> {
        let text = scalar(self.row.value(field)?).unwrap_or_default();
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => return Some(true),
            "false" | "no" | "0" => return Some(false),
            _ => self.problem(field, "invalid_type", "Must be true or false, yes or no, 1 or 0"),
        }
        None
    }

    /// An empty list is refused, because it could mean everything or nothing.
    fn list(&mut self, field: &str) -> Vec<String> {
        let Some(value) = self.row.value(field) else { return Vec::new() };
        let item = |item: &Value| scalar(item).filter(|_| !item.is_boolean());
        match value.as_array().and_then(|items| items.iter().map(item).collect::<Option<Vec<_>>>()) {
            None => self.problem(field, "invalid_type", "Must be an array of strings"),
            Some(texts) if texts.is_empty() => {
                self.problem(field, "blank", "Names nothing; leave it out to restore all")
            }
            Some(texts) if texts.iter().any(|text| text.trim().is_empty()) => {
                self.problem(field, "blank", "Has an item that is blank");
            }
            Some(texts) => return texts,
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::restore::plan::row::COLUMNS;
    use crate::input::InputFormat;

    fn rows(text: &str, format: InputFormat) -> Result<Vec<Row>> {
        read(&Document::parse("plan", text.into(), format, &COLUMNS)?)
    }

    fn scopes(text: &str, format: InputFormat) -> Vec<String> {
        let rows = rows(text, format).unwrap_or_default();
        rows.iter().map(|row| row.order.scope.get().to_string()).collect()
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
    fn each_problem_has_its_field_and_code() {
        let cases = [
            (r#"{"snapshot_id":"p","files":true}"#, "site_id", "blank"),
            (r#"{"site_id":"s","files":true}"#, "snapshot_id", "blank"),
            (r#"{"site_id":" ","snapshot_id":"p","files":true}"#, "site_id", "blank"),
            (r#"{"site_id":{},"snapshot_id":"p","files":true}"#, "site_id", "invalid_type"),
            (r#"{"site_id":true,"snapshot_id":"p","files":true}"#, "site_id", "invalid_type"),
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
            let found: Vec<_> = details.iter().map(|detail| (detail.param.as_str(), detail.code.as_str())).collect();
            assert_eq!(found, [(field, code)], "{text}");
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
