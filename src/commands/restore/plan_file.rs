//! Reads a plan, one restore per row.

use super::args::{Args, Time, parse_json_object};
use super::check::CheckedRestore;
use super::requested::{Defaults, RequestedRestore, RequestedSnapshot};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{ColumnKind, Columns, Document, InputRow};
use crate::resources::{RESTORES, Record, SITE_CHECKS, SITES, SNAPSHOTS, Scope, scalar_text};
use crate::shell::refuse_rewritten_path;
use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The fields of a site's record that sitectl prints as the service sent them.
const SITE_FIELDS: [&str; 12] = [
    "home_url",
    "created_at",
    "updated_at",
    "server",
    "sync",
    "security",
    "backups",
    "uptime",
    "wp",
    "multisite",
    "health",
    "locked",
];

/// The columns that sitectl prints for sites, snapshots and restores.
static PRINTED: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let printed = [&SITES, &SNAPSHOTS, &RESTORES, &SITE_CHECKS];
    let fields = printed.iter().flat_map(|resource| resource.record_fields());
    fields.chain(SITE_FIELDS).collect()
});

pub static PLAN_COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &[
        ("site_id", ColumnKind::Text),
        ("site", ColumnKind::Text),
        // Only of `sites list`, which has a `url`, too.
        ("id", ColumnKind::Text),
        ("snapshot_id", ColumnKind::Text),
        ("before", ColumnKind::Text),
        ("files", ColumnKind::Text),
        ("database", ColumnKind::Text),
        ("paths", ColumnKind::List),
        ("tables", ColumnKind::List),
        ("subsite_ids", ColumnKind::List),
        ("scope", ColumnKind::Text),
    ],
    ignored: &PRINTED,
    keys: &["site_id", "site", "id"],
    list_field: None,
    // A file may also be a plain list of sites.
    list: Some("site_id"),
});

/// The restores that a file requests.
pub struct PlanFile {
    pub document: Document,
    /// The restores of the rows without a problem, each with the index of its row.
    pub requests: Vec<(usize, RequestedRestore)>,
    /// The problems of the text.
    problems: Vec<Detail>,
}

impl PlanFile {
    /// Reads the file of a plan, or stdin. Rows that do not specify a snapshot, a time or a scope
    /// use those of `defaults`.
    ///
    /// # Errors
    /// `Usage` if it cannot be read, `Invalid` if it is not of its format.
    pub fn read(file: &str, args: &Args, defaults: &Defaults) -> Result<Self> {
        let document = Document::read(file, args.plan_args.input_format, &PLAN_COLUMNS)?;
        let allows_blank = args.plan_args.snapshot.is_some();
        Self::parse(document, defaults, allows_blank)
    }

    /// Reads the rows. `allows_blank` is whether an empty snapshot means the default.
    fn parse(document: Document, defaults: &Defaults, allows_blank: bool) -> Result<Self> {
        let site_columns = ["site_id", "site", "id"];
        let has_sites = |row| {
            site_columns
                .iter()
                .any(|name| document.has_column(row, name))
        };
        if !document.rows.is_empty() && !document.rows.iter().any(has_sites) {
            let message = format!("{} has no column site_id", document.name);
            return Err(Error::new(Kind::Invalid, message)
                .with_hint("No changes were made. Rename the column of the sites to site_id"));
        }
        // The problems that were found while the file was parsed, such as unknown columns, come
        // first.
        let mut problems: Vec<Detail> = document.all_problems().cloned().collect();
        let mut requests = Vec::new();
        for (index, row) in document.rows.iter().enumerate() {
            let problems_before = problems.len();
            let mut reader = PlanRowReader {
                document: &document,
                row,
                defaults,
                allows_blank,
                problems: &mut problems,
            };
            let request = reader.read()?;
            if problems.len() == problems_before {
                requests.push((index, request));
            }
        }
        let mut plan = Self {
            document,
            requests,
            problems,
        };
        if !plan.lacks_scope() {
            plan.require_scopes();
        }
        Ok(plan)
    }

    /// Adds a problem for each row without a scope.
    fn require_scopes(&mut self) {
        let document = &self.document;
        let problems = &mut self.problems;
        self.requests.retain(|(index, request)| {
            if request.scope.is_none() {
                let message = "No restore scope specified; set files or database";
                let row = &document.rows[*index];
                problems.push(document.detail(row, "files", "blank", message));
            }
            request.scope.is_some()
        });
    }

    /// Whether no row has a scope, and so one scope is missing for all.
    pub fn lacks_scope(&self) -> bool {
        !self.requests.is_empty() && self.requests.iter().all(|(_, one)| one.scope.is_none())
    }

    /// Returns the restores, if all can be started. `results` are those of the requests, in their
    /// order. In a plain list, several pages of a site are one restore.
    ///
    /// # Errors
    /// `Invalid` with every problem of the file at once: those of the text, restores that cannot be
    /// started, and sites with several rows.
    pub fn require_valid(
        &self,
        results: Vec<Result<CheckedRestore>>,
    ) -> Result<Vec<CheckedRestore>> {
        let document = &self.document;
        let mut problems = self.problems.clone();
        let mut checked: Vec<CheckedRestore> = Vec::new();
        let mut first_rows: HashMap<String, &InputRow> = HashMap::new();
        for ((index, _), result) in self.requests.iter().zip(results) {
            let row = &document.rows[*index];
            match result {
                Ok(one) => {
                    let site_id = one.restore.site_id.clone();
                    let Some(first_row) = first_rows.get(&site_id) else {
                        first_rows.insert(site_id, row);
                        checked.push(one);
                        continue;
                    };
                    if !document.is_list {
                        let first = document.locate(first_row.position, "");
                        let message = format!("'{site_id}' is also in {first}");
                        problems.push(document.detail(row, "site_id", "duplicate", message));
                    }
                }
                Err(error) if error.details.is_empty() => {
                    problems.push(document.detail(row, "", error.kind.name(), &*error.message));
                }
                Err(error) => {
                    for detail in &error.details {
                        let message = detail.message.as_str();
                        problems.push(document.detail(row, &detail.param, detail.code(), message));
                    }
                }
            }
        }
        document.refuse(problems)?;
        Ok(checked)
    }
}

/// Reads one row, and collects its problems.
struct PlanRowReader<'r> {
    document: &'r Document,
    row: &'r InputRow,
    defaults: &'r Defaults,
    allows_blank: bool,
    problems: &'r mut Vec<Detail>,
}

impl PlanRowReader<'_> {
    fn read(&mut self) -> Result<RequestedRestore> {
        let problems_before = self.problems.len();
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
        if site.is_empty() && self.problems.len() == problems_before {
            self.add_problem(site_field, "blank", "Can't be blank");
        }
        Ok(RequestedRestore {
            site,
            snapshot: Some(self.read_snapshot()),
            scope: self.read_scope()?,
        })
    }

    /// Reads the snapshot. The default time applies to a row without a time of its own, and the
    /// default snapshot to a row without a snapshot.
    fn read_snapshot(&mut self) -> RequestedSnapshot {
        let text = self.read_text("snapshot_id").unwrap_or_default();
        let before = self.read_time("before");
        if text.is_empty() && self.has_field("snapshot_id") && !self.allows_blank {
            let message = "Can't be blank without --snapshot latest";
            self.add_problem("snapshot_id", "blank", message);
        }
        let default = &self.defaults.snapshot;
        let before = before.or(default.as_ref().and_then(RequestedSnapshot::before));
        let default = default.as_ref().map_or("", RequestedSnapshot::name);
        let text = if text.is_empty() { default } else { &text };
        let latest = RequestedSnapshot::Latest { before };
        RequestedSnapshot::new(text, before).unwrap_or(latest)
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

    /// Reads the scope. The default scope applies only to a row without any scope field; None if
    /// there is none.
    fn read_scope(&mut self) -> Result<Option<Box<RawValue>>> {
        if self.row.value("scope").is_some() {
            return Ok(self.read_scope_json());
        }
        let fields = ["files", "database", "paths", "tables", "subsite_ids"];
        if fields.iter().all(|field| self.row.value(field).is_none()) {
            return Ok(self.defaults.scope.clone());
        }
        let problems_before = self.problems.len();
        let (include_files, paths) = self.read_part("files", "paths");
        let (include_database, tables) = self.read_part("database", "tables");
        let subsite_ids = self.read_list("subsite_ids");
        let scope = Scope {
            include_files,
            include_database,
            paths,
            tables,
            subsite_ids,
        };
        if self.problems.len() > problems_before {
            return Ok(None);
        }
        if !include_files && !include_database {
            self.add_problem("files", "blank", "Neither files nor database is restored");
        } else if scope.narrows_both() {
            let message = "Files and database are restored in full if both are; use two restores";
            self.add_problem("files", "contradiction", message);
        }
        scope.json().map(Some)
    }

    /// Reads the column `scope`: JSON, as `--scope-json` takes it. None after a problem.
    fn read_scope_json(&mut self) -> Option<Box<RawValue>> {
        if self.defaults.scope.is_some() {
            let message = "Cannot be combined with the scope options";
            self.add_problem("scope", "contradiction", message);
            return None;
        }
        let value = self.row.value("scope")?;
        let json = value.as_str().map_or(value.to_string(), String::from);
        let is_valid = |scope: &RawValue| {
            let scope = Record::new(scope.to_owned());
            let flags = ["include_files", "include_database"].map(|name| scope.value(name));
            flags.iter().flatten().all(Value::is_boolean)
        };
        let scope = parse_json_object(&json).ok();
        let scope = scope.filter(|scope| is_valid(scope));
        if scope.is_none() {
            let message = "Must be a JSON object; include_files and include_database are booleans";
            self.add_problem("scope", "invalid_type", message);
        }
        scope
    }

    /// Reads one part of the scope, the files or the database: whether it is restored, and the
    /// paths or tables that narrow it. A row with such a list may leave out the flag.
    fn read_part(&mut self, flag_field: &str, list_field: &str) -> (bool, Vec<String>) {
        let is_included = self.read_flag(flag_field);
        let names = self.read_list(list_field);
        if list_field == "paths"
            && let Some(problem) = names
                .iter()
                .find_map(|name| refuse_rewritten_path(name).err())
        {
            self.add_problem(list_field, "invalid_format", problem);
        }
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

    fn rows(text: &str, format: InputFormat) -> Result<Vec<RequestedRestore>> {
        let defaults = Defaults::default();
        requests(text, format, &defaults)
    }

    fn requests(
        text: &str,
        format: InputFormat,
        defaults: &Defaults,
    ) -> Result<Vec<RequestedRestore>> {
        let document = Document::parse("plan", text, format, &PLAN_COLUMNS)?;
        let plan = PlanFile::parse(document, defaults, false)?;
        plan.require_valid(Vec::new())?;
        Ok(plan.requests.into_iter().map(|(_, one)| one).collect())
    }

    fn scopes(text: &str, format: InputFormat) -> Vec<String> {
        let rows = rows(text, format).unwrap_or_default();
        rows.iter()
            .flat_map(|row| &row.scope)
            .map(|scope| scope.get().to_string())
            .collect()
    }

    #[test]
    fn a_row_means_the_same_in_each_format() {
        let csv = "site_id,snapshot_id,files,database,paths,tables,subsite_ids\n\
                   s1,latest,yes,TRUE,,,\ns2,p2,,,a/b;c d,,2;3\ns3,p3,no,1,,wp_posts,\n";
        let json = r#"[{"site_id":"s1","snapshot_id":"latest","files":true,"database":true},
            {"site_id":"s2","snapshot_id":"p2","paths":["a/b","c d"],"subsite_ids":[2,"3"]},
            {"site_id":"s3","snapshot_id":"p3","files":false,"database":1,"tables":["wp_posts"]}]"#;
        let expected = [
            r#"{"include_files":true,"include_database":true}"#,
            r#"{"include_files":true,"include_database":false,"paths":["a/b","c d"],"subsite_ids":["2","3"]}"#,
            r#"{"include_files":false,"include_database":true,"tables":["wp_posts"]}"#,
        ];
        for (text, format) in [(csv, InputFormat::Csv), (json, InputFormat::Json)] {
            assert_eq!(scopes(text, format), expected, "{format:?}");
        }
        // It would be sent as a text.
        let text =
            r#"[{"site_id":"s1","scope":{"include_files":"true","include_database":false}}]"#;
        assert!(rows(text, InputFormat::Json).is_err());
    }

    /// Returns the field in the position of a detail.
    fn field(detail: &Detail) -> &str {
        let position = detail.position.as_deref().unwrap_or_default();
        let separators = [", field ", ", column "];
        let mut fields = separators.iter().filter_map(|one| position.split_once(one));
        let (_, field) = fields.next().unwrap_or_default();
        field.split(" (").next().unwrap_or_default()
    }

    /// Returns the sites of a plan with their snapshots, or the fields and codes of its problems.
    fn sites(text: &str) -> Result<Vec<String>> {
        let defaults = Defaults {
            scope: Some(Box::default()),
            ..Defaults::default()
        };
        let format = InputFormat::detect("plan.txt", text, &PLAN_COLUMNS)?;
        let mut sites = Vec::new();
        match requests(text, format, &defaults) {
            Ok(rows) => {
                for row in rows {
                    let snapshot = row.snapshot.as_ref().map(RequestedSnapshot::name);
                    sites.push(format!("{} {}", row.site, snapshot.unwrap_or_default()));
                }
            }
            Err(error) if error.details.is_empty() => return Err(error),
            Err(error) => {
                for detail in &error.details {
                    sites.push(format!("{}: {}", field(detail), detail.code()));
                }
            }
        }
        Ok(sites)
    }

    #[test]
    fn lists_of_sites_and_of_latest_snapshots_are_plans() -> Result<()> {
        for (text, expected) in [
            // A plain list with comments.
            (
                "# from the hoster's mail: \n\nsite-1\n  \nhttps://a.example/wp-login.php\n#site-2\nb.example\n",
                &[
                    "site-1 latest",
                    "https://a.example/wp-login.php latest",
                    "b.example latest",
                ][..],
            ),
            ("# url\nsite\nsite-1\n", &["site-1 latest"]),
            (
                r#"["site-1", "b.example"]"#,
                &["site-1 latest", "b.example latest"],
            ),
            ("[7]", &[": invalid_type"]),
            // `sites list`
            (
                "id,url,title,client_id,client,connection,scanner,backup_at,backup_status,tags\nsite-1,u,t,,,,,,,\n",
                &["site-1 latest"],
            ),
            (
                r#"[{"id":"site-1","url":"u","tags":[{"a":1}],"multisite":true}]"#,
                &["site-1 latest"],
            ),
            ("id,url\n,u\n", &["id: blank"]),
            ("id,url,Snapshot\ns,u,p\n", &["Snapshot: unknown_field"]),
            (
                "id,backup_id\ns,p\n",
                &["backup_id: unknown_field", "id: unknown_field"],
            ),
            // `snapshots list`
            (
                "id,created_at,status\np,2026-11-20T02:00:00Z,succeeded\n",
                &["id: unknown_field"],
            ),
            ("id,site\ns,t\n", &["id: unknown_field"]),
            (r#"[{"id":"s"},{"site_id":"t"}]"#, &["id: unknown_field"]),
            (
                "site_id,name,snapshot_id\ns,n,p\n",
                &["name: unknown_field"],
            ),
            ("site_id,snapshot_id\ns,\n", &["snapshot_id: blank"]),
        ] {
            assert_eq!(sites(text)?, expected, "{text}");
        }
        Ok(())
    }

    #[test]
    fn a_table_for_people_is_not_a_list_of_sites() {
        let error = sites("ID      URL        NAME\nsite-1  a.example  A\n").err();
        let message = error.map(|error| error.message.clone());
        let expected = "plan: this is a table for people; print the list with -o csv or -o ids";
        assert_eq!(message.as_deref(), Some(expected));
    }

    #[test]
    fn a_row_that_ends_before_its_list_does_not_restore_everything() {
        let rows = |row: &str| rows(&format!("site_id,files,paths\n{row}\n"), InputFormat::Csv);
        assert!(rows("s,yes,").is_ok());
        assert!(rows("s,yes").is_err());
    }

    #[test]
    fn each_problem_has_its_field_and_code() {
        let cases = [
            (
                r#"{"site_id":"","snapshot_id":"p","files":true}"#,
                "site_id",
                "blank",
            ),
            (
                r#"{"site_id":"s","before":"soon","files":true}"#,
                "before",
                "invalid_format",
            ),
            (
                r#"{"site_id":"s","snapshot_id":"p","database":true,"files":true,"paths":["a"]}"#,
                "files",
                "contradiction",
            ),
            (
                r#"{"site_id":"s","site":"t","files":true}"#,
                "site",
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
                .map(|detail| (self::field(detail), detail.code()))
                .collect();
            assert_eq!(found, [(field, code)], "{text}");
        }
    }
}
