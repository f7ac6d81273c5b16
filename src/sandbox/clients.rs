//! Clients (spec, "Clients"): the record, and create, update and delete.

use super::filter::fold;
use super::list;
use super::request::{self, ApiRequest};
use super::resource::{Field, Format};
use super::resources::CLIENTS;
use super::response::{ApiError, ApiResult, Problems};
use rusqlite::{OptionalExtension, Transaction, params_from_iter};
use serde_json::{Map, Value, json};

/// `POST /clients`: creates a client, or changes nothing.
pub(super) fn create(request: &ApiRequest) -> ApiResult {
    let details = Details::read(request, true)?;
    request.server.store.write(|db| {
        details.check_rules(db, request, "")?;
        // A random id, so that the ids of deleted clients are not reused.
        let sql = "INSERT INTO clients (id, account, created_at, updated_at)
                   VALUES ('client-' || lower(hex(randomblob(8))), ?1, ?2, ?2) RETURNING id";
        let id: String = db
            .prepare_cached(sql)?
            .query_row((request.account.key, request.now), |row| row.get(0))?;
        details.write(db, &id)?;
        list::read(db, &CLIENTS, request.account.key, &id)
    })
}

/// `POST /clients/{id}/update`: changes the fields in the body, or nothing. `site_ids` replaces the list.
pub(super) fn update(request: &ApiRequest) -> ApiResult {
    let (id, account) = (request.path("id"), request.account.key);
    request.server.store.write(|db| {
        // An unknown client is reported before problems of the body.
        let before = list::read(db, &CLIENTS, account, id)?;
        let details = Details::read(request, false)?;
        details.check_rules(db, request, id)?;
        details.write(db, id)?;
        let after = list::read(db, &CLIENTS, account, id)?;
        if after == before {
            return Ok(after);
        }
        // So that two changes within one millisecond have different times.
        let sql = "UPDATE clients SET updated_at = max(updated_at + 1, ?) WHERE id = ?";
        db.prepare_cached(sql)?.execute((request.now, id))?;
        list::read(db, &CLIENTS, account, id)
    })
}

/// `POST /clients/delete`: deletes existing clients, and reports unknown ids. A repeated id counts once.
pub(super) fn delete(request: &ApiRequest) -> ApiResult {
    let ids = ids(request)?;
    request.server.store.write(|db| {
        let (mut deleted, mut errors) = (Vec::new(), Vec::new());
        let mut statement =
            db.prepare_cached("DELETE FROM clients WHERE account = ? AND id = ?")?;
        for id in &ids {
            match statement.execute((request.account.key, id))? {
                0 => errors
                    .push(json!({ "id": id, "code": "not_found", "message": "Client not found." })),
                _ => deleted.push(id),
            }
        }
        let meta =
            json!({ "requested": ids.len(), "succeeded": deleted.len(), "failed": errors.len() });
        Ok(json!({ "delete": { "ids": deleted, "errors": errors }, "meta": meta }))
    })
}

fn ids(request: &ApiRequest) -> Result<Vec<String>, ApiError> {
    let (body, mut problems) = (request.object()?, Problems::default());
    let ids = match body.get("ids") {
        Some(value) if *value != Value::Null && *value != json!([]) => {
            request::strings(value, "ids", &mut problems)
        }
        _ => {
            problems.blank("ids");
            Vec::new()
        }
    };
    problems.check().map(|()| ids)
}

/// The fields of a client in a valid body.
struct Details {
    /// Column and value of each field in the body.
    texts: Vec<(&'static str, String)>,
    /// Without duplicates.
    site_ids: Option<Vec<String>>,
}

impl Details {
    /// Parses the body of a create, or of an update, whose body and fields are optional.
    fn read(request: &ApiRequest, create: bool) -> Result<Details, ApiError> {
        let (body, mut problems) = (request.object()?, Problems::default());
        let nothing = Map::new();
        let client = match create || body.contains_key("client") {
            true => request::child(&body, "client", &mut problems),
            false => Some(&nothing),
        };
        let Some(client) = client else {
            return Err(problems.bad_request());
        };
        let mut texts = Vec::new();
        for field in CLIENTS.fields {
            let text = field
                .input
                .and_then(|format| text(client, field, format, create, &mut problems));
            texts.extend(text.map(|text| (field.name, text)));
        }
        if let Some(email) = texts
            .iter()
            .find(|(name, _)| *name == "email")
            .map(|(_, email)| fold(email))
        {
            texts.push(("email_key", email));
        }
        let site_ids = client
            .get("site_ids")
            .map(|value| request::strings(value, "site_ids", &mut problems));
        problems.check().map(|()| Details { texts, site_ids })
    }

    /// Reports every broken business rule (spec, "Errors": 422). `client` is the id of the updated client, or empty on create.
    ///
    /// Runs in the transaction that writes, so that one of two conflicting requests fails here.
    fn check_rules(
        &self,
        db: &Transaction<'_>,
        request: &ApiRequest,
        client: &str,
    ) -> Result<(), ApiError> {
        let (account, mut problems) = (request.account, Problems::default());
        if let Some((_, key)) = self.texts.iter().find(|(name, _)| *name == "email_key") {
            if *key == fold(account.owner_email) {
                problems.add("owner_email", "email", "Is the account owner's email");
            }
            let sql = "SELECT 1 FROM clients WHERE account = ? AND email_key = ? AND id <> ?";
            if db.prepare_cached(sql)?.exists((account.key, key, client))? {
                problems.add("already_exists", "email", "Is another client's email");
            }
        }
        if let (Some(most), "") = (request.server.options.max_clients, client) {
            let sql = "SELECT count(*) FROM clients WHERE account = ?";
            let clients: u32 = db
                .prepare_cached(sql)?
                .query_row([account.key], |row| row.get(0))?;
            if clients >= most {
                problems.add(
                    "max_quota",
                    "base",
                    format!("The account can't have more than {most} clients"),
                );
            }
        }
        for site in self.site_ids.iter().flatten() {
            let sql = "SELECT client_id FROM sites WHERE account = ? AND id = ?";
            let mut statement = db.prepare_cached(sql)?;
            match statement
                .query_row((account.key, site), |row| row.get::<_, Option<String>>(0))
                .optional()?
            {
                None => problems.add(
                    "invalid_id",
                    "site_ids",
                    format!("Site {site:?} is not available"),
                ),
                Some(Some(owner)) if owner != client => {
                    let message = format!("Site {site:?} is assigned to another client");
                    problems.add("already_assigned", "site_ids", message);
                }
                Some(_) => {}
            }
        }
        problems.check_rules()
    }

    /// Writes the fields to the client.
    fn write(&self, db: &Transaction<'_>, client: &str) -> Result<(), ApiError> {
        if !self.texts.is_empty() {
            let columns: Vec<_> = self
                .texts
                .iter()
                .map(|(name, _)| format!("{name} = ?"))
                .collect();
            let sql = format!("UPDATE clients SET {} WHERE id = ?", columns.join(", "));
            let values = self
                .texts
                .iter()
                .map(|(_, text)| text.as_str())
                .chain([client]);
            db.prepare_cached(&sql)?.execute(params_from_iter(values))?;
        }
        if let Some(sites) = &self.site_ids {
            db.prepare_cached("UPDATE sites SET client_id = NULL WHERE client_id = ?")?
                .execute([client])?;
            let sql = "UPDATE sites SET client_id = ?1, position = sent.key
                       FROM json_each(?2) AS sent WHERE sites.id = sent.value";
            db.prepare_cached(sql)?
                .execute((client, Value::from(sites.as_slice()).to_string()))?;
        }
        Ok(())
    }
}

/// Checks the text of a field; `None` if it is missing or not a text (spec, "Errors": 400).
fn text(
    client: &Map<String, Value>,
    Field { name, required, .. }: &Field,
    format: Format,
    create: bool,
    problems: &mut Problems,
) -> Option<String> {
    match (client.get(*name), format) {
        (None, _) if !(*required && create) => {}
        (None | Some(Value::Null), _) if *required => problems.blank(name),
        (Some(Value::String(text)), _) if *required && text.trim().is_empty() => {
            problems.blank(name)
        }
        (Some(Value::String(text)), Format::Length(most)) if text.chars().count() > most => {
            problems.add(
                "too_long",
                *name,
                format!("Is too long (maximum is {most} characters)"),
            );
        }
        (Some(Value::String(text)), Format::Email) if !is_email(text) => {
            problems.add("invalid_format", *name, "Invalid email format");
        }
        (Some(Value::String(text)), _) => return Some(text.clone()),
        _ => problems.wrong_type(name, "a string"),
    }
    None
}

/// Requires one `@`, a domain with a dot, and no spaces, control characters, quotes or brackets.
fn is_email(text: &str) -> bool {
    let forbidden = |letter: char| {
        letter.is_whitespace() || letter.is_control() || "()<>[],;:\\\"".contains(letter)
    };
    text.split_once('@').is_some_and(|(local, domain)| {
        let labels = domain.contains('.') && domain.split('.').all(|label| !label.is_empty());
        !local.is_empty() && labels && !domain.contains('@') && !text.contains(forbidden)
    })
}
