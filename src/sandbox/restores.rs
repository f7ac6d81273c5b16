//! Starts restores (spec, "Site restore") and syncs, and cancels them.

use super::request::{self, ApiRequest};
use super::resources::{SITES, TASKS};
use super::response::{ApiError, ApiResult, Problems};
use super::{list, tasks, time};
use axum::http::StatusCode;
use rusqlite::Transaction;
use serde_json::{Map, Value};

/// The site whose restores and syncs always fail.
const FAILING_SITE: &str = "site-0013";

/// The scope of a restore.
struct Scope {
    include_files: bool,
    include_database: bool,
    paths: Vec<String>,
    tables: Vec<String>,
    subsite_ids: Vec<String>,
}

/// `POST /sites/{site_id}/backups/{snapshot_id}/restore`: starts a restore, unless another task of
/// the site is running. A missing site or snapshot is reported first, then problems of the body,
/// then broken rules.
pub fn start_restore(request: &ApiRequest) -> ApiResult {
    request.state.store.write(|db| {
        let site_id = request.path_parameter("site_id");
        let site = list::read_record(db, &SITES, request, site_id)?;
        let snapshot = request.path_parameter("snapshot_id");
        let snapshot_status = list::read_snapshot_status(db, site_id, snapshot)?;
        let scope = Scope::parse(request)?;
        check_rules(&scope, site["site"]["multisite"] == true, &snapshot_status)?;
        let id = insert_task(db, request, scope.include_files, scope.include_database)?;
        list::read_record(db, &TASKS, request, &id)
    })
}

/// `POST /sites/{site_id}/sync`: starts a sync of a connected site, unless another task of the site
/// is running. The snapshot of the site is inserted, but `views.sql` hides it until the sync
/// has succeeded.
pub fn start_sync(request: &ApiRequest) -> ApiResult {
    request.state.store.write(|db| {
        let site_id = request.path_parameter("site_id");
        let site = list::read_record(db, &SITES, request, site_id)?;
        if site["site"]["connection"]["status"] != "connected" {
            let message = "The site is disconnected.";
            return Err(ApiError::new(StatusCode::CONFLICT, message));
        }
        let id = insert_task(db, request, true, true)?;
        let sql = "INSERT INTO main.snapshots \
                       (id, account, site_id, created_at, status, backups, security)
                   SELECT replace(?, 'task', 'snap'), account, id, ?, 'succeeded',
                          (SELECT backups FROM snapshots
                           WHERE site_id = sites.id AND status = 'succeeded'),
                          json_remove(security, '$.scanner.malware_detected_at',
                                                '$.scanner.last_check_at')
                   FROM sites WHERE id = ?";
        let taken_at = time::format_seconds(request.now);
        db.prepare_cached(sql)?.execute((&id, taken_at, site_id))?;
        list::read_record(db, &TASKS, request, &id)
    })
}

/// `POST /tasks/{id}/cancel`: ends a task that has not ended.
pub fn cancel_task(request: &ApiRequest) -> ApiResult {
    let id = request.path_parameter("id");
    request.state.store.write(|db| {
        let before = list::read_record(db, &TASKS, request, id)?;
        if !before["task"]["finished_at"].is_null() {
            return Err(ApiError::new(StatusCode::CONFLICT, "The task has ended."));
        }
        let sql = "UPDATE tasks SET canceled_at = ? WHERE id = ?";
        db.prepare_cached(sql)?.execute((request.now, id))?;
        list::read_record(db, &TASKS, request, id)
    })
}

impl Scope {
    fn parse(request: &ApiRequest) -> Result<Scope, ApiError> {
        let body = request.body_object()?;
        let restore = request::child_object(&body, "restore")?;
        let scope = request::child_object(restore, "scope")?;
        let mut problems = Problems::default();
        let scope = Scope {
            include_files: parse_flag(scope, "include_files", &mut problems),
            include_database: parse_flag(scope, "include_database", &mut problems),
            paths: parse_list(scope, "paths", &mut problems),
            tables: parse_list(scope, "tables", &mut problems),
            subsite_ids: parse_list(scope, "subsite_ids", &mut problems),
        };
        problems.bad_request_if_any()?;
        Ok(scope)
    }
}

/// Returns a required flag; false if it has a problem.
fn parse_flag(scope: &Map<String, Value>, name: &str, problems: &mut Problems) -> bool {
    match scope.get(name) {
        None | Some(Value::Null) => problems.add_blank(name),
        Some(Value::Bool(flag)) => return *flag,
        Some(_) => problems.add_wrong_type(name, "a boolean"),
    }
    false
}

/// Returns an optional list. An empty list does not narrow the scope.
fn parse_list(scope: &Map<String, Value>, name: &str, problems: &mut Problems) -> Vec<String> {
    match scope.get(name) {
        None => Vec::new(),
        Some(value) => request::distinct_strings(value, name, problems),
    }
}

fn check_rules(scope: &Scope, is_multisite: bool, snapshot_status: &str) -> Result<(), ApiError> {
    let mut problems = Problems::default();
    if snapshot_status != "succeeded" {
        let message =
            format!("The snapshot is {snapshot_status}; only one that succeeded can be restored");
        problems.add("not_succeeded", "snapshot_id", message);
    }
    if !scope.include_files && !scope.include_database {
        let message = "At least one of include_files and include_database must be true";
        problems.add("empty_scope", "scope", message);
    }
    if scope.paths.iter().any(|path| !path.starts_with("./")) {
        problems.add("invalid_path", "paths", "Must begin with ./");
    }
    if !scope.paths.is_empty() && !scope.include_files {
        let message = "Needs include_files to be true";
        problems.add("files_excluded", "paths", message);
    }
    if !scope.tables.is_empty() && !scope.include_database {
        let message = "Needs include_database to be true";
        problems.add("database_excluded", "tables", message);
    }
    if !scope.subsite_ids.is_empty() && !is_multisite {
        let message = "The site is not a multisite";
        problems.add("not_multisite", "subsite_ids", message);
    }
    problems.unprocessable_if_any()
}

/// Inserts a task of a site that has no other one, and returns its id.
fn insert_task(
    db: &Transaction<'_>,
    request: &ApiRequest,
    files: bool,
    database: bool,
) -> Result<String, ApiError> {
    let site = request.path_parameter("site_id");
    if tasks::has_unfinished_task(db, site, request.now)? {
        let message = "Another task of this site is still running.";
        return Err(ApiError::new(StatusCode::CONFLICT, message));
    }
    let will_fail = site == FAILING_SITE;
    let mut duration = time::duration_millis(request.state.options.restore_time);
    if will_fail {
        // A failing task ends when its progress is `FAILURE_PERCENT`.
        duration = duration / 100 * tasks::FAILURE_PERCENT;
    }
    let values = (
        request.account.key,
        site,
        request.path_parameter("snapshot_id"),
        files,
        database,
        will_fail,
        request.now,
        request.now.saturating_add(duration),
    );
    let sql = "INSERT INTO tasks (id, account, site_id, snapshot_id,
                                  files, database, will_fail, created_at, ends_at)
               VALUES ('task-' || lower(hex(randomblob(8))), ?, ?, nullif(?, ''),
                       ?, ?, ?, ?, ?) RETURNING id";
    let mut insert = db.prepare_cached(sql)?;
    Ok(insert.query_row(values, |row| row.get(0))?)
}
