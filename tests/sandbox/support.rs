//! A served sandbox and an HTTP client.

pub(crate) use crate::common::{Server, World, signal};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) const FIRST: &str = "sandbox-token";
pub(crate) const OTHER: &str = "sandbox-other-token";
pub(crate) const INACTIVE: &str = "sandbox-inactive-token";

/// A served sandbox, stopped at the end of the test.
pub(crate) struct Served {
    server: Server,
    agent: ureq::Agent,
}

/// A response. `text` is empty if the body is incomplete, `json` is null if the body is not JSON.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: ureq::http::HeaderMap,
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Served {
    /// Starts a sandbox in memory without a rate limit.
    pub(crate) fn start(args: &[&str]) -> Served {
        Served::with(&[&["--db", ":memory:", "--rate-limit", "1000000"], args].concat())
    }

    /// Starts a sandbox on a database file without a rate limit.
    pub(crate) fn on(path: &Path, args: &[&str]) -> Served {
        Served::with(
            &[
                &["--db", path.to_str().unwrap(), "--rate-limit", "1000000"],
                args,
            ]
            .concat(),
        )
    }

    /// Starts a sandbox with these arguments on a free port.
    pub(crate) fn with(args: &[&str]) -> Served {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let agent = config
            .timeout_global(Some(Duration::from_secs(60)))
            .build()
            .into();
        Served {
            server: Server::serve(&World::empty(), args),
            agent,
        }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.get_as(FIRST, path)
    }

    pub(crate) fn get_as(&self, token: &str, path: &str) -> Reply {
        let request = self.agent.get(format!("{}{path}", self.server.base_url));
        Reply::read(
            request
                .header("authorization", format!("Bearer {token}"))
                .call()
                .unwrap(),
        )
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.post_as(FIRST, path, body)
    }

    pub(crate) fn post_as(&self, token: &str, path: &str, body: &Value) -> Reply {
        self.try_post(token, path, body.to_string().as_bytes())
            .unwrap()
    }

    pub(crate) fn post_bytes(&self, path: &str, body: &[u8]) -> Reply {
        self.try_post(FIRST, path, body).unwrap()
    }

    /// Sends a POST whose connection may close.
    pub(crate) fn try_post(
        &self,
        token: &str,
        path: &str,
        body: &[u8],
    ) -> Result<Reply, ureq::Error> {
        let request = self.agent.post(format!("{}{path}", self.server.base_url));
        request
            .header("authorization", format!("Bearer {token}"))
            .send(body)
            .map(Reply::read)
    }

    pub(crate) fn address(&self) -> &str {
        self.server
            .base_url
            .strip_prefix("http://")
            .unwrap()
            .split('/')
            .next()
            .unwrap()
    }

    /// Starts a full restore.
    pub(crate) fn restore(&self, site: usize, snapshot: usize) -> Reply {
        self.post(
            &format!("/sites/site-{site:04}/backups/snap-{site:04}-{snapshot}/restore"),
            &full_restore(),
        )
    }

    /// Returns all records of a list.
    pub(crate) fn all(&self, list: &str) -> Vec<Value> {
        records(&self.get(&format!("{list}?perPage=1000")).json).clone()
    }
}

impl Reply {
    fn read(mut response: ureq::http::Response<ureq::Body>) -> Reply {
        let text = response.body_mut().read_to_string().unwrap_or_default();
        let json = serde_json::from_str(&text).unwrap_or_default();
        Reply {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text,
            json,
        }
    }

    /// Returns the JSON of a response with this status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json
    }

    /// Returns the details (code, param, message) of an error response with this status.
    #[track_caller]
    pub(crate) fn refused(self, status: u16) -> Vec<(String, String, String)> {
        assert_eq!(self.status, status, "{}", self.text);
        let error = &self.json["error"];
        let (code, message) = match status {
            400 => ("bad_request", "Invalid parameters."),
            _ => ("unprocessable_entity", "Unprocessable entity."),
        };
        assert_eq!(
            (&error["status"], &error["code"], &error["message"]),
            (&status.into(), &code.into(), &message.into())
        );
        let text = |detail: &Value, key: &str| detail[key].as_str().expect("a string").to_owned();
        let details = error["details"].as_array().expect("an array");
        assert!(!details.is_empty(), "a refusal has reasons: {}", self.text);
        details
            .iter()
            .map(|detail| {
                (
                    text(detail, "code"),
                    text(detail, "param"),
                    text(detail, "message"),
                )
            })
            .collect()
    }

    /// Returns the details of an error response as sorted "code param".
    #[track_caller]
    pub(crate) fn reasons(self, status: u16) -> Vec<String> {
        let details = self.refused(status).into_iter();
        let mut reasons: Vec<_> = details
            .map(|(code, param, _)| format!("{code} {param}"))
            .collect();
        reasons.sort();
        reasons
    }
}

/// Returns the body of a full restore.
pub(crate) fn full_restore() -> Value {
    json!({ "restore": { "scope": { "include_files": true, "include_database": true } } })
}

/// Returns the body that creates this client.
pub(crate) fn client(email: &str, sites: &[&str]) -> Value {
    json!({ "client": { "first_name": "A", "email": email, "site_ids": sites } })
}

/// Returns the records of a list.
pub(crate) fn records(list: &Value) -> &Vec<Value> {
    let object = list.as_object().unwrap();
    object
        .iter()
        .find(|(name, _)| *name != "meta")
        .unwrap()
        .1
        .as_array()
        .unwrap()
}

pub(crate) fn ids(list: &Value) -> Vec<String> {
    records(list)
        .iter()
        .map(|record| record["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Percent-encodes every byte.
pub(crate) fn encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Calls `ask` until it returns a value; fails after 30 seconds.
#[track_caller]
pub(crate) fn eventually<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "timed out");
        std::thread::sleep(Duration::from_millis(10));
    }
}
