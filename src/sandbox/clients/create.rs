//! `POST /clients`

use super::details::Details;
use super::{CLIENTS, rules};
use crate::sandbox::answer::{Answer, Answered, Refusal};
use crate::sandbox::call::Call;
use crate::sandbox::filter::fold;
use crate::sandbox::list;
use rusqlite::Transaction;

/// Creates a client, or leaves none.
pub(in crate::sandbox) fn create(call: &Call) -> Answered {
    let details = Details::of_new(call)?;
    let create = |db: &Transaction<'_>| {
        rules::check(db, call, &details, "")?;
        let id = insert(db, call, &details)?;
        rules::assign(db, &id, details.site_ids.as_deref().unwrap_or_default())?;
        list::one(db, &CLIENTS, call.account.key, &id)
    };
    call.write(create).map(Answer::created)
}

/// Ids are random: a caller that guesses the next one learns better, and none ever comes back.
fn insert(db: &Transaction<'_>, call: &Call, details: &Details) -> Result<String, Refusal> {
    let sql = "INSERT INTO clients (id, account, first_name, last_name, email, company_name, address, note, email_key, created_at, updated_at)
               VALUES ('client-' || lower(hex(randomblob(8))), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9) RETURNING id";
    let key = fold(details.email().unwrap_or_default());
    let [first_name, last_name, email, company_name, address, note] =
        details.texts.each_ref().map(|text| text.as_deref().unwrap_or_default());
    let values = (call.account.key, first_name, last_name, email, company_name, address, note, key, call.now);
    Ok(db.prepare_cached(sql)?.query_row(values, |row| row.get(0))?)
}
