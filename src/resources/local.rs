//! sitectl's own records: the restores of the journal and the profiles of the config file.

use super::FieldKind::{Age, Id, Ids, Name, State, Time};
use super::scope::render_scope;
use super::service::{render_url, site_name};
use super::{Field, OUTCOMES, TABLE, Table};
use crate::config::duration::format_duration;
use jiff::Timestamp;
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
pub static RESTORES: Table = Table {
    plural: "restores",
    id_field: "task_id",
    fields: &[
        SITE,
        Field::with_column("run", "RUN").with_kind(Id),
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
        Field::new("backup_id").with_kind(Id),
        Field::with_column("user", "USER").with_kind(Name),
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
    priority: &[
        "site",
        "outcome",
        "started_at",
        "user",
        "reason",
        "taken_at",
        "age",
        "note",
        "seconds",
        "scanner",
        "scope",
        "profile",
        "ci_url",
        "snapshot_id",
        "task_id",
        "run",
    ],
};

/// The sites that need attention.
pub static SITE_CHECKS: Table = Table {
    plural: "sites that need attention",
    id_field: "site_id",
    fields: &[
        SITE,
        SITE_ID,
        URL,
        Field::with_column("title", "TITLE").with_kind(Name),
        Field::new("client_id").with_kind(Id),
        Field::with_column("client", "CLIENT").with_kind(Name),
        Field::with_column("problems", "PROBLEMS")
            .with_kind(Ids)
            .rendered_by(render_all),
        Field::with_column("hacked_since", "HACKED SINCE").with_kind(Time),
        Field::with_column("snapshot_at", "LAST BACKUP").with_kind(Age),
        Field::with_column("snapshot_status", "STATUS").with_kind(State(&[])),
        Field::with_column("restored_at", "RESTORED").with_kind(Time),
    ],
    column_order: &[
        "site",
        "problems",
        "restored_at",
        "snapshot_at",
        "snapshot_status",
        "hacked_since",
        "client",
        "title",
        "site_id",
    ],
    priority: &[
        "site",
        "problems",
        "restored_at",
        "snapshot_at",
        "client",
        "snapshot_status",
        "hacked_since",
        "title",
    ],
};

/// The profiles of the config file, without their tokens.
pub static PROFILES: Table = Table {
    plural: "profiles",
    id_field: "name",
    fields: &[
        Field::with_column("name", "NAME").with_kind(Name),
        Field::with_column("current", "CURRENT").rendered_by(render_mark),
        Field::with_column("base_url", "BASE URL").with_kind(Name),
        Field::with_column("token_source", "TOKEN"),
        Field::with_column("protected", "PROTECTED").rendered_by(render_mark),
        Field::with_column("read_only", "READ ONLY").rendered_by(render_mark),
        Field::with_column("output", "OUTPUT"),
        Field::with_column("per_page", "PER PAGE"),
    ],
    ..TABLE
};

/// The steps of the plan of a change, whose columns are those of the records.
pub static STEPS: Table = Table {
    plural: "changes",
    ..TABLE
};

/// The exit codes of sitectl.
pub static EXIT_CODE_TABLE: Table = Table {
    plural: "exit codes",
    id_field: "kind",
    ..TABLE
};

/// Renders all items of a list of names.
fn render_all(json: &str) -> Option<String> {
    let names: Vec<String> = serde_json::from_str(json).ok()?;
    Some(names.join(", "))
}

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
