//! Reads a plan, one restore per row.

use super::args::Time;
use super::requested::{Defaults, RequestedRestore, RequestedSnapshot};
use crate::config::BaseUrl;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{ColumnKind, Columns, Document, InputRow};
use crate::resources::{RESTORES, RestoreScope, SITE_CHECKS, SITES, scalar_text};
use jiff::Timestamp;
use serde_json::Value;
use std::sync::LazyLock;

/// The columns of sitectl's own records of sites and restores.
static PRINTED: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let printed = [&SITES, &RESTORES, &SITE_CHECKS];
    let fields = printed.iter().flat_map(|resource| resource.record_fields());
    fields.collect()
});

/// The parts of a scope, which the column `scope` has as JSON.
const PARTS_OF_SCOPE: [&str; 5] = ["files", "database", "paths", "tables", "subsite_ids"];

pub static PLAN_COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &[
        ("site_id", ColumnKind::Text),
        ("site", ColumnKind::Text),
        // Only beside a `url`.
        ("id", ColumnKind::Text),
        ("snapshot_id", ColumnKind::Text),
        ("before", ColumnKind::Text),
        ("scope", ColumnKind::Text),
        ("reason", ColumnKind::Text),
    ],
    ignored: &PRINTED,
    keys: &["site_id", "site", "id"],
    list_field: None,
    // A file may also be a plain list of sites.
    list: Some("site_id"),
});

/// The file of a plan.
pub struct PlanFile {
    document: Document,
    /// The index of the row of each request.
    rows: Vec<usize>,
    /// The problems of the text.
    problems: Vec<Detail>,
    /// The sites that are left out, because their check was not made.
    pub not_checked: Vec<String>,
}

impl PlanFile {
    /// Reads the file of a plan, or stdin, and the restores of its rows without a problem. Rows that
    /// do not specify a snapshot, a time, a scope or a reason use those of `defaults`. `service_key`
    /// is the canonical base URL of the service.
    ///
    /// # Errors
    /// `Usage` if it cannot be read, `Invalid` if it is not of its format.
    pub fn read(
        file: &str,
        defaults: &Defaults,
        service_key: &str,
    ) -> Result<(Self, Vec<RequestedRestore>)> {
        let document = Document::read(file, &PLAN_COLUMNS)?;
        Self::parse(document, defaults, service_key)
    }

    fn parse(
        document: Document,
        defaults: &Defaults,
        service_key: &str,
    ) -> Result<(Self, Vec<RequestedRestore>)> {
        let has = |names: &[&str]| {
            let has_column = |row, name: &&str| document.has_column(row, name);
            let mut rows = document.rows.iter();
            document.rows.is_empty() || rows.any(|row| names.iter().any(|n| has_column(row, n)))
        };
        if !has(&["site_id", "site", "id"]) {
            let message = format!("{} has no column site_id", document.name);
            let error = Error::new(Kind::Invalid, message).without_changes();
            return Err(error.with_hint("rename the column of the sites to site_id"));
        }
        let is_site_list = has(&["id"]) && has(&["url"]);
        let mut problems: Vec<Detail> = document
            .problems
            .iter()
            .map(|problem| problem.detail.clone())
            .collect();
        for unknown in &document.unknown_column_problems {
            let name = unknown.param.to_lowercase().replace([' ', '-'], "_");
            if PARTS_OF_SCOPE.contains(&&*name) {
                problems.push(Detail {
                    message: "Is not a column of a plan; use scope, as for --scope-json".into(),
                    ..unknown.clone()
                });
            } else if !is_site_list {
                problems.push(unknown.clone());
            }
        }
        let mut plan = Self {
            rows: Vec::new(),
            problems: Vec::new(),
            not_checked: Vec::new(),
            document,
        };
        let mut requests = Vec::new();
        for (index, row) in plan.document.rows.iter().enumerate() {
            let mut reader = PlanRowReader {
                document: &plan.document,
                row,
                defaults,
                service_key,
                problems: Vec::new(),
            };
            let request = reader.read();
            if is_only_not_checked(row) {
                plan.not_checked.push(request.site);
                continue;
            }
            if reader.problems.is_empty() {
                plan.rows.push(index);
                requests.push(request);
            }
            problems.append(&mut reader.problems);
        }
        let has_scope = |request: &RequestedRestore| request.scope.is_some();
        if requests.iter().any(has_scope) {
            for (index, _) in requests
                .iter()
                .enumerate()
                .filter(|(_, request)| !has_scope(request))
            {
                let message = "No restore scope specified";
                let row = &plan.document.rows[plan.rows[index]];
                problems.push(plan.document.detail(row, "scope", "blank", message));
            }
        }
        plan.problems = problems;
        Ok((plan, requests))
    }

    /// Returns the name of the file in messages.
    pub fn name(&self) -> &str {
        &self.document.name
    }

    /// Whether the file is a list of sites without a header, in which several pages of a site are
    /// one restore.
    pub fn is_list(&self) -> bool {
        self.document.is_list
    }

    /// Returns the position of a request, such as `plan.csv line 2`.
    pub fn position(&self, index: usize) -> String {
        self.document.locate(self.row(index).position, "")
    }

    fn row(&self, index: usize) -> &InputRow {
        &self.document.rows[self.rows[index]]
    }

    /// Refuses the file if its text has problems, or there are `others`, each of the request with
    /// the index.
    ///
    /// # Errors
    /// `Invalid` with every problem of the file at once.
    pub fn require_valid(&self, others: &[(usize, Detail)]) -> Result<()> {
        let mut problems = self.problems.clone();
        for (index, detail) in others {
            let (row, message) = (self.row(*index), detail.message.as_str());
            problems.push(
                self.document
                    .detail(row, &detail.param, detail.code(), message),
            );
        }
        self.document.refuse(problems)
    }
}

/// Whether a row is a site of `sites check` whose only problem is that it could not be checked.
fn is_only_not_checked(row: &InputRow) -> bool {
    match row.value("problems") {
        Some(Value::Array(problems)) => problems.as_slice() == ["not_checked"],
        Some(Value::String(problems)) => {
            let is_syntax = |c: char| !c.is_alphanumeric() && c != '_';
            let mut names = problems.split(is_syntax).filter(|name| !name.is_empty());
            names.all(|name| name == "not_checked")
        }
        _ => false,
    }
}

/// Reads one row, and collects its problems.
struct PlanRowReader<'r> {
    document: &'r Document,
    row: &'r InputRow,
    defaults: &'r Defaults,
    service_key: &'r str,
    problems: Vec<Detail>,
}

impl PlanRowReader<'_> {
    fn read(&mut self) -> RequestedRestore {
        let mut names = ["site_id", "site"].into_iter();
        if names.clone().all(|name| self.row.value(name).is_some()) {
            self.add_problem("site", "contradiction", "Cannot be combined with site_id");
        }
        let site_field = match names.find(|name| self.has_field(name)) {
            Some(name) => name,
            None if self.has_field("id") && self.has_field("url") => "id",
            None => "site_id",
        };
        if site_field != "id" && self.has_field("id") {
            let message = "Is the id of a site only in what sites list prints, beside url";
            self.add_problem("id", "unknown_field", message);
        }
        let site = self.read_text(site_field).unwrap_or_default();
        // A value of another type than a string is already a problem.
        if site.is_empty() && self.problems.is_empty() {
            self.add_problem(site_field, "blank", "Can't be blank");
        }
        if let Some(base_url) = self.read_text("base_url")
            && BaseUrl::canonical(&base_url) != self.service_key
        {
            self.add_problem("base_url", "other_service", "Is another service");
        }
        let reason = self.read_text("reason");
        RequestedRestore {
            site,
            snapshot: Some(self.read_snapshot()),
            scope: self.read_scope(),
            reason: reason.or_else(|| self.defaults.reason.clone()),
            earlier: None,
        }
    }

    /// Reads the snapshot. The default time applies to a row without a time of its own, and the
    /// default snapshot to a row without a snapshot. In a table with one of these columns, an empty
    /// row does not mean `latest` by itself.
    fn read_snapshot(&mut self) -> RequestedSnapshot {
        let text = self.read_text("snapshot_id").unwrap_or_default();
        let before = self.read_time("before");
        let mut columns = ["snapshot_id", "before"].into_iter();
        if text.is_empty()
            && self.row.value("before").is_none()
            && self.defaults.snapshot.is_none()
            && let Some(column) = columns.find(|name| self.has_field(name))
        {
            let message = "Can't be blank without --snapshot latest or --before";
            self.add_problem(column, "blank", message);
        }
        match (&self.defaults.snapshot, text.as_str()) {
            (Some(RequestedSnapshot::Id { id, before: other }), "") => RequestedSnapshot::Id {
                id: id.clone(),
                before: before.or(*other),
            },
            (default, text) => {
                let before = before.or(match default {
                    Some(
                        RequestedSnapshot::Latest { before } | RequestedSnapshot::Id { before, .. },
                    ) => *before,
                    _ => None,
                });
                let latest = RequestedSnapshot::Latest { before };
                RequestedSnapshot::new(text, before).unwrap_or(latest)
            }
        }
    }

    fn has_field(&self, name: &str) -> bool {
        self.document.has_column(self.row, name)
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

    /// Reads the scope: JSON, as `--scope-json` takes it. None if there is none, or after a problem.
    fn read_scope(&mut self) -> Option<RestoreScope> {
        let Some(value) = self.row.value("scope") else {
            return self.defaults.scope.clone();
        };
        let json = value.as_str().map_or(value.to_string(), String::from);
        match RestoreScope::parse(&json) {
            Ok(scope) => Some(scope),
            Err(problem) => {
                self.add_problem(
                    "scope",
                    "invalid_type",
                    &format!("Is not a scope: {problem}"),
                );
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::requested::LATEST;
    use super::*;
    use crate::input::InputFormat;

    /// Returns the field in the position of a detail.
    fn field(detail: &Detail) -> &str {
        let position = detail.position.as_deref().unwrap_or_default();
        let separators = [", field ", ", column "];
        let mut fields = separators
            .iter()
            .filter_map(|separator| position.split_once(separator));
        let (_, field) = fields.next().unwrap_or_default();
        field.split(" (").next().unwrap_or_default()
    }

    /// Returns the restores of a plan, each as its site, snapshot, scope and reason, and the sites
    /// that were not checked; or the fields and codes of its problems.
    fn read_with(text: &str, defaults: &Defaults) -> Result<Vec<String>> {
        let format = InputFormat::detect("plan.txt", text);
        let document = Document::parse("plan", text, format, &PLAN_COLUMNS)?;
        let (plan, rows) = PlanFile::parse(document, defaults, "https://a.example/api/v6")?;
        if let Err(error) = plan.require_valid(&[]) {
            let problem = |detail: &Detail| format!("{}: {}", field(detail), detail.code());
            return Ok(error.details.iter().map(problem).collect());
        }
        let not_checked = plan
            .not_checked
            .iter()
            .map(|site| format!("left out {site}"));
        let rows = rows.into_iter().map(|row| {
            let snapshot = match row.snapshot {
                Some(RequestedSnapshot::Id { id, .. }) => id,
                Some(RequestedSnapshot::Latest { before: Some(_) }) => "latest before".into(),
                _ => "latest".into(),
            };
            let scope = row.scope.map_or(String::new(), |scope| scope.to_string());
            let text = format!(
                "{} {snapshot} {scope} {}",
                row.site,
                row.reason.unwrap_or_default()
            );
            text.trim_end().to_string()
        });
        Ok(rows.chain(not_checked).collect())
    }

    fn read(text: &str) -> Result<Vec<String>> {
        let scope = RestoreScope {
            include_files: true,
            include_database: true,
            ..RestoreScope::default()
        };
        let defaults = Defaults {
            scope: Some(scope),
            ..Defaults::default()
        };
        read_with(text, &defaults)
    }

    const FULL: &str = "files, database";

    #[test]
    fn lists_of_sites_and_own_records_are_plans() -> Result<()> {
        for (text, expected) in [
            // A plain list with comments.
            (
                "# from the hoster's mail: \n\nsite-1\n  \nhttps://a.example/wp-login.php\n#site-2\n",
                &[
                    "site-1 latest FULL",
                    "https://a.example/wp-login.php latest FULL",
                ][..],
            ),
            ("# url\nsite\nsite-1\n", &["site-1 latest FULL"]),
            (
                r#"["site-1", "b.example"]"#,
                &["site-1 latest FULL", "b.example latest FULL"],
            ),
            ("[7]", &[": invalid_type"]),
            // `sites list`, and another list with `id` and `url`.
            (
                "id,url,title,client_id,client,connection,scanner,backup_at,backup_status,tags\nsite-1,u,t,,,,,,,\n",
                &["site-1 latest FULL"],
            ),
            (
                r#"[{"id":"site-1","url":"u","favicon":"x","reason":"hacked","snapshot_id":"p"}]"#,
                &["site-1 p FULL hacked"],
            ),
            ("id,url\n,u\n", &["id: blank"]),
            ("id,url,files\ns,u,yes\n", &["files: unknown_field"]),
            (
                "id,backup\ns,p\n",
                &["backup: unknown_field", "id: unknown_field"],
            ),
            // `snapshots list`
            (
                "id,created_at,status\np,2026-11-20T02:00:00Z,succeeded\n",
                &["created_at: unknown_field", "id: unknown_field"],
            ),
            ("id,site\ns,t\n", &["id: unknown_field"]),
            // `restore history`
            (
                "run,site_id,url,snapshot_id,scope,reason,outcome,base_url\nr,s,u,p,\"{\"\"include_files\"\":true}\",hacked,failed,https://a.example/api/v6/\n",
                &["s p files hacked"],
            ),
            (
                "site_id,base_url\ns,https://b.example/api/v6\n",
                &["base_url: other_service"],
            ),
            // `sites check`
            (
                r#"[{"site_id":"s","problems":["not_checked"]},{"site_id":"t","problems":["hacked","not_checked"]}]"#,
                &["t latest FULL", "left out s"],
            ),
            (
                "site_id,problems\ns,\"[\"\"not_checked\"\"]\"\n",
                &["left out s"],
            ),
            ("site_id,name\ns,n\n", &["name: unknown_field"]),
            ("site_id,snapshot_id\ns,\n", &["snapshot_id: blank"]),
            ("site_id,before\ns,\n", &["before: blank"]),
            (
                "site_id,snapshot_id,before\ns,,7d\n",
                &["s latest before FULL"],
            ),
            ("site_id,paths\ns,a\n", &["paths: unknown_field"]),
        ] {
            let expected: Vec<String> = expected
                .iter()
                .map(|line| line.replace("FULL", FULL))
                .collect();
            assert_eq!(read(text)?, expected, "{text}");
        }
        Ok(())
    }

    #[test]
    fn a_row_counts_before_the_options() -> Result<()> {
        let before = Some(Timestamp::UNIX_EPOCH);
        let defaults = Defaults {
            snapshot: RequestedSnapshot::new(LATEST, before),
            scope: RestoreScope::parse(r#"{"include_database":true}"#).ok(),
            reason: Some("typed".into()),
        };
        let text = r#"[{"site_id":"s","snapshot_id":"p","scope":{"include_files":true},"reason":"r"},
            {"site_id":"t","snapshot_id":""}]"#;
        let expected = ["s p files r", "t latest before database typed"];
        assert_eq!(read_with(text, &defaults)?, expected);
        // Without typed values, only the row without a scope is a problem.
        let expected = ["snapshot_id: blank", "scope: blank"];
        let rows = r#"[{"site_id":"s","scope":{"include_files":true},"snapshot_id":"p"},
            {"site_id":"t","snapshot_id":""},{"site_id":"u","snapshot_id":"p"}]"#;
        assert_eq!(read_with(rows, &Defaults::default())?, expected);
        Ok(())
    }

    #[test]
    fn a_table_for_people_is_not_a_list_of_sites() {
        let error = read("ID      URL        NAME\nsite-1  a.example  A\n").err();
        let message = error.map(|error| error.message.clone());
        let expected = "plan: this is a table for people; print the list with -o csv or -o ids;";
        assert!(message.is_some_and(|message| message.starts_with(expected)));
    }

    #[test]
    fn each_problem_has_its_field_and_code() -> Result<()> {
        for (text, problem) in [
            (
                r#"{"site_id":"s","before":"soon"}"#,
                "before: invalid_format",
            ),
            (r#"{"site_id":"s","site":"t"}"#, "site: contradiction"),
            (r#"{"site_id":" ","snapshot_id":"p"}"#, "site_id: blank"),
            (
                r#"{"site_id":{},"snapshot_id":"p"}"#,
                "site_id: invalid_type",
            ),
            (
                r#"{"site_id":true,"snapshot_id":"p"}"#,
                "site_id: invalid_type",
            ),
            (r#"{"site_id":"s","scope":"full"}"#, "scope: invalid_type"),
            (
                r#"{"site_id":"s","scope":{"include_files":true,"include_database":true,"paths":["a"]}}"#,
                "scope: invalid_type",
            ),
        ] {
            assert_eq!(read(text)?, [problem], "{text}");
        }
        Ok(())
    }
}
