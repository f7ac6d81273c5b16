//! Clients (spec, "Clients").

use super::envelope::{self, Wrapping};
use super::{Api, Listing, Path, Request};
use crate::client::request::Consent;
use crate::error::{Detail, Result};
use crate::resources::query::{Parameter, Query, wire};
use crate::resources::{CLIENTS, Field, Input, Record, ValueKind, scalar};
use serde_json::{Map, Value, json};

/// The response to a bulk deletion.
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
    /// Reads a response. Any field may be missing or null.
    pub(super) fn read(body: &[u8]) -> Result<Self, String> {
        let deleted = envelope::object(body, "delete", Wrapping::Required)?;
        let members = deleted
            .members()
            .into_iter()
            .filter(|(name, _)| name != "errors")
            .collect::<Vec<_>>();
        if envelope::reports_failure(&members) {
            return Err(envelope::FAILURE.into());
        }
        let items = |name: &str| {
            deleted
                .value(name)
                .and_then(|value| value.as_array().cloned())
                .unwrap_or_default()
        };
        let text = |item: &Value, name: &str| item.get(name).and_then(scalar);
        let error = |item: &Value| {
            let code = text(item, "code").unwrap_or_else(|| "refused".into());
            let message =
                text(item, "message").unwrap_or_else(|| "The service gives no reason".into());
            Some(NotDeleted {
                id: text(item, "id")?,
                code,
                message,
            })
        };
        let ids = items("ids").iter().filter_map(scalar).collect();
        Ok(Self {
            ids,
            errors: items("errors").iter().filter_map(error).collect(),
        })
    }
}

impl Api {
    /// Returns the list of clients.
    pub fn clients(&self) -> Listing {
        self.listing_of(&CLIENTS)
    }

    /// Returns one client.
    ///
    /// # Errors
    /// `NotFound` if the account has no client with this id.
    pub async fn client(&self, id: &str) -> Result<Record> {
        let request = Request::get(&Path::new("/clients/{id}").fill("id", id)?, &[]);
        self.one_client(&request, |_| Ok(()))
            .await
            .map_err(|error| error.with_missing_record("client", id))
    }

    /// Returns the clients with this email, ignoring case.
    ///
    /// # Errors
    /// As any list.
    pub async fn clients_by_email(&self, email: &str) -> Result<Vec<Record>> {
        let lower = email.to_lowercase();
        let mut found = Vec::new();
        // The spec does not show whether the filter, or the service as it stores an email, ignores case.
        for spelling in
            std::iter::once(email).chain(Some(lower.as_str()).filter(|lower| *lower != email))
        {
            if found.is_empty() {
                let filter = Parameter {
                    name: wire::filter_parameter("email", "contains"),
                    value: spelling.to_string(),
                    flag: None,
                };
                found = self
                    .all(
                        &self.clients(),
                        &Query {
                            parameters: vec![filter],
                            ..Query::default()
                        },
                    )
                    .await?;
                found.retain(|client| {
                    client
                        .text("email")
                        .is_some_and(|found| found.to_lowercase() == lower)
                });
            }
        }
        Ok(found)
    }

    /// Creates a client from these fields and returns it as the service has it.
    ///
    /// # Errors
    /// `Invalid` with the service's details; `UnknownOutcome` if the response was lost.
    pub async fn create_client(
        &self,
        consent: &Consent,
        fields: &Map<String, Value>,
    ) -> Result<Record> {
        let request = Request::post(
            &Path::new("/clients"),
            json!({ "client": fields }).to_string(),
            consent,
        );
        let shows_email = |client: &Record| match client.value("email") {
            Some(_) => Ok(()),
            None => Err("it does not show the client's email".to_string()),
        };
        self.one_client(&request, shows_email).await
    }

    /// Changes these fields of a client and returns it as the service has it.
    ///
    /// # Errors
    /// As `create_client`, and `NotFound`.
    pub async fn update_client(
        &self,
        consent: &Consent,
        id: &str,
        fields: &Map<String, Value>,
    ) -> Result<Record> {
        let path = Path::new("/clients/{id}/update").fill("id", id)?;
        let request = Request::post(&path, json!({ "client": fields }).to_string(), consent);
        let is_same = |client: &Record| match client.id() {
            Some(other) if other != id => Err("it shows another client".to_string()),
            _ => Ok(()),
        };
        self.one_client(&request, is_same)
            .await
            .map_err(|error| error.with_missing_record("client", id))
    }

    /// Sends a request whose response is a client, and returns the client if `check` accepts it.
    async fn one_client(
        &self,
        request: &Request,
        check: impl Fn(&Record) -> Result<(), String>,
    ) -> Result<Record> {
        let response = self.transport.call(request, async |response| {
            let client = envelope::object(&response.body, "client", Wrapping::Required)?;
            check(&client).map(|()| client)
        });
        response
            .await
            .inspect(|client| self.report_records(&self.clients(), std::slice::from_ref(client)))
    }

    /// Deletes clients; the service may refuse some and delete the others.
    ///
    /// # Errors
    /// `UnknownOutcome` if the response was lost.
    pub async fn delete_clients(&self, consent: &Consent, ids: &[String]) -> Result<Deleted> {
        let request = Request::post(
            &Path::new("/clients/delete"),
            json!({ "ids": ids }).to_string(),
            consent,
        );
        let mut deleted = self
            .transport
            .call(&request, async |response| Deleted::read(&response.body))
            .await?;
        for error in &mut deleted.errors {
            (error.code, error.message) = (self.mask(&error.code), self.mask(&error.message));
        }
        Ok(deleted)
    }
}

/// Returns all problems of these fields that need no request, with the service's own codes (spec, "Detail codes for
/// 400"). A new client requires some fields.
pub fn field_problems(fields: &Map<String, Value>, is_new: bool) -> Vec<Detail> {
    let problem = |(field, input): (&'static Field, &Input)| {
        match fields.get(field.name) {
            None => (is_new && input.required).then_some(("blank", BLANK.into())),
            Some(value) => problem_of(input, value),
        }
        .map(|(code, message)| Detail::new(code, field.name, message))
    };
    CLIENTS.inputs().filter_map(problem).collect()
}

const BLANK: &str = "Can't be blank";

/// Returns the code and the message of a problem with a value.
fn problem_of(input: &Input, value: &Value) -> Option<(&'static str, String)> {
    let invalid_type = |what: &str| Some(("invalid_type", format!("Must be {what}")));
    match (input.format, value) {
        // Ids are strings; if a service has numbers, its own list can be sent back.
        (ValueKind::Ids, Value::Array(ids))
            if ids.iter().all(|id| id.is_string() || id.is_number()) =>
        {
            None
        }
        (ValueKind::Ids, Value::Array(_)) => invalid_type("an array of ids"),
        (ValueKind::Ids, _) => invalid_type("an array"),
        (_, Value::String(text)) if input.required && text.trim().is_empty() => {
            Some(("blank", BLANK.into()))
        }
        (ValueKind::Email, Value::String(text)) if !is_email(text) => {
            Some(("invalid_format", "Invalid email format".into()))
        }
        (ValueKind::Max(longest), Value::String(text)) if text.chars().count() > longest => Some((
            "too_long",
            format!("Is too long (maximum is {longest} characters)"),
        )),
        (_, Value::String(_)) => None,
        _ => invalid_type("a string"),
    }
}

/// Refuses only what no mail system accepts: the service has its own rules.
fn is_email(text: &str) -> bool {
    let parts: Vec<&str> = text.split('@').collect();
    parts.len() == 2
        && !parts.contains(&"")
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(fields: Value, is_new: bool) -> Vec<String> {
        let Value::Object(fields) = fields else {
            return vec!["not an object".into()];
        };
        let found = field_problems(&fields, is_new);
        found
            .iter()
            .map(|d| format!("{} {}", d.param, d.code))
            .collect()
    }

    #[test]
    fn all_problems_are_returned_at_once() {
        let fields = json!({"first_name": " ", "email": "nobody", "note": 7, "site_ids": "x"});
        assert_eq!(
            problems(fields, true),
            [
                "first_name blank",
                "email invalid_format",
                "note invalid_type",
                "site_ids invalid_type"
            ]
        );
        assert_eq!(
            problems(json!({}), true),
            ["first_name blank", "email blank"]
        );
        let ids = |ids: Value| problems(json!({ "site_ids": ids }), false);
        assert_eq!(ids(json!([null])), ["site_ids invalid_type"]);
        assert!(
            problems(
                json!({"address": "", "note": "", "site_ids": ["a", 7]}),
                false
            )
            .is_empty()
        );
    }

    #[test]
    fn lengths_count_characters() {
        for (name, longest) in [("first_name", 255), ("address", 2000), ("note", 5000)] {
            assert!(
                problems(json!({ name: "ü".repeat(longest) }), false).is_empty(),
                "{name}"
            );
            assert_eq!(
                problems(json!({ name: "ü".repeat(longest + 1) }), false),
                [format!("{name} too_long")]
            );
        }
    }

    #[test]
    fn emails() {
        for good in [
            "a@b",
            "a.b+c@example.com",
            "ü@ünï.example",
            "'x'@example.com",
        ] {
            assert!(is_email(good), "{good}");
        }
        for bad in ["", "a", "@b", "a@", "a b@c", "a@b@c", "a@b\n"] {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
