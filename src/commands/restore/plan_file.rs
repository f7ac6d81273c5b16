//! Reads a plan: one restore per row.

use super::args::{Args, Time};
use super::row::{LATEST, PLAN_COLUMNS, RestoreRow};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, InputRow};
use crate::resources::{Scope, scalar_text};
use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashMap;

/// Reads the file of a plan, or stdin. Rows that do not specify a snapshot, a time or a scope use
/// those of `defaults`.
///
/// # Errors
/// `Usage` if it cannot be read, `Invalid` with every problem of the file at once.
pub fn read_plan(
    file: &str,
    args: &Args,
    defaults: &RestoreRow,
) -> Result<(Document, Vec<RestoreRow>)> {
    let document = Document::read(file, args.plan_args.input_format, &PLAN_COLUMNS)?;
    if document.is_blank() {
        return Err(
            Error::new(Kind::Invalid, format!("{} is empty", document.name)).with_hint(
                "No changes were made. For a plan without restores, write only a header, or [].",
            ),
        );
    }
    let rows = read_rows(&document, defaults)?;
    Ok((document, rows))
}

fn read_rows(document: &Document, defaults: &RestoreRow) -> Result<Vec<RestoreRow>> {
    // The problems that were found while the file was parsed, such as unknown columns, come first.
    let mut problems = document.all_problems().cloned().collect();
    let mut rows = Vec::new();
    for (index, row) in document.rows.iter().enumerate() {
        let mut reader = PlanRowReader {
            document,
            row,
            defaults,
            problems: &mut problems,
        };
        rows.push(reader.read(index)?);
    }
    document.refuse(problems)?;
    Ok(rows)
}

/// Refuses rows whose site has an earlier row. The rows must have the ids of their sites, so that
/// an id and a URL of one site are duplicates.
pub fn refuse_duplicate_sites(document: &Document, rows: &mut [RestoreRow]) {
    let mut first_index: HashMap<String, usize> = HashMap::new();
    for row in rows {
        let index = *first_index.entry(row.site_id.clone()).or_insert(row.index);
        if index != row.index {
            let first = document.locate(document.rows[index].position, None);
            let message = format!("'{}' is also in {first}", row.site_id);
            row.refuse("site_id", "duplicate", Error::new(Kind::Invalid, message));
        }
    }
}

/// Reads one row, and collects its problems.
struct PlanRowReader<'r> {
    document: &'r Document,
    row: &'r InputRow,
    defaults: &'r RestoreRow,
    problems: &'r mut Vec<Detail>,
}

impl PlanRowReader<'_> {
    fn read(&mut self, index: usize) -> Result<RestoreRow> {
        let problems_before = self.problems.len();
        let site_id = self.read_text("site_id").unwrap_or_default();
        // A value of another type than a string is already a problem.
        if site_id.is_empty() && self.problems.len() == problems_before {
            self.add_problem("site_id", "blank", "Can't be blank");
        }
        let (snapshot_id, before) = self.read_snapshot();
        Ok(RestoreRow {
            index,
            site_id,
            snapshot_id,
            before,
            scope: self.read_scope()?,
            ..RestoreRow::default()
        })
    }

    /// Returns the id of the snapshot or, to use the latest one, `latest` and the time before which
    /// it must have been taken, if there is one.
    fn read_snapshot(&mut self) -> (String, Option<Timestamp>) {
        let snapshot_id = self.read_text("snapshot_id");
        let before = self.read_time("before");
        let snapshot_id = match snapshot_id {
            Some(id) => id,
            None if before.is_some() => LATEST.into(),
            None => self.defaults.snapshot_id.clone(),
        };
        if snapshot_id == LATEST {
            return (snapshot_id, before.or(self.defaults.before));
        }
        if before.is_some() {
            self.add_problem("before", "contradiction", "Requires the snapshot latest");
        }
        (snapshot_id, None)
    }

    fn read_time(&mut self, field: &str) -> Option<Timestamp> {
        match self.read_text(field)?.parse::<Time>() {
            Ok(time) => Some(time.timestamp),
            Err(allowed) => {
                let message = format!("Is not a time; {allowed}");
                self.add_problem(field, "invalid_format", &message);
                None
            }
        }
    }

    fn add_problem(&mut self, field: &str, code: &str, message: &str) {
        let problem = self.document.detail(self.row, field, code, message);
        self.problems.push(problem);
    }

    /// Reads a string or a number; none if it is missing, blank or of another type, which is a
    /// problem.
    fn read_text(&mut self, field: &str) -> Option<String> {
        let value = self.row.value(field)?;
        let Some(text) = scalar_text(value).filter(|_| !value.is_boolean()) else {
            self.add_problem(field, "invalid_type", "Must be a string");
            return None;
        };
        Some(text.trim().to_string()).filter(|text| !text.is_empty())
    }

    /// Reads the scope. The default scope applies only to a row without any scope field.
    fn read_scope(&mut self) -> Result<Box<RawValue>> {
        let fields = ["files", "database", "paths", "tables", "subsite_ids"];
        if self.defaults.has_scope() && fields.iter().all(|field| self.row.value(field).is_none()) {
            return Ok(self.defaults.scope.clone());
        }
        let problems_before = self.problems.len();
        let (include_files, paths) = self.read_part("files", "paths");
        let (include_database, tables) = self.read_part("database", "tables");
        let subsite_ids = self.read_list("subsite_ids");
        if !include_files && !include_database && self.problems.len() == problems_before {
            self.add_problem(
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

    /// Reads one part of the scope, the files or the database: whether it is restored, and the
    /// paths or tables that narrow it. A row with such a list may leave out the flag.
    fn read_part(&mut self, flag_field: &str, list_field: &str) -> (bool, Vec<String>) {
        let is_included = self.read_flag(flag_field);
        let names = self.read_list(list_field);
        if is_included == Some(false) && !names.is_empty() {
            let message = format!("Is no, but {list_field} is not empty");
            self.add_problem(flag_field, "contradiction", &message);
        }
        (is_included.unwrap_or(!names.is_empty()), names)
    }

    /// Reads a yes or no; none if it is missing, or is neither, which is a problem.
    fn read_flag(&mut self, field: &str) -> Option<bool> {
        let text = scalar_text(self.row.value(field)?).unwrap_or_default();
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => {
                self.add_problem(
                    field,
                    "invalid_type",
                    "Must be true or false, yes or no, 1 or 0",
                );
                None
            }
        }
    }

    /// Reads a list; empty if it is missing or has a problem. An empty list in the file is a
    /// problem, because it could mean everything or nothing.
    fn read_list(&mut self, field: &str) -> Vec<String> {
        let Some(value) = self.row.value(field) else {
            return Vec::new();
        };
        let texts: Option<Vec<String>> = value
            .as_array()
            .and_then(|items| items.iter().map(item_text).collect());
        match texts {
            Some(texts) if !texts.is_empty() => return texts,
            Some(_) => self.add_problem(
                field,
                "blank",
                "Is empty; leave it out to restore everything",
            ),
            None => self.add_problem(
                field,
                "invalid_type",
                "Must be an array of strings that are not blank",
            ),
        }
        Vec::new()
    }
}

/// Returns the text of an item of a list; none if it is blank, or not a string or number.
fn item_text(item: &Value) -> Option<String> {
    scalar_text(item).filter(|text| !item.is_boolean() && !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::InputFormat;

    fn rows(text: &str, format: InputFormat) -> Result<Vec<RestoreRow>> {
        let defaults = RestoreRow {
            snapshot_id: LATEST.into(),
            ..RestoreRow::default()
        };
        let document = Document::parse("plan", text.into(), format, &PLAN_COLUMNS)?;
        read_rows(&document, &defaults)
    }

    fn scopes(text: &str, format: InputFormat) -> Vec<String> {
        let rows = rows(text, format).unwrap_or_default();
        rows.iter().map(|row| row.scope.get().to_string()).collect()
    }

    #[test]
    fn a_row_means_the_same_in_each_format() {
        let csv = "site_id,snapshot_id,files,database,paths,tables,subsite_ids\n\
                   s1,latest,yes,TRUE,,,\ns2,p2,,,a/b;c d,,2;3\ns3,p3,no,1,,wp_posts,\n";
        let json = r#"[{"site_id":"s1","snapshot_id":"latest","files":true,"database":true},
            {"site_id":"s2","snapshot_id":"p2","paths":["a/b","c d"],"subsite_ids":[2,"3"]},
            {"site_id":"s3","snapshot_id":"p3","files":false,"database":1,"tables":["wp_posts"]}]"#;
        let yaml = "- {site_id: s1, snapshot_id: latest, files: true, database: yes}\n\
                    - {site_id: s2, snapshot_id: p2, paths: [a/b, c d], subsite_ids: [2, 3]}\n\
                    - {site_id: s3, snapshot_id: p3, files: no, database: true, tables: [wp_posts]}\n";
        let expected = [
            r#"{"include_files":true,"include_database":true}"#,
            r#"{"include_files":true,"include_database":false,"paths":["a/b","c d"],"subsite_ids":["2","3"]}"#,
            r#"{"include_files":false,"include_database":true,"tables":["wp_posts"]}"#,
        ];
        for (text, format) in [
            (csv, InputFormat::Csv),
            (json, InputFormat::Json),
            (yaml, InputFormat::Yaml),
        ] {
            assert_eq!(scopes(text, format), expected, "{format:?}");
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
