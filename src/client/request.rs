//! Describes a request. Ids are escaped by type: a path accepts no unescaped text.

use crate::config::BaseUrl;
use crate::error::{EMPTY_VALUE_HINT, Error, Hint, Result};
use crate::resources::query::Parameter;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use reqwest::header::HeaderMap;
use reqwest::{Method, Url};

/// All characters except the unreserved ones of RFC 3986. A space is `%20`, which all decoders read
/// the same way.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Whether a request changes something, and can be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The request changes nothing and can be retried.
    Read,
    /// The request changes something, and is retried only if it was surely not processed.
    Change,
}

/// Proves that a change was confirmed. Every request that changes something takes one, so that a
/// command without a confirmation does not compile.
#[derive(Debug)]
pub struct Consent(());

impl Consent {
    /// Creates the proof. Only `commands/consent.rs` calls this.
    pub fn confirmed() -> Self {
        Self(())
    }
}

/// A path below the base URL, escaped, with or without a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(String);

impl Path {
    /// Creates a path, which can contain placeholders such as `{task_id}`. The first slash is
    /// optional, because paths in a profile may lack it.
    pub fn new(text: &str) -> Self {
        let slash = if text.starts_with('/') { "" } else { "/" };
        Self(format!("{slash}{text}"))
    }

    /// Replaces the placeholder `{name}` with an escaped id.
    ///
    /// # Errors
    /// `Usage` if no path can contain the id.
    pub fn fill(self, name: &str, id: &str) -> Result<Self> {
        let placeholder = format!("{{{name}}}");
        Ok(Self(self.0.replace(&placeholder, &escape_id(id)?)))
    }

    /// Parses a path with a query, or a URL that begins with the base URL.
    ///
    /// # Errors
    /// `Usage` if the request could leave the base URL, or the text has a fragment. `.` and `..`
    /// are rejected even if they are escaped.
    pub fn parse_below(text: &str, base_url: &BaseUrl) -> Result<Self> {
        let base_url = base_url.as_str();
        path_below(text, base_url).ok_or_else(|| {
            let hint = format!("specify a path below {base_url}: sitectl api '/clients?page=2'");
            Error::usage(format!("the path '{text}' is not below the base URL")).with_hint(hint)
        })
    }

    /// Adds parameters to the query.
    #[must_use]
    pub fn with_query(mut self, parameters: &[Parameter]) -> Self {
        for Parameter { name, value, .. } in parameters {
            self.0.push(if self.0.contains('?') { '&' } else { '?' });
            self.0.extend(utf8_percent_encode(name, ESCAPED));
            self.0.push('=');
            self.0.extend(utf8_percent_encode(value, ESCAPED));
        }
        self
    }

    /// Whether the query has a parameter with this name, escaped or not.
    pub fn has_parameter(&self, name: &str) -> bool {
        let (_, query) = self.0.split_once('?').unwrap_or_default();
        query.split('&').any(|parameter| {
            let escaped_name = parameter.split('=').next().unwrap_or_default();
            percent_decode_str(escaped_name).eq(name.bytes())
        })
    }

    /// Returns the path and the query as they are sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the path of a request that stays below the base URL; None if it could leave it. A server
/// may decode the path once more than URL parsers do, so the decoded path is checked too.
fn path_below(text: &str, base_url: &str) -> Option<Path> {
    let relative = text
        .strip_prefix(base_url)
        .filter(|rest| rest.starts_with('/'))
        .unwrap_or(text);
    // What curl users type has the path of the base URL, too.
    let prefix = Url::parse(base_url).ok()?.path().to_string();
    let relative = relative
        .strip_prefix(&prefix)
        .filter(|rest| rest.starts_with('/'))
        .unwrap_or(relative);
    let escaped_path = relative.split('?').next().unwrap_or_default();
    let path = percent_decode_str(escaped_path).decode_utf8_lossy();
    let has_dot_segments = path.split('/').any(|segment| matches!(segment, "." | ".."));
    if has_dot_segments
        || path.contains("//")
        || path.contains('\\')
        || path.contains(char::is_control)
        || path.trim_matches(['/', ' ']).is_empty()
        || text.contains('#')
        || text.contains(char::is_control)
    {
        return None;
    }
    let relative = relative.trim_start_matches('/');
    let url = Url::parse(&format!("{base_url}/{relative}")).ok()?;
    url.as_str().strip_prefix(base_url).map(Path::new)
}

/// Escapes an id. The ids `.` and `..` are rejected, because URL parsers treat `%2e` like a dot.
fn escape_id(id: &str) -> Result<String> {
    match id {
        "" => Err(Error::usage("an id is empty").with_hint(EMPTY_VALUE_HINT)),
        "." | ".." => Err(
            Error::usage(format!("'{id}' is not an id")).with_hint(Hint::command(
                "list the existing ids",
                "clients list -o ids",
            )),
        ),
        id => Ok(utf8_percent_encode(id, ESCAPED).to_string()),
    }
}

/// One request of the client, which can be sent several times.
#[derive(Debug, Clone)]
pub struct Request {
    /// GET or POST; `sitectl api` can send any method.
    pub method: Method,
    /// Path and query, escaped.
    pub target: String,
    /// The JSON body.
    pub body: Option<String>,
    pub effect: Effect,
    /// Whether the transport must not retry, because the caller repeats the request.
    pub send_once: bool,
    /// Whether a signal leaves some time to the response.
    pub waits_after_signal: bool,
}

impl Request {
    pub fn get(path: Path) -> Self {
        Self::read(Method::GET, path)
    }

    /// Creates a request that changes nothing.
    pub fn read(method: Method, path: Path) -> Self {
        Self {
            method,
            target: path.0,
            body: None,
            effect: Effect::Read,
            send_once: false,
            waits_after_signal: false,
        }
    }

    /// Creates a confirmed POST request.
    pub fn post(path: Path, body: String, consent: &Consent) -> Self {
        Self::change(Method::POST, path, Some(body), consent)
    }

    /// Creates a confirmed request that changes something.
    pub fn change(method: Method, path: Path, body: Option<String>, _: &Consent) -> Self {
        Self {
            body,
            effect: Effect::Change,
            ..Self::read(method, path)
        }
    }
}

/// A response.
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_cannot_leave_their_segment() -> Result<()> {
        let path = Path::new("tasks/{task_id}/state").fill("task_id", "a/../b?x#y z%{ü}")?;
        assert_eq!(
            path.as_str(),
            "/tasks/a%2F..%2Fb%3Fx%23y%20z%25%7B%C3%BC%7D/state"
        );
        for id in ["", ".", ".."] {
            assert!(Path::new("/clients/{id}").fill("id", id).is_err(), "{id}");
        }
        Ok(())
    }

    const BASE: &str = "https://service.example/x/api/v6";

    fn parse_below_base(text: &str) -> Result<Path> {
        Path::parse_below(text, &BaseUrl::parse(BASE, "a test")?)
    }

    #[test]
    fn a_typed_path_stays_below_the_base_url() {
        for (text, sent) in [
            ("/clients", "/clients"),
            ("clients?page=2", "/clients?page=2"),
            ("/x/api/v6/clients", "/clients"),
            ("/sites/a b/ü/", "/sites/a%20b/%C3%BC/"),
            (
                "/clients?filters[email:contains]=a b",
                "/clients?filters[email:contains]=a%20b",
            ),
            ("/tags/100%25%2f", "/tags/100%25%2f"),
            (
                "/a?u=https://evil.example/../x",
                "/a?u=https://evil.example/../x",
            ),
            (
                "https://service.example/x/api/v6/clients?page=2",
                "/clients?page=2",
            ),
        ] {
            assert_eq!(
                parse_below_base(text).ok().as_ref().map(Path::as_str),
                Some(sent),
                "{text}"
            );
        }
        for text in [
            "",
            "?page=2",
            "/a\nb",
            "/a#b",
            "/a%2f..%2fb",
            "//evil.example/x",
            "https://evil.example/x/api/v6/clients",
            "file:///etc/passwd",
        ] {
            assert!(parse_below_base(text).is_err(), "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_typed_leaves_the_base_url(
            text in r"(https?:|//|/|\\|\.|%2e|%2F|%5c|\?|@|service\.example|/x/api/v6|[a-z:# \[\]é]){0,12}"
        ) {
            if let Ok(path) = parse_below_base(&text) {
                let url = Url::parse(&format!("{BASE}{}", path.as_str())).ok();
                let sent = url.as_ref().map(Url::as_str).unwrap_or_default();
                proptest::prop_assert!(sent.starts_with("https://service.example/x/api/v6/"), "{}", sent);
                proptest::prop_assert_eq!(sent, format!("{BASE}{}", path.as_str()));
            }
        }
    }
}
