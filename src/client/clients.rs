//! Clients (spec, "Clients").

use super::envelope::{self, Envelope, REPORTS_FAILURE, UnexpectedResponse};
use super::{Api, Listing, Path, Request, Response};
use crate::client::request::Consent;
use crate::error::{Detail, Result};
use crate::resources::query::{Parameter, Query, wire};
use crate::resources::{CLIENTS, Input, Record, ValueKind, value_text};
use serde_json::{Map, Value, json};

/// The response to a bulk deletion.
#[derive(Debug, Clone, Default)]
pub struct DeleteResponse {
    /// The ids of the clients that were deleted.
    pub ids: Vec<String>,
    pub errors: Vec<DeleteError>,
}

/// Why a client was not deleted.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DeleteError {
    /// The client's id.
    pub id: String,
    /// Such as `not_found`.
    pub code: String,
    pub message: String,
}

impl DeleteResponse {
    /// Reads a response. Any field may be missing or null.
    pub fn read(body: &[u8]) -> Result<Self, UnexpectedResponse> {
        let deleted = envelope::single_object(body, "delete", Envelope::Required)?;
        let mut members = deleted.members();
        members.retain(|(name, _)| name != "errors");
        if envelope::reports_failure(&members) {
            return Err(REPORTS_FAILURE.into());
        }
        let array = |name| match deleted.value(name) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        };
        Ok(Self {
            ids: array("ids").iter().filter_map(value_text).collect(),
            errors: array("errors")
                .iter()
                .filter_map(DeleteError::read)
                .collect(),
        })
    }
}

impl DeleteError {
    fn read(error: &Value) -> Option<Self> {
        let text = |name| error.get(name).and_then(value_text);
        Some(Self {
            id: text("id")?,
            code: text("code").unwrap_or_else(|| "refused".into()),
            message: text("message").unwrap_or_else(|| "The service gives no reason".into()),
        })
    }
}

impl Api {
    pub fn clients(&self) -> Listing {
        self.top_level_listing(&CLIENTS)
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
    pub async fn clients_by_email(&self, email: &str) -> Result<Vec<Record>> {
        let lower = email.to_lowercase();
        // The spec does not show whether the filter, or the service as it stores an email, ignores
        // case.
        let mut clients = self.clients_with_spelling(email, &lower).await?;
        if clients.is_empty() && lower != email {
            clients = self.clients_with_spelling(&lower, &lower).await?;
        }
        Ok(clients)
    }

    /// Returns the clients that the service finds by this spelling of an email, if their email in
    /// lower case is `lower`.
    async fn clients_with_spelling(&self, spelling: &str, lower: &str) -> Result<Vec<Record>> {
        let filter = wire::filter_parameter("email", "contains");
        let query = Query {
            parameters: vec![Parameter::new(filter, spelling)],
            search: None,
        };
        let mut clients = self.all_records(&self.clients(), &query).await?;
        clients.retain(|client| {
            let email = client.text("email");
            email.is_some_and(|email| email.to_lowercase() == lower)
        });
        Ok(clients)
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
        let body = json!({ "client": fields }).to_string();
        let request = Request::post(&Path::new("/clients"), body, consent);
        let check_email = |client: &Record| match client.value("email") {
            Some(_) => Ok(()),
            None => Err("it does not show the client's email".into()),
        };
        self.one_client(&request, check_email).await
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
        let body = json!({ "client": fields }).to_string();
        let request = Request::post(&path, body, consent);
        let check_id = |client: &Record| match client.id() {
            Some(other) if other != id => Err("it shows another client".into()),
            _ => Ok(()),
        };
        self.one_client(&request, check_id)
            .await
            .map_err(|error| error.with_missing_record("client", id))
    }

    /// Sends a request whose response is a client, and returns the client if `check` accepts it.
    async fn one_client(
        &self,
        request: &Request,
        check: impl Fn(&Record) -> Result<(), UnexpectedResponse>,
    ) -> Result<Record> {
        let response = self.transport.call(request, async |response| {
            let client = envelope::single_object(&response.body, "client", Envelope::Required)?;
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
    pub async fn delete_clients(
        &self,
        consent: &Consent,
        ids: &[String],
    ) -> Result<DeleteResponse> {
        let body = json!({ "ids": ids }).to_string();
        let request = Request::post(&Path::new("/clients/delete"), body, consent);
        let decode = async |response: Response| DeleteResponse::read(&response.body);
        self.transport.call(&request, decode).await
    }
}

const BLANK: &str = "Can't be blank";

/// Returns all problems of these fields that need no request, with the service's own codes (spec,
/// "Detail codes for 400"). A new client requires some fields.
pub fn field_problems(fields: &Map<String, Value>, is_new: bool) -> Vec<Detail> {
    let mut problems = Vec::new();
    for (field, input) in CLIENTS.inputs() {
        let problem = match fields.get(field.name) {
            None if is_new && input.required => Some(("blank", BLANK.into())),
            None => None,
            Some(value) => value_problem(input, value),
        };
        if let Some((code, message)) = problem {
            problems.push(Detail::new(code, field.name, message));
        }
    }
    problems
}

/// Returns the code and the message of a problem with a value.
fn value_problem(input: &Input, value: &Value) -> Option<(&'static str, String)> {
    let (code, message) = match (input.kind, value) {
        // Ids are strings; if a service has numbers, its own list can be sent back.
        (ValueKind::Ids, Value::Array(ids))
            if ids.iter().all(|id| id.is_string() || id.is_number()) =>
        {
            return None;
        }
        (ValueKind::Ids, Value::Array(_)) => ("invalid_type", "Must be an array of ids".into()),
        (ValueKind::Ids, _) => ("invalid_type", "Must be an array".into()),
        (_, Value::String(text)) if input.required && text.trim().is_empty() => {
            ("blank", BLANK.into())
        }
        (ValueKind::Email, Value::String(text)) if !is_plausible_email(text) => {
            ("invalid_format", "Invalid email format".into())
        }
        (ValueKind::Max(max), Value::String(text)) if text.chars().count() > max => (
            "too_long",
            format!("Is too long (maximum is {max} characters)"),
        ),
        (_, Value::String(_)) => return None,
        _ => ("invalid_type", "Must be a string".into()),
    };
    Some((code, message))
}

/// Rejects only what no mail system accepts: the service has its own rules.
fn is_plausible_email(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else {
        return false;
    };
    !user.is_empty()
        && !host.is_empty()
        && !host.contains('@')
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(fields: Value, is_new: bool) -> Vec<String> {
        let Value::Object(fields) = fields else {
            return vec!["not an object".into()];
        };
        field_problems(&fields, is_new)
            .iter()
            .map(|problem| format!("{} {}", problem.param, problem.code))
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
    fn email_validation() {
        for good in [
            "a@b",
            "a.b+c@example.com",
            "ü@ünï.example",
            "'x'@example.com",
        ] {
            assert!(is_plausible_email(good), "{good}");
        }
        for bad in ["", "a", "@b", "a@", "a b@c", "a@b@c", "a@b\n"] {
            assert!(!is_plausible_email(bad), "{bad}");
        }
    }
}
