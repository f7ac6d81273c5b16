//! `POST /sites/{site_id}/backups/{snapshot_id}/restore` (spec, "Site restore")

use super::request::{self, ApiRequest};
use super::response::{ApiError, ApiResult, Problems};
use super::{tasks, time};
use axum::http::StatusCode;
use rusqlite::{OptionalExtension, Row, Transaction};
use serde_json::{Map, Value};

/// The site whose restores always fail.
const FAILING_SITE: &str = "site-0013";

/// The scope of a restore.
struct Scope {
    files: bool,
    database: bool,
    paths: bool,
    tables: bool,
    subsites: bool,
}

/// Starts a restore, unless another restore of the site is running.
pub(super) fn start(request: &ApiRequest) -> ApiResult {
    request.server.store.write(|db| {
        let (multisite, status) = source(db, request)?;
        let scope = Scope::read(request)?;
        check(&scope, multisite, &status)?;
        if tasks::is_busy(db, request.path("site_id"), request.now)? {
            let message = "A restore of this site is still running.";
            return Err(ApiError::new(StatusCode::CONFLICT, "conflict", message));
        }
        let id = insert(db, request, &scope)?;
        tasks::read(db, request.account.key, &id, request.now)
    })
}

/// `GET /tasks/{id}`
pub(super) fn show_task(request: &ApiRequest) -> ApiResult {
    let (account, id) = (request.account.key, request.path("id"));
    request
        .server
        .store
        .read(|db| tasks::read(db, account, id, request.now))
}

/// Returns whether the site is a multisite, and the status of the snapshot.
fn source(db: &Transaction<'_>, request: &ApiRequest) -> Result<(bool, String), ApiError> {
    let (account, site, snapshot) = (
        request.account.key,
        request.path("site_id"),
        request.path("snapshot_id"),
    );
    let sql = "SELECT multisite, status FROM sites LEFT JOIN snapshots ON site_id = sites.id AND snapshots.id = ?
               WHERE sites.account = ? AND sites.id = ?";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found = db
        .prepare_cached(sql)?
        .query_row((snapshot, account, site), read)
        .optional()?;
    let (multisite, status): (bool, Option<String>) =
        found.ok_or_else(|| ApiError::not_found("Site"))?;
    Ok((
        multisite,
        status.ok_or_else(|| ApiError::not_found("Snapshot"))?,
    ))
}

impl Scope {
    fn read(request: &ApiRequest) -> Result<Scope, ApiError> {
        let (body, mut problems) = (request.object()?, Problems::default());
        let restore = request::child(&body, "restore", &mut problems);
        let Some(scope) =
            restore.and_then(|restore| request::child(restore, "scope", &mut problems))
        else {
            return Err(problems.bad_request());
        };
        let scope = Scope {
            files: flag(scope, "include_files", &mut problems),
            database: flag(scope, "include_database", &mut problems),
            paths: selection(scope, "paths", &mut problems),
            tables: selection(scope, "tables", &mut problems),
            subsites: selection(scope, "subsite_ids", &mut problems),
        };
        problems.check().map(|()| scope)
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

/// Whether `name` narrows the scope. An empty list does not.
fn selection(scope: &Map<String, Value>, name: &str, problems: &mut Problems) -> bool {
    match scope.get(name) {
        None => false,
        Some(value) => !request::strings(value, name, problems).is_empty(),
    }
}

fn check(scope: &Scope, multisite: bool, status: &str) -> Result<(), ApiError> {
    let mut problems = Problems::default();
    if status != "succeeded" {
        let message = format!("The snapshot is {status}; only one that succeeded can be restored");
        problems.add("not_succeeded", "snapshot_id", message);
    }
    if !scope.files && !scope.database {
        problems.add(
            "empty_scope",
            "scope",
            "At least one of include_files and include_database must be true",
        );
    }
    if scope.paths && !scope.files {
        problems.add("files_excluded", "paths", "Needs include_files to be true");
    }
    if scope.tables && !scope.database {
        problems.add(
            "database_excluded",
            "tables",
            "Needs include_database to be true",
        );
    }
    if scope.subsites && !multisite {
        problems.add(
            "not_multisite",
            "subsite_ids",
            "The site is not a multisite",
        );
    }
    problems.check_rules()
}

fn insert(db: &Transaction<'_>, request: &ApiRequest, scope: &Scope) -> Result<String, ApiError> {
    let sql = "INSERT INTO tasks (id, account, site_id, snapshot_id, files, database, will_fail, created_at, ends_at)
               VALUES ('task-' || lower(hex(randomblob(8))), ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id";
    let (site, snapshot) = (request.path("site_id"), request.path("snapshot_id"));
    let (will_fail, duration) = (
        site == FAILING_SITE,
        time::millis(request.server.options.restore_time),
    );
    let duration = if will_fail {
        duration / 100 * tasks::FAILS_AT
    } else {
        duration
    };
    let ends_at = request.now.saturating_add(duration);
    let (account, now) = (request.account.key, request.now);
    let values = (
        account,
        site,
        snapshot,
        scope.files,
        scope.database,
        will_fail,
        now,
        ends_at,
    );
    Ok(db
        .prepare_cached(sql)?
        .query_row(values, |row| row.get(0))?)
}
