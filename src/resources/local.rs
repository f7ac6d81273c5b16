//! sitectl's own records: the restores of the journal and the profiles of the config file.

use super::FieldKind::{Age, Id, Name, State, Time};
use super::service::{render_url, site_name};
use super::{Field, OUTCOMES, RESOURCE, Resource};
use crate::config::duration::format_duration;
use crate::error::Result;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::time::Duration;

/// The site that a row is about: its URL or, without one, its id.
const SITE: Field = Field::with_column("site", "SITE")
    .with_kind(Name)
    .computed_by(|row| site_name(row, "site_id"))
    .rendered_by(render_url)
    .not_in_records();
const SITE_ID: Field = Field::with_column("site_id", "SITE ID").with_kind(Id);
const URL: Field = Field::new("url").with_kind(Name);
const TAKEN_AT: Field = Field::with_column("taken_at", "TAKEN")
    .with_kind(Time)
    .rendered_by(render_to_the_second);
const SNAPSHOT_ID: Field = Field::with_column("snapshot_id", "SNAPSHOT").with_kind(Id);

/// One record per restore.
pub static RESTORES: Resource = Resource {
    plural: "restores",
    specified: true,
    fields: &[
        SITE,
        Field::with_column("run", "RUN"),
        SITE_ID,
        URL,
        SNAPSHOT_ID,
        TAKEN_AT,
        Field::with_column("scope", "SCOPE").rendered_by(render_scope),
        Field::with_column("reason", "REASON"),
        Field::with_column("outcome", "OUTCOME").with_kind(State(OUTCOMES)),
        Field::with_column("task_id", "TASK").with_kind(Id),
        Field::new("status").with_kind(State(&[])),
        Field::new("progress"),
        Field::with_column("started_at", "STARTED")
            .with_kind(Time)
            .rendered_by(render_to_the_second),
        Field::new("finished_at")
            .with_kind(Time)
            .rendered_by(render_to_the_second),
        Field::with_column("seconds", "TOOK").rendered_by(render_duration),
        Field::with_column("user", "USER")
            .with_kind(Name)
            .with_narrow_width(8),
        Field::with_column("ci_url", "CI JOB").with_kind(Name),
        Field::with_column("profile", "PROFILE"),
        Field::new("base_url").with_kind(Name),
        Field::new("error"),
        Field::new("task"),
        // Only before a restore is confirmed.
        Field::with_column("age", "AGE").not_in_records(),
        Field::with_column("scanner", "SCANNER").not_in_records(),
        Field::with_column("note", "NOTE").not_in_records(),
    ],
    column_order: &[
        "site",
        "outcome",
        "started_at",
        "taken_at",
        "age",
        "scanner",
        "seconds",
        "scope",
        "note",
        "user",
        "reason",
        "profile",
        "ci_url",
        "snapshot_id",
        "task_id",
        "run",
    ],
    ..RESOURCE
};

/// The newest usable snapshot of each site.
pub static LATEST_SNAPSHOTS: Resource = Resource {
    plural: "latest snapshots",
    specified: true,
    fields: &[
        SITE,
        SITE_ID,
        URL,
        SNAPSHOT_ID,
        TAKEN_AT,
        Field::with_column("age_seconds", "AGE").rendered_by(render_duration),
        Field::with_column("scanner", "SCANNER"),
        Field::with_column("passed_over", "PASSED OVER"),
    ],
    column_order: &[
        "site",
        "taken_at",
        "age_seconds",
        "scanner",
        "passed_over",
        "snapshot_id",
    ],
    ..RESOURCE
};

/// The sites that need attention.
pub static SITE_CHECKS: Resource = Resource {
    plural: "sites that need attention",
    specified: true,
    fields: &[
        SITE,
        SITE_ID,
        URL,
        Field::with_column("title", "TITLE").with_kind(Name),
        Field::with_column("client", "CLIENT").with_kind(Name),
        Field::with_column("problems", "PROBLEMS"),
        Field::with_column("snapshot_at", "LAST BACKUP").with_kind(Age),
        Field::with_column("snapshot_status", "STATUS").with_kind(State(&[])),
    ],
    column_order: &[
        "site",
        "problems",
        "snapshot_at",
        "snapshot_status",
        "client",
        "title",
        "site_id",
    ],
    priority: &[
        "site",
        "problems",
        "snapshot_at",
        "snapshot_status",
        "client",
        "title",
    ],
    ..RESOURCE
};

/// The profiles of the config file, without their tokens.
pub static PROFILES: Resource = Resource {
    plural: "profiles",
    specified: true,
    fields: &[
        Field::with_column("name", "NAME").with_kind(Name),
        Field::with_column("current", "CURRENT").rendered_by(render_mark),
        Field::with_column("base_url", "BASE URL").with_kind(Name),
        Field::with_column("token_source", "TOKEN"),
        Field::with_column("protected", "PROTECTED").rendered_by(render_mark),
        Field::with_column("output", "OUTPUT"),
        Field::with_column("per_page", "PER PAGE"),
    ],
    ..RESOURCE
};

/// Renders true as `yes`, and false as an empty cell.
fn render_mark(json: &str) -> Option<String> {
    match json {
        "true" => Some("yes".into()),
        "false" => Some(String::new()),
        _ => None,
    }
}

/// Renders a time without fractions of a second.
fn render_to_the_second(json: &str) -> Option<String> {
    let time: Timestamp = serde_json::from_str(json).ok()?;
    Some(format!("{time:.0}"))
}

/// Renders a number of seconds as `1m 30s`.
fn render_duration(json: &str) -> Option<String> {
    Some(format_duration(Duration::from_secs(json.parse().ok()?)))
}

/// The part of a site to restore (spec, "Site restore"). Paths, tables and subsite ids are assumed
/// to be arrays of strings.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scope {
    /// Files: all, or those under `paths`.
    pub include_files: bool,
    /// The database: all tables, or `tables`.
    pub include_database: bool,
    /// Only these files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Only these tables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<String>,
    /// Only these subsites of a multisite.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subsite_ids: Vec<String>,
}

impl Scope {
    /// Returns the JSON that is sent.
    ///
    /// # Errors
    /// Never in practice, because every scope can be serialized.
    pub fn json(&self) -> Result<Box<RawValue>> {
        Ok(to_raw_value(self)?)
    }

    /// Parses a scope; None if it has more than the fields of this type. An empty list could mean
    /// everything or nothing.
    pub fn parse_exactly(json: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(json).ok()?;
        let lists = ["paths", "tables", "subsite_ids"];
        if lists
            .iter()
            .any(|name| value[name] == Value::Array(Vec::new()))
        {
            return None;
        }
        serde_json::from_value(value).ok()
    }

    /// Whether a scope includes neither files nor the database. A scope with other fields may mean
    /// something else.
    pub fn is_empty(json: &RawValue) -> bool {
        let scope = Self::parse_exactly(json.get());
        scope.is_some_and(|scope| !scope.include_files && !scope.include_database)
    }

    /// Whether the scope narrows the restore although it includes files and the database, which the
    /// service restores in full then (spec, "Site restore").
    pub fn narrows_both(&self) -> bool {
        let lists = [&self.paths, &self.tables, &self.subsite_ids];
        self.include_files && self.include_database && lists.iter().any(|list| !list.is_empty())
    }

    /// Describes a scope, such as `files, database` or `database: wp_posts, wp_users`. A scope that
    /// no text describes exactly stays JSON.
    pub fn describe(json: &RawValue) -> String {
        render_scope(json.get()).unwrap_or_else(|| json.get().into())
    }
}

/// Renders a scope as text; None if the text would not be exact.
fn render_scope(json: &str) -> Option<String> {
    let scope = Scope::parse_exactly(json)?;
    let mut parts = Vec::new();
    for (part, is_included, names) in [
        ("files", scope.include_files, &scope.paths),
        ("database", scope.include_database, &scope.tables),
    ] {
        match (is_included, names.as_slice()) {
            (true, []) => parts.push(part.to_string()),
            (true, names) => parts.push(format!("{part}: {}", names.join(", "))),
            (false, []) => {}
            // A restriction of a part that is not restored.
            (false, _) => return None,
        }
    }
    if parts.is_empty() {
        return None;
    }
    let has_names = parts.iter().any(|part| part.contains(':'));
    let text = parts.join(if has_names { "; " } else { ", " });
    match scope.subsite_ids.as_slice() {
        [] => Some(text),
        [id] => Some(format!("{text} of subsite {id}")),
        ids => Some(format!("{text} of subsites {}", ids.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_described_only_if_the_text_is_exact() {
        let cases = [
            (
                r#"{"include_files":true,"include_database":true}"#,
                Some("files, database"),
            ),
            (
                r#"{"include_files":false,"include_database":true,"tables":["a","b"]}"#,
                Some("database: a, b"),
            ),
            (
                r#"{"include_files":true,"include_database":true,"paths":["p"]}"#,
                Some("files: p; database"),
            ),
            (
                r#"{"include_files":true,"include_database":false,"subsite_ids":["2"]}"#,
                Some("files of subsite 2"),
            ),
            (r#"{"include_database": true}"#, Some("database")),
            (r#"{"include_files":true,"more":1}"#, None),
            (
                r#"{"include_files":false,"include_database":true,"paths":["p"]}"#,
                None,
            ),
            (r#"{"include_files":true,"paths":[7]}"#, None),
            ("{}", None),
            ("null", None),
        ];
        for (json, text) in cases {
            assert_eq!(render_scope(json).as_deref(), text, "{json}");
        }
    }
}
