//! `POST /clients/delete`

use crate::sandbox::answer::{Answer, Answered, Problems, Refusal};
use crate::sandbox::body;
use crate::sandbox::call::Call;
use rusqlite::Transaction;
use serde_json::{Value, json};

/// Deletes the clients that there are, and says of each other id why not. An id given twice counts once.
pub(in crate::sandbox) fn delete(call: &Call) -> Answered {
    let ids = ids(call)?;
    let delete = |db: &Transaction<'_>| {
        let (mut deleted, mut errors) = (Vec::new(), Vec::new());
        let mut statement = db.prepare_cached("DELETE FROM clients WHERE account = ? AND id = ?")?;
        for id in &ids {
            match statement.execute((call.account.key, id))? {
                0 => errors.push(json!({ "id": id, "code": "not_found", "message": "Client not found." })),
                _ => deleted.push(id),
            }
        }
        let meta = json!({ "requested": ids.len(), "succeeded": deleted.len(), "failed": errors.len() });
        Ok(json!({ "delete": { "ids": deleted, "errors": errors }, "meta": meta }).to_string().into_bytes())
    };
    call.write(delete).map(Answer::ok)
}

fn ids(call: &Call) -> Result<Vec<String>, Refusal> {
    let (body, mut problems) = (call.payload.object()?, Problems::default());
    let ids = match body.get("ids") {
        Some(Value::Array(items)) if items.is_empty() => None,
        Some(value) if !value.is_null() => Some(body::strings(value, "ids", &mut problems)),
        _ => None,
    };
    if ids.is_none() {
        problems.blank("ids");
    }
    problems.invalid().map(|()| ids.unwrap_or_default())
}
