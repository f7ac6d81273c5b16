//! `POST /sites/{site_id}/backups/{snapshot_id}/restore` (spec, "Site restore")

use super::answer::{Answer, Answered, Problems, Refusal};
use super::body;
use super::call::Call;
use super::list;
use super::tasks::{self, TASKS};
use rusqlite::{OptionalExtension, Transaction};
use serde_json::{Map, Value};

/// The site whose restores always fail, for practice.
const FAILING_SITE: &str = "site-0013";

/// What to restore.
struct Scope {
    files: bool,
    database: bool,
    paths: bool,
    tables: bool,
    subsites: bool,
}

/// What the rules need to know of the site and the snapshot.
struct Source {
    multisite: bool,
    status: String,
}

/// Starts the restore, unless one of the same site is under way: that is decided as the only writer.
pub(super) fn start(call: &Call) -> Answered {
    let start = |db: &Transaction<'_>| {
        let source = source(db, call)?;
        let scope = Scope::read(call)?;
        check(&source, &scope)?;
        if tasks::is_busy(db, call.path("site_id"), call.now)? {
            return Err(Refusal::conflict("A restore of this site is still running."));
        }
        let id = insert(db, call, &scope)?;
        list::one(db, &TASKS, call.account.key, &id)
    };
    call.write(start).map(Answer::created)
}

fn source(db: &Transaction<'_>, call: &Call) -> Result<Source, Refusal> {
    let (account, site, snapshot) = (call.account.key, call.path("site_id"), call.path("snapshot_id"));
    let sql = "SELECT multisite FROM sites WHERE account = ? AND id = ?";
    let multisite = db.prepare_cached(sql)?.query_row((account, site), |row| row.get(0)).optional()?;
    let multisite = multisite.ok_or_else(|| Refusal::not_found("Site"))?;
    let sql = "SELECT status FROM snapshots WHERE account = ? AND site_id = ? AND id = ?";
    let status = db.prepare_cached(sql)?.query_row((account, site, snapshot), |row| row.get(0)).optional()?;
    let status = status.ok_or_else(|| Refusal::not_found("Snapshot"))?;
    Ok(Source { multisite, status })
}

impl Scope {
    fn read(call: &Call) -> Result<Scope, Refusal> {
        let (body, mut problems) = (call.payload.object()?, Problems::default());
        let restore = body::child(&body, "restore", &mut problems);
        let Some(scope) = restore.and_then(|restore| body::child(restore, "scope", &mut problems)) else {
            return Err(problems.refusal());
        };
        let scope = Scope {
            files: flag(scope, "include_files", &mut problems),
            database: flag(scope, "include_database", &mut problems),
            paths: selection(scope, "paths", &mut problems),
            tables: selection(scope, "tables", &mut problems),
            subsites: selection(scope, "subsite_ids", &mut problems),
        };
        problems.invalid().map(|()| scope)
    }
}

fn flag(scope: &Map<String, Value>, name: &str, problems: &mut Problems) -> bool {
    match scope.get(name) {
        None | Some(Value::Null) => problems.blank(name),
        Some(Value::Bool(flag)) => return *flag,
        Some(_) => problems.wrong_type(name, "a boolean"),
    }
    false
}

/// Whether the scope is narrowed by `name`; an empty list narrows nothing, as if it were not there.
fn selection(scope: &Map<String, Value>, name: &str, problems: &mut Problems) -> bool {
    match scope.get(name) {
        None => false,
        Some(value) => !body::strings(value, name, problems).is_empty(),
    }
}

fn check(source: &Source, scope: &Scope) -> Result<(), Refusal> {
    let mut problems = Problems::default();
    if source.status != "succeeded" {
        problems.add(
            "not_succeeded",
            "snapshot_id",
            format!("The snapshot is {}; only one that succeeded can be restored", source.status),
        );
    }
    if !scope.files && !scope.database {
        problems.add("empty_scope", "scope", "At least one of include_files and include_database must be true");
    }
    if scope.paths && !scope.files {
        problems.add("files_excluded", "paths", "Needs include_files to be true");
    }
    if scope.tables && !scope.database {
        problems.add("database_excluded", "tables", "Needs include_database to be true");
    }
    if scope.subsites && !source.multisite {
        problems.add("not_multisite", "subsite_ids", "The site is not a multisite");
    }
    problems.unprocessable()
}

fn insert(db: &Transaction<'_>, call: &Call, scope: &Scope) -> Result<String, Refusal> {
    let sql = "INSERT INTO tasks (id, account, site_id, snapshot_id, files, database, will_fail, duration, created_at)
               VALUES ('task-' || lower(hex(randomblob(8))), ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id";
    let (site, snapshot) = (call.path("site_id"), call.path("snapshot_id"));
    let duration = i64::try_from(call.server.restore_time.as_millis()).unwrap_or(i64::MAX);
    let values =
        (call.account.key, site, snapshot, scope.files, scope.database, site == FAILING_SITE, duration, call.now);
    Ok(db.prepare_cached(sql)?.query_row(values, |row| row.get(0))?)
}
