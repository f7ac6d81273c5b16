//! The business rules of clients, which only the database can decide (spec, "Errors": 422).
//!
//! They are checked inside the transaction that then writes, so that of two rivals one loses here.

use super::details::Details;
use crate::sandbox::answer::{Problems, Refusal};
use crate::sandbox::call::Call;
use crate::sandbox::filter::fold;
use rusqlite::{OptionalExtension, Transaction};

/// Refuses what breaks a rule, all of it together. `client` is the one that is changed, "" for a new one.
pub(super) fn check(db: &Transaction<'_>, call: &Call, details: &Details, client: &str) -> Result<(), Refusal> {
    let mut problems = Problems::default();
    if let Some(email) = details.email() {
        check_email(db, call, email, client, &mut problems)?;
    }
    if client.is_empty() {
        check_quota(db, call, &mut problems)?;
    }
    for site in details.site_ids.iter().flatten() {
        check_site(db, call, site, client, &mut problems)?;
    }
    problems.unprocessable()
}

fn check_email(
    db: &Transaction<'_>,
    call: &Call,
    email: &str,
    client: &str,
    problems: &mut Problems,
) -> rusqlite::Result<()> {
    let key = fold(email);
    if key == fold(call.account.owner_email) {
        problems.add("owner_email", "email", "Is the account owner's email");
    }
    let sql = "SELECT 1 FROM clients WHERE account = ? AND email_key = ? AND id <> ?";
    if db.prepare_cached(sql)?.exists((call.account.key, key, client))? {
        problems.add("already_exists", "email", "Is another client's email");
    }
    Ok(())
}

fn check_quota(db: &Transaction<'_>, call: &Call, problems: &mut Problems) -> rusqlite::Result<()> {
    let Some(most) = call.server.max_clients else {
        return Ok(());
    };
    let sql = "SELECT count(*) FROM clients WHERE account = ?";
    let clients: u32 = db.prepare_cached(sql)?.query_row([call.account.key], |row| row.get(0))?;
    if clients >= most {
        problems.add("max_quota", "base", format!("The account can't have more than {most} clients"));
    }
    Ok(())
}

fn check_site(
    db: &Transaction<'_>,
    call: &Call,
    site: &str,
    client: &str,
    problems: &mut Problems,
) -> rusqlite::Result<()> {
    let sql = "SELECT client_id FROM sites WHERE account = ? AND id = ?";
    let owner = db
        .prepare_cached(sql)?
        .query_row((call.account.key, site), |row| row.get::<_, Option<String>>(0))
        .optional()?;
    match owner {
        None => problems.add("invalid_id", "site_ids", format!("Site {site:?} is not available")),
        Some(Some(owner)) if owner != client => {
            problems.add("already_assigned", "site_ids", format!("Site {site:?} is assigned to another client"));
        }
        Some(_) => {}
    }
    Ok(())
}

/// Makes `sites` the client's, in that order, and no others; says whether that changed anything.
pub(super) fn assign(db: &Transaction<'_>, client: &str, sites: &[String]) -> rusqlite::Result<bool> {
    if assigned(db, client)? == sites {
        return Ok(false);
    }
    db.prepare_cached("UPDATE sites SET client_id = NULL WHERE client_id = ?")?.execute([client])?;
    let sql = "UPDATE sites SET client_id = ?1, position = wanted.key
               FROM json_each(?2) AS wanted WHERE sites.id = wanted.value";
    let wanted = serde_json::Value::from(sites).to_string();
    db.prepare_cached(sql)?.execute((client, wanted))?;
    Ok(true)
}

fn assigned(db: &Transaction<'_>, client: &str) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT id FROM sites WHERE client_id = ? ORDER BY position, id";
    db.prepare_cached(sql)?.query_map([client], |row| row.get(0))?.collect()
}
