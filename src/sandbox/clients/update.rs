//! `POST /clients/{client_id}/update`

use super::details::Details;
use super::{CLIENTS, rules};
use crate::sandbox::answer::{Answer, Answered, Refusal};
use crate::sandbox::call::Call;
use crate::sandbox::filter::fold;
use crate::sandbox::list;
use rusqlite::Transaction;

/// Changes what the body names, or nothing at all. A supplied `site_ids` replaces the list.
pub(in crate::sandbox) fn update(call: &Call) -> Answered {
    let (id, account) = (call.path("client_id"), call.account.key);
    let update = |db: &Transaction<'_>| {
        // Whether there is such a client comes first; what is wrong with the body, second.
        list::one(db, &CLIENTS, account, id)?;
        let details = Details::of_change(call)?;
        rules::check(db, call, &details, id)?;
        if change(db, id, &details)? {
            // Every change moves it, also two within one millisecond.
            let sql = "UPDATE clients SET updated_at = max(updated_at + 1, ?) WHERE id = ?";
            db.prepare_cached(sql)?.execute((call.now, id))?;
        }
        list::one(db, &CLIENTS, account, id)
    };
    call.write(update).map(Answer::ok)
}

/// Writes the details that are there; says whether any of them was new.
fn change(db: &Transaction<'_>, id: &str, details: &Details) -> Result<bool, Refusal> {
    let sql = "UPDATE clients SET (first_name, last_name, email, company_name, address, note, email_key)
                 = (coalesce(?2, first_name), coalesce(?3, last_name), coalesce(?4, email),
                    coalesce(?5, company_name), coalesce(?6, address), coalesce(?7, note), coalesce(?8, email_key))
               WHERE id = ?1 AND (first_name, last_name, email, company_name, address, note) IS NOT
                   (coalesce(?2, first_name), coalesce(?3, last_name), coalesce(?4, email),
                    coalesce(?5, company_name), coalesce(?6, address), coalesce(?7, note))";
    let [first_name, last_name, email, company_name, address, note] = &details.texts;
    let key = email.as_deref().map(fold);
    let values = (id, first_name, last_name, email, company_name, address, note, key);
    let texts = db.prepare_cached(sql)?.execute(values)? > 0;
    let sites = match &details.site_ids {
        Some(sites) => rules::assign(db, id, sites)?,
        None => false,
    };
    Ok(texts || sites)
}
