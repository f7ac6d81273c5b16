//! A running sandbox and an HTTP client.

pub(crate) use crate::common::{Server, World, signal, wait_for, wait_until};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

pub(crate) const FIRST_TOKEN: &str = "sandbox-token";
pub(crate) const OTHER_TOKEN: &str = "sandbox-other-token";
pub(crate) const INACTIVE_TOKEN: &str = "sandbox-inactive-token";

/// A running `sandbox serve`, stopped at the end of the test.
pub(crate) struct Sandbox {
    server: Server,
    agent: ureq::Agent,
}

/// `text` is empty if the body is incomplete, `json` is null if the body is not JSON.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: ureq::http::HeaderMap,
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Sandbox {
    /// Starts a sandbox in memory without a rate limit.
    pub(crate) fn start(args: &[&str]) -> Sandbox {
        Sandbox::with_args(&[&["--db", ":memory:", "--rate-limit", "1000000"], args].concat())
    }

    /// Starts a sandbox on a database file without a rate limit.
    pub(crate) fn on_file(path: &Path, args: &[&str]) -> Sandbox {
        let path = path.to_str().unwrap();
        Sandbox::with_args(&[&["--db", path, "--rate-limit", "1000000"], args].concat())
    }

    /// Starts a sandbox with these arguments on a free port.
    pub(crate) fn with_args(args: &[&str]) -> Sandbox {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)))
            .build()
            .into();
        Sandbox {
            server: Server::serve(&World::empty(), "", args),
            agent,
        }
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.get_as(FIRST_TOKEN, path)
    }

    pub(crate) fn get_as(&self, token: &str, path: &str) -> Response {
        let response = self
            .agent
            .get(format!("{}{path}", self.server.base_url))
            .header("authorization", format!("Bearer {token}"))
            .call()
            .unwrap();
        Response::read(response)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        self.post_as(FIRST_TOKEN, path, body)
    }

    pub(crate) fn post_as(&self, token: &str, path: &str, body: &Value) -> Response {
        self.try_post(token, path, body.to_string().as_bytes())
            .unwrap()
    }

    pub(crate) fn post_bytes(&self, path: &str, body: &[u8]) -> Response {
        self.try_post(FIRST_TOKEN, path, body).unwrap()
    }

    /// Sends a POST whose connection may close.
    pub(crate) fn try_post(
        &self,
        token: &str,
        path: &str,
        body: &[u8],
    ) -> Result<Response, ureq::Error> {
        self.agent
            .post(format!("{}{path}", self.server.base_url))
            .header("authorization", format!("Bearer {token}"))
            .send(body)
            .map(Response::read)
    }

    /// Returns host and port.
    pub(crate) fn address(&self) -> &str {
        self.server.base_url.split('/').nth(2).unwrap()
    }

    /// Starts a full restore of a site by numbers, such as 1 for `site-0001`.
    pub(crate) fn start_restore(&self, site: usize, snapshot: usize) -> Response {
        let path = format!("/sites/site-{site:04}/backups/snap-{site:04}-{snapshot}/restore");
        self.post(&path, &full_restore_body())
    }

    /// Returns all records of a list.
    pub(crate) fn all_records(&self, list: &str) -> Vec<Value> {
        records(&self.get(&format!("{list}?perPage=100")).json).clone()
    }
}

impl Response {
    fn read(mut response: ureq::http::Response<ureq::Body>) -> Response {
        let text = response.body_mut().read_to_string().unwrap_or_default();
        let json = serde_json::from_str(&text).unwrap_or_default();
        Response {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text,
            json,
        }
    }

    /// Returns the JSON of a response with this status.
    #[track_caller]
    pub(crate) fn expect_status(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json
    }

    /// Returns the details of a 400 or 422 as (code, param, message).
    #[track_caller]
    pub(crate) fn error_details(self, status: u16) -> Vec<(String, String, String)> {
        assert_eq!(self.status, status, "{}", self.text);
        let error = &self.json["error"];
        let (code, message) = match status {
            400 => ("bad_request", "Invalid parameters."),
            _ => ("unprocessable_entity", "Unprocessable entity."),
        };
        assert_eq!(error["status"], status);
        assert_eq!(error["code"], code);
        assert_eq!(error["message"], message);
        let details = error["details"].as_array().expect("an array");
        assert!(!details.is_empty(), "{}", self.text);
        let member = |detail: &Value, name: &str| detail[name].as_str().unwrap().to_owned();
        details
            .iter()
            .map(|detail| {
                (
                    member(detail, "code"),
                    member(detail, "param"),
                    member(detail, "message"),
                )
            })
            .collect()
    }

    /// Returns the details of a 400 or 422 as sorted "code param".
    #[track_caller]
    pub(crate) fn error_codes(self, status: u16) -> Vec<String> {
        let mut codes: Vec<_> = self
            .error_details(status)
            .into_iter()
            .map(|(code, param, _)| format!("{code} {param}"))
            .collect();
        codes.sort();
        codes
    }
}

/// Returns the body of a full restore.
pub(crate) fn full_restore_body() -> Value {
    json!({ "restore": { "scope": { "include_files": true, "include_database": true } } })
}

/// Returns the body that creates this client.
pub(crate) fn client_body(email: &str, sites: &[&str]) -> Value {
    json!({ "client": { "first_name": "A", "email": email, "site_ids": sites } })
}

/// Returns the records of a list.
pub(crate) fn records(list: &Value) -> &Vec<Value> {
    let mut members = list.as_object().unwrap().iter();
    let (_, records) = members.find(|(name, _)| *name != "meta").unwrap();
    records.as_array().unwrap()
}

pub(crate) fn record_ids(list: &Value) -> Vec<String> {
    records(list)
        .iter()
        .map(|record| record["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Percent-encodes every byte.
pub(crate) fn percent_encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
