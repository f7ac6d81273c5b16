//! Clients (spec, "Clients").

use super::envelope::{self, Wrapping};
use super::{Api, Listing, Path, Request};
use crate::client::request::Consent;
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::query::{Filter, Query};
use crate::resources::{CLIENTS, Format, Input, Operator, Record, scalar};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// Where the list is, below the base URL.
pub const PATH: &str = "/clients";

/// What a bulk delete did.
#[derive(Debug, Clone, Default)]
pub struct Deleted {
    /// The ids that are gone.
    pub ids: Vec<String>,
    /// The ids that are not, and why.
    pub errors: Vec<NotDeleted>,
}

/// Why a client was not deleted.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NotDeleted {
    /// The client's id.
    pub id: String,
    /// Such as `not_found`.
    pub code: String,
    /// In words.
    pub message: String,
}

impl Deleted {
    /// Reads an answer. Any field may be missing or null. Ids that it names both as deleted and as refused are left out,
    /// like those that it does not name.
    fn read(body: &[u8]) -> Result<Self, String> {
        let answer: Value = envelope::parse(body)?;
        let told = answer.get("delete").filter(|told| told.is_object()).ok_or("it has no object 'delete'")?;
        let items = |name: &str| told.get(name).and_then(Value::as_array).into_iter().flatten();
        let text = |item: &Value, name: &str| item.get(name).and_then(scalar);
        let error = |item: &Value| {
            let code = text(item, "code").unwrap_or_else(|| "refused".into());
            Some(NotDeleted {
                id: text(item, "id")?,
                message: text(item, "message").unwrap_or_else(|| "The service gives no reason".into()),
                code,
            })
        };
        let ids: Vec<String> = items("ids").filter_map(scalar).collect();
        let (contradicted, errors): (Vec<_>, Vec<_>) =
            items("errors").filter_map(error).partition(|error| ids.contains(&error.id));
        let is_clear = |id: &String| contradicted.iter().all(|error| error.id != *id);
        Ok(Self { ids: ids.into_iter().filter(is_clear).collect(), errors })
    }
}

impl Api {
    /// The list of clients.
    pub fn clients(&self) -> Listing {
        self.listing_of(&CLIENTS)
    }

    /// One client.
    ///
    /// # Errors
    /// `NotFound` where the account has none of this id.
    pub async fn client(&self, id: &str) -> Result<Record> {
        let request = Request::get(&Path::new(PATH).id(id)?, &[]);
        let answer = self.one_client(&request, |_| Ok(())).await;
        answer.map_err(|error| error.about_missing("client", id, &self.listing("clients")))
    }

    /// The one client with this email, ignoring case: of several that differ in case, the one that is spelled so.
    ///
    /// # Errors
    /// As any list; `Incomplete` where the list would not hold still. `Invalid` where several differ in case, and none
    /// is spelled so.
    pub async fn client_by_email(&self, email: &str) -> Result<Option<Record>> {
        let lower = email.to_lowercase();
        let mut alike = Vec::new();
        // The spec does not say whether the filter, or the service as it stores an email, ignores case.
        for spelling in std::iter::once(email).chain(Some(lower.as_str()).filter(|lower| *lower != email)) {
            if alike.is_empty() {
                let filter = Filter { field: "email", operator: Operator::Contains, value: spelling.to_string() };
                alike = self.all(&self.clients(), &Query { filters: vec![filter], ..Query::default() }).await?;
                alike.retain(|client| client.text("email").is_some_and(|found| found.to_lowercase() == lower));
            }
        }
        if alike.len() > 1 {
            alike.retain(|client| client.text("email").is_some_and(|found| found == email));
            if alike.len() != 1 {
                return Err(ambiguous_email(&self.program, email));
            }
        }
        Ok(alike.pop())
    }

    /// Creates a client from these fields and returns it as the service has it.
    ///
    /// # Errors
    /// `Invalid` with the service's details; `UnknownOutcome` where the answer was lost.
    pub async fn create_client(&self, consent: &Consent, fields: &Map<String, Value>) -> Result<Record> {
        let request = Request::post(&Path::new(PATH), json!({ "client": fields }).to_string(), consent);
        let shows_email = |client: &Record| match client.value("email") {
            Some(_) => Ok(()),
            None => Err("it does not show the client's email".to_string()),
        };
        self.one_client(&request, shows_email).await
    }

    /// Changes the named fields of a client and returns it as the service has it.
    ///
    /// # Errors
    /// As `create_client`, and `NotFound`.
    pub async fn update_client(&self, consent: &Consent, id: &str, fields: &Map<String, Value>) -> Result<Record> {
        let path = Path::new(PATH).id(id)?.then("update");
        let request = Request::post(&path, json!({ "client": fields }).to_string(), consent);
        let is_same = |client: &Record| match client.id() {
            Some(other) if other != id => Err("it shows another client".to_string()),
            _ => Ok(()),
        };
        let answer = self.one_client(&request, is_same).await;
        answer.map_err(|error| error.about_missing("client", id, &self.listing("clients")))
    }

    /// The client that is the answer to this request, if `check` accepts it.
    async fn one_client(
        &self,
        request: &Request,
        check: impl Fn(&Record) -> std::result::Result<(), String>,
    ) -> Result<Record> {
        let answer = self.transport.call(request, async |answer| {
            let client = envelope::object(&answer.body, "client", Wrapping::Promised)?;
            check(&client).map(|()| client)
        });
        answer.await.inspect(|client| self.saw(&self.clients(), std::slice::from_ref(client)))
    }

    /// Deletes clients; some may be refused while others go.
    ///
    /// # Errors
    /// `UnknownOutcome` where the answer was lost.
    pub async fn delete_clients(&self, consent: &Consent, ids: &[String]) -> Result<Deleted> {
        let request = Request::post(&Path::new(PATH).then("delete"), json!({ "ids": ids }).to_string(), consent);
        let mut deleted = self.transport.call(&request, async |answer| Deleted::read(&answer.body)).await?;
        for error in &mut deleted.errors {
            (error.code, error.message) = (self.transport.mask(&error.code), self.transport.mask(&error.message));
        }
        self.ids.remove(self.clients().path.as_str(), &deleted.ids);
        Ok(deleted)
    }
}

/// What is said where an email could be that of several clients.
pub fn ambiguous_email(program: &str, email: &str) -> Error {
    Error::new(Kind::Invalid, format!("several clients have the email '{email}', in different cases"))
        .hint(format!("name the client's id; {program} clients list --email TEXT shows it"))
}

/// The problems that can be told without the service, in its own codes: all of them at once (spec, "Detail codes
/// for 400"). Only fields that are given are checked; `required` are missed where they are not.
pub fn field_problems(fields: &Map<String, Value>, required: &[&str]) -> Vec<Detail> {
    let mut details = Vec::new();
    for (field, input) in CLIENTS.inputs() {
        let problem = match fields.get(field.name) {
            None if required.contains(&field.name) => Some(blank(field.name)),
            None => None,
            Some(value) => problem_of(field.name, input, value),
        };
        details.extend(problem);
    }
    for name in fields.keys().filter(|name| !KNOWN.contains(&name.as_str())) {
        details.push(Detail::new(
            "unknown_field",
            name,
            format!("Is not a field of a client; fields are {}", KNOWN.join(", ")),
        ));
    }
    details
}

/// The fields that a client cannot be created without.
pub static REQUIRED: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| CLIENTS.inputs().filter(|(_, input)| input.required).map(|(field, _)| field.name).collect());

/// The fields that a client can be created or updated with.
pub static KNOWN: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| CLIENTS.inputs().map(|(field, _)| field.name).collect());

fn blank(name: &str) -> Detail {
    Detail::new("blank", name, "Can't be blank")
}

fn problem_of(name: &str, input: &Input, value: &Value) -> Option<Detail> {
    if input.format == Format::Ids {
        return match value.as_array() {
            None => Some(Detail::new("invalid_type", name, "Must be an array")),
            Some(ids) if ids.iter().any(|id| id.as_str().is_some_and(|id| id.trim().is_empty())) => {
                Some(Detail::new("blank", name, "Can't hold an empty id"))
            }
            // Ids are strings; where a service has numbers, its own list can be sent back.
            Some(ids) if ids.iter().all(|id| id.is_string() || id.is_number()) => None,
            Some(_) => Some(Detail::new("invalid_type", name, "Must be an array of ids")),
        };
    }
    let Some(text) = value.as_str() else {
        return Some(if input.required && value.is_null() {
            blank(name)
        } else {
            Detail::new("invalid_type", name, "Must be a string")
        });
    };
    match input.format {
        _ if input.required && text.trim().is_empty() => Some(blank(name)),
        Format::Email if !is_email(text) => Some(Detail::new("invalid_format", name, "Invalid email format")),
        Format::Max(longest) if text.chars().count() > longest => {
            Some(Detail::new("too_long", name, format!("Is too long (maximum is {longest} characters)")))
        }
        _ => None,
    }
}

/// Refuses only what no mail system takes: the service knows its own rules better.
fn is_email(text: &str) -> bool {
    let parts = text.rsplit_once('@');
    parts.is_some_and(|(local, domain)| {
        !local.is_empty() && !domain.is_empty() && !domain.starts_with('.') && !domain.ends_with('.')
    }) && !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && text.matches('@').count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_reported_as_deleted_and_as_refused_is_neither() {
        let answer =
            br#"{"delete":{"ids":["a","b"],"errors":[{"id":"a","code":"locked"},{"id":"c","code":"locked"}]}}"#;
        let deleted = Deleted::read(answer).unwrap_or_default();
        let refused: Vec<&str> = deleted.errors.iter().map(|error| error.id.as_str()).collect();
        assert_eq!((deleted.ids, refused), (vec!["b".to_string()], vec!["c"]));
    }

    fn problems(fields: Value, required: &[&str]) -> Vec<String> {
        let Value::Object(fields) = fields else { return vec!["not an object".into()] };
        let found = field_problems(&fields, required);
        found.iter().map(|d| format!("{} {}", d.param, d.code)).collect()
    }

    #[test]
    fn all_problems_come_at_once() {
        let found = problems(
            json!({"first_name": " ", "email": "nobody", "note": 7, "site_ids": "x", "age": 3}),
            &["first_name", "email"],
        );
        assert_eq!(
            found,
            [
                "first_name blank",
                "email invalid_format",
                "note invalid_type",
                "site_ids invalid_type",
                "age unknown_field"
            ]
        );
        assert_eq!(problems(json!({}), &["first_name", "email"]), ["first_name blank", "email blank"]);
        assert!(problems(json!({"address": "", "note": ""}), &[]).is_empty());
    }

    #[test]
    fn lengths_count_characters() {
        for (name, longest) in
            [("first_name", 255), ("last_name", 255), ("company_name", 255), ("address", 2000), ("note", 5000)]
        {
            assert!(problems(json!({ name: "ü".repeat(longest) }), &[]).is_empty(), "{name}");
            assert_eq!(problems(json!({ name: "ü".repeat(longest + 1) }), &[]), [format!("{name} too_long")]);
        }
    }

    #[test]
    fn emails() {
        for good in ["a@b", "a.b+c@example.com", "ü@ünï.example", "'x'@example.com"] {
            assert!(is_email(good), "{good}");
        }
        for bad in ["", "a", "@b", "a@", "a b@c", "a@b@c", "a@.b", "a@b.", "a@b\n"] {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
