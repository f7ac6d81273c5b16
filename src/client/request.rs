//! A request as a value. Ids are escaped by type: a path takes no raw text from outside.

use crate::error::{Error, Result, UNSET};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;

/// Everything but the unreserved characters of RFC 3986; a space is `%20`, which every decoder reads alike.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What a request does to the service, and so whether it may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it may be repeated.
    Read,
    /// It changes something: repeated only where it was surely not processed.
    Change,
}

/// Proves that a change was confirmed. Every request that changes something takes one, so that a command that forgets to
/// ask does not compile.
#[derive(Debug)]
pub struct Consent(());

impl Consent {
    /// Only for `commands/consent.rs`, which asks.
    pub fn confirmed() -> Self {
        Self(())
    }
}

/// A path below the base URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(String);

impl Path {
    /// A path of the interface, such as `/clients`.
    pub fn new(literal: &'static str) -> Self {
        Self(literal.to_string())
    }

    /// A path from the profile, which may leave out the first slash and hold placeholders such as `{task_id}`.
    pub fn template(text: &str) -> Self {
        Self(if text.starts_with('/') { text.to_string() } else { format!("/{text}") })
    }

    /// The path with the placeholder `{name}` replaced by an escaped id.
    ///
    /// # Errors
    /// `Usage` for an id that no path can hold.
    pub fn fill(self, name: &str, id: &str) -> Result<Self> {
        Ok(Self(self.0.replace(&format!("{{{name}}}"), &escape_id(id)?)))
    }

    /// One more segment, escaped.
    ///
    /// # Errors
    /// `Usage` for an id that no path can hold.
    pub fn id(mut self, id: &str) -> Result<Self> {
        self.0.push('/');
        self.0.push_str(&escape_id(id)?);
        Ok(self)
    }

    /// One more segment of the interface.
    #[must_use]
    pub fn then(mut self, literal: &'static str) -> Self {
        self.0.push('/');
        self.0.push_str(literal);
        self
    }

    /// As it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// `.` and `..` would climb up the path even when escaped, since URL parsers resolve `%2e` too.
fn escape_id(id: &str) -> Result<String> {
    match id {
        "" => Err(Error::usage("an id is empty").hint(UNSET)),
        "." | ".." => Err(Error::usage(format!("'{id}' is not an id"))
            .hint("lists print the ids there are with -o ids, such as: sitectl clients list -o ids")),
        id => Ok(utf8_percent_encode(id, RESERVED).to_string()),
    }
}

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// GET or POST, unless somebody wrote it by hand.
    pub method: Method,
    /// Path and query, escaped.
    pub target: String,
    /// The JSON body.
    pub body: Option<String>,
    /// What it does.
    pub effect: Effect,
    /// Not to be repeated here: the caller has a rhythm of its own.
    pub once: bool,
}

impl Request {
    /// A read.
    pub fn get(path: &Path, query: &[(String, String)]) -> Self {
        let escape = |text: &str| utf8_percent_encode(text, RESERVED).to_string();
        let pairs: Vec<String> =
            query.iter().map(|(key, value)| format!("{}={}", escape(key), escape(value))).collect();
        let mark = if pairs.is_empty() { "" } else { "?" };
        Self::read(Method::GET, format!("{}{mark}{}", path.as_str(), pairs.join("&")))
    }

    /// A read of this path and query, which are escaped already.
    pub fn read(method: Method, target: String) -> Self {
        Self { method, target, body: None, effect: Effect::Read, once: false }
    }

    /// The same with more parameters, which are escaped already.
    #[must_use]
    pub fn with(mut self, pairs: &[String]) -> Self {
        for pair in pairs {
            self.target.push(if self.target.contains('?') { '&' } else { '?' });
            self.target.push_str(pair);
        }
        self
    }

    /// A change, to which somebody has consented.
    pub fn post(path: &Path, body: String, consent: &Consent) -> Self {
        Self::change(Method::POST, path.as_str().into(), Some(body), consent)
    }

    /// The same by any method, of a path and query that are escaped already.
    pub fn change(method: Method, target: String, body: Option<String>, _: &Consent) -> Self {
        Self { method, target, body, effect: Effect::Change, once: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_cannot_leave_their_segment() -> Result<()> {
        let path = Path::new("/clients").id("a/../b?x#y z%ü")?.then("update");
        assert_eq!(path.as_str(), "/clients/a%2F..%2Fb%3Fx%23y%20z%25%C3%BC/update");
        for id in ["", ".", ".."] {
            assert!(Path::new("/clients").id(id).is_err(), "{id}");
        }
        Ok(())
    }

    #[test]
    fn a_template_takes_an_escaped_id() -> Result<()> {
        assert_eq!(Path::template("/tasks/{task_id}").fill("task_id", "a/b")?.as_str(), "/tasks/a%2Fb");
        assert_eq!(Path::template("jobs/{task_id}/state").fill("task_id", "1")?.as_str(), "/jobs/1/state");
        Ok(())
    }

    #[test]
    fn a_query_is_escaped_on_both_sides() {
        let query = [("filters[email:contains]".to_string(), "a+b&c d@e".to_string())];
        let request = Request::get(&Path::new("/clients"), &query);
        assert_eq!(request.target, "/clients?filters%5Bemail%3Acontains%5D=a%2Bb%26c%20d%40e");
    }
}
