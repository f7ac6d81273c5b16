//! Reads a plan: one restore per row.

use super::args::{Args, Time};
use super::row::{COLUMNS, LATEST, Row};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{self, Document};
use crate::resources::{Scope, scalar};
use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashMap;

/// Reads the file of a plan, or stdin. Rows that do not specify a snapshot, a time or a scope use those of `defaults`.
///
/// # Errors
/// `Usage` if it cannot be read, `Invalid` with every problem of the file at once.
pub fn read(file: &str, args: &Args, defaults: &Row) -> Result<(Document, Vec<Row>)> {
    let document = Document::read(file, args.many.input_format, &COLUMNS)?;
    if document.is_blank() {
        return Err(
            Error::new(Kind::Invalid, format!("{} is empty", document.name)).with_hint(
                "No changes were made. For a plan without restores, write only a header, or [].",
            ),
        );
    }
    let rows = rows(&document, defaults)?;
    Ok((document, rows))
}

fn rows(document: &Document, defaults: &Row) -> Result<Vec<Row>> {
    let mut problems = document.all_problems().cloned().collect();
    let mut rows = Vec::new();
    for (number, row) in document.rows.iter().enumerate() {
        let mut reader = Reader {
            document,
            row,
            defaults,
            problems: &mut problems,
        };
        rows.push(reader.row(number)?);
    }
    document.refuse(problems).map(|()| rows)
}

/// Refuses rows whose site has another row.
pub fn refuse_doubles(document: &Document, rows: &mut [Row]) {
    let mut first: HashMap<String, usize> = HashMap::new();
    for row in rows {
        let number = *first.entry(row.site_id.clone()).or_insert(row.number);
        if number != row.number {
            let other = document.locate(document.rows[number].position, None);
            let message = format!("'{}' is also in {other}", row.site_id);
            row.refuse("site_id", "duplicate", Error::new(Kind::Invalid, message));
        }
    }
}

/// Reads one row, and collects its problems.
struct Reader<'r> {
    document: &'r Document,
    row: &'r input::InputRow,
    defaults: &'r Row,
    problems: &'r mut Vec<Detail>,
}

impl Reader<'_> {
    fn row(&mut self, number: usize) -> Result<Row> {
        let known = self.problems.len();
        let site_id = self.text("site_id").unwrap_or_default();
        if site_id.is_empty() && self.problems.len() == known {
            self.problem("site_id", "blank", "Can't be blank");
        }
        let (snapshot_id, before) = self.snapshot();
        Ok(Row {
            number,
            site_id,
            snapshot_id,
            before,
            scope: self.scope()?,
            ..Row::default()
        })
    }

    /// Reads the snapshot, and the time before which it was taken if it is the latest.
    fn snapshot(&mut self) -> (String, Option<Timestamp>) {
        let (snapshot_id, before) = (self.text("snapshot_id"), self.text("before"));
        let before = before.and_then(|text| {
            let time = text.parse::<Time>();
            let refuse = |allowed| {
                self.problem(
                    "before",
                    "invalid_format",
                    &format!("Is not a time; {allowed}"),
                )
            };
            time.map_err(refuse).ok().map(|time| time.at)
        });
        let snapshot_id = snapshot_id.unwrap_or_else(|| match before {
            Some(_) => LATEST.into(),
            None => self.defaults.snapshot_id.clone(),
        });
        if snapshot_id == LATEST {
            return (snapshot_id, before.or(self.defaults.before));
        }
        if before.is_some() {
            self.problem("before", "contradiction", "Requires the snapshot latest");
        }
        (snapshot_id, None)
    }

    fn problem(&mut self, field: &str, code: &str, message: &str) {
        self.problems
            .push(self.document.detail(self.row, field, code, message));
    }

    /// Reads a text; none if it is blank.
    fn text(&mut self, field: &str) -> Option<String> {
        let value = self.row.value(field)?;
        let Some(text) = scalar(value).filter(|_| !value.is_boolean()) else {
            self.problem(field, "invalid_type", "Must be a string");
            return None;
        };
        Some(text.trim().to_string()).filter(|text| !text.is_empty())
    }

    fn scope(&mut self) -> Result<Box<RawValue>> {
        let fields = ["files", "database", "paths", "tables", "subsite_ids"];
        if self.defaults.has_scope() && fields.iter().all(|field| self.row.value(field).is_none()) {
            return Ok(self.defaults.scope.clone());
        }
        let known = self.problems.len();
        let (include_files, paths) = self.part("files", "paths");
        let (include_database, tables) = self.part("database", "tables");
        let subsite_ids = self.list("subsite_ids");
        if !include_files && !include_database && self.problems.len() == known {
            self.problem(
                "files",
                "blank",
                "No restore scope specified; set files or database, or pass --full",
            );
        }
        Scope {
            include_files,
            include_database,
            paths,
            tables,
            subsite_ids,
        }
        .json()
    }

    /// Reads whether the files or the database are restored, and the list that narrows and implies it.
    fn part(&mut self, flag: &str, list: &str) -> (bool, Vec<String>) {
        let (is_set, names) = (self.flag(flag), self.list(list));
        if is_set == Some(false) && !names.is_empty() {
            self.problem(
                flag,
                "contradiction",
                &format!("Is no, but {list} is not empty"),
            );
        }
        (is_set.unwrap_or(!names.is_empty()), names)
    }

    fn flag(&mut self, field: &str) -> Option<bool> {
        let text = scalar(self.row.value(field)?).unwrap_or_default();
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => return Some(true),
            "false" | "no" | "0" => return Some(false),
            _ => self.problem(
                field,
                "invalid_type",
                "Must be true or false, yes or no, 1 or 0",
            ),
        }
        None
    }

    /// Reads a list. An empty one is refused, because it could mean everything or nothing.
    fn list(&mut self, field: &str) -> Vec<String> {
        let Some(value) = self.row.value(field) else {
            return Vec::new();
        };
        let item = |item: &Value| {
            scalar(item).filter(|text| !item.is_boolean() && !text.trim().is_empty())
        };
        match value
            .as_array()
            .map(|items| items.iter().map(item).collect::<Option<Vec<_>>>())
        {
            Some(Some(texts)) if !texts.is_empty() => return texts,
            Some(Some(_)) => self.problem(
                field,
                "blank",
                "Is empty; leave it out to restore everything",
            ),
            Some(None) | None => self.problem(
                field,
                "invalid_type",
                "Must be an array of strings that are not blank",
            ),
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::InputFormat;

    fn rows(text: &str, format: InputFormat) -> Result<Vec<Row>> {
        let defaults = Row {
            snapshot_id: LATEST.into(),
            ..Row::default()
        };
        super::rows(
            &Document::parse("plan", text.into(), format, &COLUMNS)?,
            &defaults,
        )
    }

    fn scopes(text: &str, format: InputFormat) -> Vec<String> {
        let rows = rows(text, format).unwrap_or_default();
        rows.iter().map(|row| row.scope.get().to_string()).collect()
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
        for (text, format) in [
            (csv, InputFormat::Csv),
            (json, InputFormat::Json),
            (yaml, InputFormat::Yaml),
        ] {
            assert_eq!(scopes(text, format), wanted, "{format:?}");
        }
    }

    #[test]
    fn each_problem_has_its_field_and_code() {
        let cases = [
            (r#"{"snapshot_id":"p","files":true}"#, "site_id", "blank"),
            (
                r#"{"site_id":"s","before":"soon","files":true}"#,
                "before",
                "invalid_format",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","before":"7d","files":true}"#,
                "before",
                "contradiction",
            ),
            (
                r#"{"site_id":" ","snapshot_id":"p","files":true}"#,
                "site_id",
                "blank",
            ),
            (
                r#"{"site_id":{},"snapshot_id":"p","files":true}"#,
                "site_id",
                "invalid_type",
            ),
            (
                r#"{"site_id":true,"snapshot_id":"p","files":true}"#,
                "site_id",
                "invalid_type",
            ),
            (r#"{"site_id":"s","snapshot_id":"p"}"#, "files", "blank"),
            (
                r#"{"site_id":"s","snapshot_id":"p","files":false,"database":"no"}"#,
                "files",
                "blank",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","subsite_ids":["1"]}"#,
                "files",
                "blank",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","files":"maybe"}"#,
                "files",
                "invalid_type",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","files":false,"paths":["a"]}"#,
                "files",
                "contradiction",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","database":0,"tables":["a"]}"#,
                "database",
                "contradiction",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","paths":[]}"#,
                "paths",
                "blank",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","paths":[" "]}"#,
                "paths",
                "invalid_type",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","tables":"a"}"#,
                "tables",
                "invalid_type",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","tables":[["a"]]}"#,
                "tables",
                "invalid_type",
            ),
        ];
        for (text, field, code) in cases {
            let error = rows(text, InputFormat::Json).err();
            let details = error.map(|error| error.details.clone()).unwrap_or_default();
            let found: Vec<_> = details
                .iter()
                .map(|detail| (detail.param.as_str(), detail.code.as_str()))
                .collect();
            assert_eq!(found, [(field, code)], "{text}");
        }
    }
}
