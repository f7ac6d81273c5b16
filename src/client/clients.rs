//! Clients (spec, "Clients").

use super::envelope::{self, Envelope, UnexpectedResponse};
use super::transport::content_problem;
use super::{Api, ListEndpoint, Path, Request, Response, SendStep};
use crate::client::failure::quoted_part;
use crate::client::request::Consent;
use crate::error::{Detail, Result};
use crate::resources::query::{Parameter, Query, wire};
use crate::resources::{CLIENTS, FieldInput, Record, ValueKind, is_hidden, scalar_text};
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
    /// The service's code, such as `not_found`.
    pub code: String,
    pub message: String,
}

impl DeleteResponse {
    /// Reads a response. Any field may be missing or null.
    pub fn read(body: &[u8]) -> Result<Self, UnexpectedResponse> {
        let deleted = envelope::single_object(body, "delete", Envelope::Required)?;
        let mut members = deleted.members();
        // `errors` lists the clients that were not deleted, so it is not a failure of the request.
        members.retain(|(name, _)| name != "errors");
        envelope::refuse_failure(&members)?;
        let mut response = Self {
            ids: deleted.texts("ids").unwrap_or_default(),
            errors: Vec::new(),
        };
        if let Some(Value::Array(errors)) = deleted.value("errors") {
            for error in &errors {
                response.errors.extend(DeleteError::read(error));
            }
        }
        Ok(response)
    }
}

impl DeleteError {
    /// Reads an item of `errors`. None if it has no id.
    fn read(error: &Value) -> Option<Self> {
        let text = |name| error.get(name).and_then(scalar_text);
        Some(Self {
            id: text("id")?,
            code: text("code").unwrap_or_else(|| "refused".into()),
            message: text("message").map_or_else(
                || "The service gives no reason".into(),
                |message| quoted_part(&message),
            ),
        })
    }
}

impl Api {
    pub fn clients(&self) -> ListEndpoint {
        self.top_level_endpoint(&CLIENTS)
    }

    /// Returns one client.
    ///
    /// # Errors
    /// `NotFound` if the account has no client with this id.
    pub async fn client(&self, id: &str) -> Result<Record> {
        let request = Request::get(Path::new("/clients/{id}").fill("id", id)?);
        self.one_record(&request, read_client)
            .await
            .map_err(|error| error.name_record_if_not_found("client", id))
    }

    /// Returns the clients whose email contains `part`. The spec does not say whether the filter
    /// ignores case, so that another client can have the same email in another letter case.
    pub async fn clients_by_email(&self, part: &str) -> Result<Vec<Record>> {
        let filter = wire::filter_parameter("email", "contains");
        let query = Query {
            parameters: vec![Parameter::new(filter, part)],
            ..Query::default()
        };
        self.all_records(&self.clients(), &query).await
    }

    /// Creates a client with these fields. Returns the record in the service's response.
    ///
    /// # Errors
    /// `Invalid` with the service's details; `UnknownOutcome` if the response was lost.
    pub async fn create_client(
        &self,
        consent: &Consent,
        fields: &Map<String, Value>,
    ) -> Result<Record> {
        let body = json!({ "client": fields }).to_string();
        let request = Request::post(Path::new("/clients"), body, consent);
        let decode = |body: &[u8]| {
            let client = read_client(body)?;
            if client.value("email").is_none() {
                return Err("it does not show the client's email".into());
            }
            Ok(client)
        };
        self.one_record(&request, decode).await
    }

    /// Changes these fields of a client, and tells `record` of each step. Returns the record in the
    /// service's response.
    ///
    /// # Errors
    /// Those of `create_client` and of `record`, and `NotFound`.
    pub async fn update_client(
        &self,
        consent: &Consent,
        id: &str,
        fields: &Map<String, Value>,
        record: impl AsyncFn(SendStep) -> Result<()>,
    ) -> Result<Record> {
        let path = Path::new("/clients/{id}/update").fill("id", id)?;
        let body = json!({ "client": fields }).to_string();
        let request = Request::post(path, body, consent);
        let decode = |response: Response| {
            if let Some(problem) = content_problem(&response) {
                return Err(problem);
            }
            let client = read_client(&response.body)?;
            match client.id() {
                Some(other) if !other.eq_ignore_ascii_case(id) => {
                    Err("it shows another client".into())
                }
                _ => Ok(client),
            }
        };
        self.transport
            .call_recorded(&request, record, decode)
            .await
            .map_err(|error| error.name_record_if_not_found("client", id))
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
        let request = Request::post(Path::new("/clients/delete"), body, consent);
        let decode = |response: Response| {
            let body = self.transport.masked(&response.body);
            DeleteResponse::read(body.as_bytes())
        };
        self.transport.call(&request, decode).await
    }
}

fn read_client(body: &[u8]) -> Result<Record, UnexpectedResponse> {
    envelope::single_object(body, "client", Envelope::Required)
}

/// The change of a client that fields are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientChange {
    Create,
    Update,
}

/// Returns all problems of these fields that can be found without a request, with the service's own
/// codes (spec, "Detail codes for 400"). For a new client, a missing required field is a problem.
pub fn field_problems(fields: &Map<String, Value>, change: ClientChange) -> Vec<Detail> {
    let missing = Value::from("");
    let mut problems = Vec::new();
    for (field, rule) in CLIENTS.inputs() {
        let value = match fields.get(field.name) {
            Some(value) => value,
            None if change == ClientChange::Create && rule.required => &missing,
            None => continue,
        };
        if let Some((code, message)) = value_problem(rule, value) {
            problems.push(Detail::new(code, field.name, message));
        }
    }
    problems
}

/// Returns the code and the message of the problem of a value; None if it has none.
fn value_problem(rule: &FieldInput, value: &Value) -> Option<(&'static str, String)> {
    if rule.kind == ValueKind::Ids {
        let message = ids_problem(value)?;
        return Some(("invalid_type", message.into()));
    }
    let Value::String(text) = value else {
        return Some(("invalid_type", "Must be a string".into()));
    };
    if rule.required && text.trim().is_empty() {
        return Some(("blank", "Can't be blank".into()));
    }
    match rule.kind {
        ValueKind::Email => Some(("invalid_format", email_problem(text)?)),
        ValueKind::MaxChars(max) if text.chars().count() > max => {
            let message = format!("Is too long (maximum is {max} characters)");
            Some(("too_long", message))
        }
        _ => None,
    }
}

fn ids_problem(value: &Value) -> Option<&'static str> {
    // Ids are strings in the spec. Numbers are accepted too, so that a list read from a service
    // with numeric ids can be sent back.
    let is_id = |id: &Value| id.is_string() || id.is_number();
    match value {
        Value::Array(ids) if ids.iter().all(is_id) => None,
        Value::Array(_) => Some("Must be an array of ids"),
        _ => Some("Must be an array"),
    }
}

/// Returns the message if a text cannot be an email address. Only what no mail system accepts and
/// invisible characters are rejected, because the service checks the address by its own rules.
fn email_problem(text: &str) -> Option<String> {
    // `is_hidden` excludes the last ones, because Persian words and emoji contain them.
    let is_invisible = |c: &char| {
        is_hidden(*c)
            || (c.is_whitespace() && *c != ' ')
            || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
    };
    if let Some(c) = text.chars().find(is_invisible) {
        let code_point = u32::from(c);
        return Some(format!(
            "Contains the invisible character U+{code_point:04X}"
        ));
    }
    let has_both_parts = text.split_once('@').is_some_and(|(user, host)| {
        let is_host = |part: &str| !part.is_empty();
        !user.is_empty() && host.contains('.') && host.split('.').all(is_host)
    });
    let has_other_characters =
        text.contains([' ', '<', '>', ',', ';', ':']) || text.matches('@').count() > 1;
    (!has_both_parts || has_other_characters).then(|| "Invalid email format".into())
}

#[cfg(test)]
mod tests {
    use super::ClientChange::{Create, Update};
    use super::*;

    fn problems(fields: Value, change: ClientChange) -> Vec<String> {
        let Value::Object(fields) = fields else {
            return vec!["not an object".into()];
        };
        field_problems(&fields, change)
            .iter()
            .map(|problem| format!("{} {}", problem.param, problem.code()))
            .collect()
    }

    #[test]
    fn all_problems_are_returned_at_once() {
        let fields = json!({"first_name": " ", "email": "nobody", "note": 7, "site_ids": "x"});
        assert_eq!(
            problems(fields, Create),
            [
                "first_name blank",
                "email invalid_format",
                "note invalid_type",
                "site_ids invalid_type"
            ]
        );
        assert_eq!(
            problems(json!({}), Create),
            ["first_name blank", "email blank"]
        );
        let ids = |ids: Value| problems(json!({ "site_ids": ids }), Update);
        assert_eq!(ids(json!([null])), ["site_ids invalid_type"]);
        assert!(
            problems(
                json!({"address": "", "note": "", "site_ids": ["a", 7]}),
                Update
            )
            .is_empty()
        );
    }

    #[test]
    fn lengths_count_characters() {
        for (name, longest) in [("first_name", 255), ("address", 2000), ("note", 5000)] {
            assert!(
                problems(json!({ name: "ü".repeat(longest) }), Update).is_empty(),
                "{name}"
            );
            assert_eq!(
                problems(json!({ name: "ü".repeat(longest + 1) }), Update),
                [format!("{name} too_long")]
            );
        }
    }

    #[test]
    fn email_validation() {
        for good in [
            "a@b.example",
            "a.b+c@example.com",
            "ü@ünï.example",
            "'x'@example.com",
        ] {
            assert_eq!(email_problem(good), None, "{good}");
        }
        for bad in [
            "",
            "a",
            "@b.c",
            "a@",
            "a b@c.d",
            "a@b@c.d",
            "a@b",
            "a@.b",
            "a@b.",
            "mailto:a@b.c",
            "https://a@b.c",
            "<a@b.c>",
            "a@b.c,",
            "a@b.c;",
        ] {
            let message = email_problem(bad).unwrap_or_default();
            assert_eq!(message, "Invalid email format", "{bad}");
        }
        for (bad, c) in [
            ("a@b\n", "U+000A"),
            ("a\u{200b}@b", "U+200B"),
            ("a@b\u{a0}", "U+00A0"),
            ("a@b\u{200d}", "U+200D"),
        ] {
            let message = email_problem(bad).unwrap_or_default();
            assert_eq!(message, format!("Contains the invisible character {c}"));
        }
    }
}
