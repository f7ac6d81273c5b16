//! Clients (spec, "Clients"): create, update and delete.

use super::filter::fold_case;
use super::list;
use super::request::{self, ApiRequest};
use super::resource::{Field, TextFormat};
use super::resources::CLIENTS;
use super::response::{ApiError, ApiResult, Problems};
use rusqlite::{OptionalExtension, Transaction, params_from_iter};
use serde_json::{Map, Value, json};

/// `POST /clients`: creates a client, or changes nothing.
pub fn create_client(request: &ApiRequest) -> ApiResult {
    let is_create = true;
    let body = ClientBody::parse(request, is_create)?;
    request.state.store.write(|db| {
        let updated_id = None;
        body.check_rules(db, request, updated_id)?;
        // A random id, so that the ids of deleted clients are not reused.
        let sql = "INSERT INTO clients (id, account, created_at, updated_at)
                   VALUES ('client-' || lower(hex(randomblob(8))), ?1, ?2, ?2) RETURNING id";
        let mut statement = db.prepare_cached(sql)?;
        let values = (request.account.key, request.now);
        let id: String = statement.query_row(values, |row| row.get(0))?;
        body.write(db, &id)?;
        list::read_record(db, &CLIENTS, request, &id)
    })
}

/// `POST /clients/{id}/update`: changes the fields in the body, or nothing. `site_ids` replaces the
/// list.
pub fn update_client(request: &ApiRequest) -> ApiResult {
    let id = request.path_parameter("id");
    request.state.store.write(|db| {
        // An unknown client is reported before problems of the body.
        let before = list::read_record(db, &CLIENTS, request, id)?;
        let is_create = false;
        let body = ClientBody::parse(request, is_create)?;
        body.check_rules(db, request, Some(id))?;
        body.write(db, id)?;
        let after = list::read_record(db, &CLIENTS, request, id)?;
        if after == before {
            return Ok(after);
        }
        // `updated_at + 1` gives two changes within one millisecond different times.
        let sql = "UPDATE clients SET updated_at = max(updated_at + 1, ?) WHERE id = ?";
        db.prepare_cached(sql)?.execute((request.now, id))?;
        list::read_record(db, &CLIENTS, request, id)
    })
}

/// `POST /clients/delete`: deletes existing clients, and reports unknown ids. A repeated id counts
/// once.
pub fn delete_clients(request: &ApiRequest) -> ApiResult {
    let ids = parse_ids(request)?;
    request.state.store.write(|db| {
        let sql = "DELETE FROM clients WHERE account = ? AND id = ?";
        let mut statement = db.prepare_cached(sql)?;
        let mut deleted = Vec::new();
        let mut errors = Vec::new();
        for id in &ids {
            if statement.execute((request.account.key, id))? > 0 {
                deleted.push(id);
            } else {
                let message = "Client not found.";
                errors.push(json!({ "id": id, "code": "not_found", "message": message }));
            }
        }
        let meta = json!({
            "requested": ids.len(),
            "succeeded": deleted.len(),
            "failed": errors.len(),
        });
        Ok(json!({ "delete": { "ids": deleted, "errors": errors }, "meta": meta }))
    })
}

fn parse_ids(request: &ApiRequest) -> Result<Vec<String>, ApiError> {
    let body = request.body_object()?;
    let mut problems = Problems::default();
    let mut ids = Vec::new();
    match body.get("ids") {
        None | Some(Value::Null) => problems.add_blank("ids"),
        Some(value) if *value == json!([]) => problems.add_blank("ids"),
        Some(value) => ids = request::distinct_strings(value, "ids", &mut problems),
    }
    problems.bad_request_if_any()?;
    Ok(ids)
}

/// The valid body of a create or update.
struct ClientBody {
    /// The values of the columns to write, including `email_key`.
    columns: Vec<(&'static str, String)>,
    /// The site ids in the body, without duplicates; `None` leaves the sites unchanged.
    site_ids: Option<Vec<String>>,
}

impl ClientBody {
    /// Parses the body of a create, or of an update, whose body and fields are optional.
    fn parse(request: &ApiRequest, is_create: bool) -> Result<ClientBody, ApiError> {
        let body = request.body_object()?;
        let no_fields = Map::new();
        let client = if is_create || body.contains_key("client") {
            request::child_object(&body, "client")?
        } else {
            &no_fields
        };
        let mut problems = Problems::default();
        let mut columns = Vec::new();
        for field in CLIENTS.fields {
            let Some(text) = parse_text(client, field, is_create, &mut problems) else {
                continue;
            };
            if field.name == "email" {
                columns.push(("email_key", fold_case(&text)));
            }
            columns.push((field.name, text));
        }
        let site_ids = client
            .get("site_ids")
            .map(|value| request::distinct_strings(value, "site_ids", &mut problems));
        problems.bad_request_if_any()?;
        Ok(ClientBody { columns, site_ids })
    }

    /// Reports every broken business rule (spec, "Errors": 422). `updated_id` is `None` on create.
    ///
    /// Runs in the transaction that writes, so that one of two conflicting requests fails here.
    fn check_rules(
        &self,
        db: &Transaction<'_>,
        request: &ApiRequest,
        updated_id: Option<&str>,
    ) -> Result<(), ApiError> {
        let account = request.account;
        let mut problems = Problems::default();
        let mut columns = self.columns.iter();
        if let Some((_, email_key)) = columns.find(|(column, _)| *column == "email_key") {
            if *email_key == fold_case(account.owner_email) {
                problems.add("owner_email", "email", "Is the account owner's email");
            }
            let sql = "SELECT 1 FROM clients WHERE account = ? AND email_key = ? AND id IS NOT ?";
            let mut statement = db.prepare_cached(sql)?;
            if statement.exists((account.key, email_key, updated_id))? {
                problems.add("already_exists", "email", "Is another client's email");
            }
        }
        if let Some(max_clients) = request.state.options.max_clients
            && updated_id.is_none()
        {
            let clients: u32 = db
                .prepare_cached("SELECT count(*) FROM clients WHERE account = ?")?
                .query_row([account.key], |row| row.get(0))?;
            if clients >= max_clients {
                let message = format!("The account can't have more than {max_clients} clients");
                problems.add("max_quota", "base", message);
            }
        }
        self.check_sites(db, account.key, updated_id, &mut problems)?;
        problems.unprocessable_if_any()
    }

    /// Reports sites that do not exist in the account, or belong to another client.
    fn check_sites(
        &self,
        db: &Transaction<'_>,
        account: i64,
        updated_id: Option<&str>,
        problems: &mut Problems,
    ) -> rusqlite::Result<()> {
        let sql = "SELECT client_id IS NULL OR client_id IS ? FROM sites
                   WHERE account = ? AND id = ?";
        let mut statement = db.prepare_cached(sql)?;
        for site in self.site_ids.iter().flatten() {
            let is_free: Option<bool> = statement
                .query_row((updated_id, account, site), |row| row.get(0))
                .optional()?;
            let (code, message) = match is_free {
                Some(true) => continue,
                Some(false) => ("already_assigned", "is assigned to another client"),
                None => ("invalid_id", "is not available"),
            };
            problems.add(code, "site_ids", format!("Site {site:?} {message}"));
        }
        Ok(())
    }

    /// Writes the columns of the client, and replaces its sites if the body has `site_ids`.
    fn write(&self, db: &Transaction<'_>, id: &str) -> rusqlite::Result<()> {
        if !self.columns.is_empty() {
            let mut assignments = Vec::new();
            let mut values = Vec::new();
            for (column, text) in &self.columns {
                assignments.push(format!("{column} = ?"));
                values.push(text.as_str());
            }
            values.push(id);
            let assignments = assignments.join(", ");
            let sql = format!("UPDATE clients SET {assignments} WHERE id = ?");
            db.prepare_cached(&sql)?.execute(params_from_iter(values))?;
        }
        if let Some(site_ids) = &self.site_ids {
            db.prepare_cached("UPDATE sites SET client_id = NULL WHERE client_id = ?")?
                .execute([id])?;
            // `key` is the index of an item of the array.
            let sql = "UPDATE sites SET client_id = ?1, position = sent.key
                       FROM json_each(?2) AS sent WHERE sites.id = sent.value";
            db.prepare_cached(sql)?
                .execute((id, json!(site_ids).to_string()))?;
        }
        Ok(())
    }
}

/// Checks the text of a field (spec, "Errors": 400). Returns `None` if the text is missing or
/// invalid, or if callers can't set the field.
fn parse_text(
    client: &Map<String, Value>,
    field: &Field,
    is_create: bool,
    problems: &mut Problems,
) -> Option<String> {
    let name = field.name;
    let format = field.input_format?;
    let text = match client.get(name) {
        Some(Value::String(text)) => text,
        // Only a create requires fields. An update leaves a missing field unchanged.
        None if !(field.is_required && is_create) => return None,
        None | Some(Value::Null) if field.is_required => {
            problems.add_blank(name);
            return None;
        }
        _ => {
            problems.add_wrong_type(name, "a string");
            return None;
        }
    };
    if field.is_required && text.trim().is_empty() {
        problems.add_blank(name);
        return None;
    }
    match format {
        TextFormat::MaxLength(max) if text.chars().count() > max => {
            let message = format!("Is too long (maximum is {max} characters)");
            problems.add("too_long", name, message);
            None
        }
        TextFormat::Email if !is_email(text) => {
            problems.add("invalid_format", name, "Invalid email format");
            None
        }
        _ => Some(text.clone()),
    }
}

/// Requires one `@`, a domain with a dot, and no spaces, control characters, quotes or brackets.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    if local.is_empty() || domain.contains('@') || !domain.contains('.') {
        return false;
    }
    if domain.split('.').any(str::is_empty) {
        return false;
    }
    !text.contains(|letter: char| {
        letter.is_whitespace() || letter.is_control() || "()<>[],;:\\\"".contains(letter)
    })
}
