//! Where a request by hand goes: what a person typed, checked before anything is sent. It stays below the base URL,
//! whatever a parser of URLs would make of it.

use crate::client::Path;
use crate::config::BaseUrl;
use crate::error::{Error, Result};
use crate::resources::query::{PageRequest, Query, wire};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use reqwest::Url;

/// What a path or query may not hold as it is. A percent sign is looked at by itself.
const ODD: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'\'')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// What a parameter's key or value may not hold as it is, once it is told from its neighbours.
const IN_PARAMETER: &AsciiSet = &ODD.add(b'#').add(b'%').add(b'&').add(b'+').add(b'=');

/// A path below the base URL, and the parameters of its query, escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    path: String,
    pairs: Vec<String>,
}

impl Place {
    /// Reads what was typed: a path, or an address that begins with the base URL.
    ///
    /// # Errors
    /// `Usage` for whatever would lead elsewhere.
    pub fn parse(typed: &str, base: &BaseUrl) -> Result<Self> {
        let read = check_text(typed).and_then(|()| below(typed, base)).and_then(|rest| check_path(rest).map(|()| rest));
        let rest = read.map_err(|why| {
            Error::usage(format!("the path '{typed}' {why}")).hint(format!(
                "a path such as /clients?page=2 is below {base}; a whole address is taken where it begins with that",
                base = base.as_str()
            ))
        })?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(escaped).collect();
        Ok(Self { path: format!("/{}", escaped(path.strip_prefix('/').unwrap_or(path))), pairs })
    }

    /// One parameter more.
    pub fn add(&mut self, key: &str, value: &str) {
        let escape = |text| utf8_percent_encode(text, IN_PARAMETER);
        self.pairs.push(format!("{}={}", escape(key), escape(value)));
    }

    /// The parameters of a page, before all others.
    pub fn add_page(&mut self, number: u64, rows: u32) {
        let page = PageRequest { number, per_page: Some(rows) };
        let pairs = wire::parameters(&Query::default(), page);
        self.pairs.splice(0..0, pairs.into_iter().map(|(key, value)| format!("{key}={value}")));
    }

    /// Takes the parameters of this name out, for those who decide about them.
    pub fn take(&mut self, name: &str) -> Vec<String> {
        let (taken, left): (Vec<String>, Vec<String>) =
            std::mem::take(&mut self.pairs).into_iter().partition(|pair| decoded(key_of(pair)) == name);
        self.pairs = left;
        let value = |pair: &String| pair.split_once('=').map(|(_, value)| decoded(value)).unwrap_or_default();
        taken.iter().map(value).collect()
    }

    /// The segments of the path, as they are meant.
    pub fn segments(&self) -> Vec<String> {
        self.path.split('/').filter(|segment| !segment.is_empty()).map(decoded).collect()
    }

    /// Path and query, as they are sent.
    pub fn target(&self) -> String {
        let mark = if self.pairs.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", self.path, self.pairs.join("&"))
    }

    /// The path alone.
    pub(super) fn path(&self) -> Path {
        Path::template(&self.path)
    }

    /// The query alone.
    pub(super) fn pairs(&self) -> &[String] {
        &self.pairs
    }
}

/// What no path can hold.
fn check_text(typed: &str) -> Result<(), String> {
    match typed {
        _ if typed.trim().is_empty() => Err("is empty".into()),
        _ if typed.contains(char::is_control) => Err("holds a control character".into()),
        _ if typed.contains('#') => Err("has a fragment, which is never sent; a # inside a value is %23".into()),
        _ if typed.starts_with("//") => Err("begins with //, which would name another host".into()),
        _ => Ok(()),
    }
}

/// What of it is below the base URL.
fn below<'t>(typed: &'t str, base: &BaseUrl) -> Result<&'t str, String> {
    let Some((scheme, after)) = typed.split_once("://") else { return Ok(typed) };
    // An address inside a query is a value like any other.
    if scheme.contains(['/', '?']) {
        return Ok(typed);
    }
    let elsewhere = || "is not below the base URL".to_string();
    let (named, base) =
        (Url::parse(typed).map_err(|_| elsewhere())?, Url::parse(base.as_str()).map_err(|_| elsewhere())?);
    let is_same = named.origin() == base.origin() && named.username().is_empty() && named.password().is_none();
    let rest = &after[after.find(['/', '?', '\\']).unwrap_or(after.len())..];
    let rest = rest.strip_prefix(base.path().trim_end_matches('/')).filter(|_| is_same).ok_or_else(elsewhere)?;
    match rest {
        "" | "/" => Err("is the base URL itself, and names nothing below it".into()),
        rest if rest.starts_with(['/', '?']) => Ok(rest),
        _ => Err(elsewhere()),
    }
}

/// That it names something, and does not climb. An escaped slash or backslash counts too: some services undo escapes
/// before they look for segments.
fn check_path(rest: &str) -> Result<(), String> {
    let path = rest.split('?').next().unwrap_or_default();
    let meant = decoded(path);
    match () {
        () if path.trim_matches('/').is_empty() => Err("names nothing below the base URL".into()),
        () if path.starts_with("//") => Err("begins with //, which would name another host".into()),
        () if meant.split(['/', '\\']).any(|segment| matches!(segment, "." | "..")) => {
            Err("holds . or .. as a segment, which would climb out of it".into())
        }
        () if meant.contains(char::is_control) => Err("holds a control character".into()),
        () => Ok(()),
    }
}

/// The same text as it may be sent: what is escaped already stays so.
fn escaped(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = utf8_percent_encode(parts.next().unwrap_or_default(), ODD).to_string();
    for part in parts {
        let is_escape = part.len() >= 2 && part.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
        out.push_str(if is_escape { "%" } else { "%25" });
        out.extend(utf8_percent_encode(part, ODD));
    }
    out
}

fn key_of(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(key, _)| key)
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BASE: &str = "https://service.example/x/api/v6";

    fn place(typed: &str) -> Result<Place> {
        Place::parse(typed, &BaseUrl::parse(BASE, "a test")?)
    }

    fn target(typed: &str) -> String {
        place(typed).map_or_else(|error| error.message.clone(), |place| place.target())
    }

    #[test]
    fn what_is_below_is_taken() {
        for (typed, sent) in [
            ("/clients", "/clients"),
            ("clients?page=2", "/clients?page=2"),
            ("/clients/", "/clients/"),
            ("/sites/a b/ü", "/sites/a%20b/%C3%BC"),
            (
                "/clients?filters[email:contains]=a b&sort=email,desc",
                "/clients?filters%5Bemail:contains%5D=a%20b&sort=email,desc",
            ),
            ("/tags/100%", "/tags/100%25"),
            ("/tags/100%25%2f%zz", "/tags/100%25%2f%25zz"),
            (r"/a\b", "/a%5Cb"),
            ("/a?u=https://evil.example/../x", "/a?u=https://evil.example/../x"),
            ("/a?x=..&&y", "/a?x=..&y"),
            ("/...", "/..."),
            ("https://service.example/x/api/v6/clients?page=2", "/clients?page=2"),
            ("HTTPS://Service.example:443/x/api/v6/clients", "/clients"),
        ] {
            assert_eq!(target(typed), sent, "{typed}");
        }
    }

    #[test]
    fn what_leads_elsewhere_is_refused() {
        let cases: [(&str, &[&str]); 6] = [
            ("is empty", &["", "  "]),
            ("names nothing", &["/", "?page=2", "/?x", "///"]),
            ("control character", &["/a\nb", "/a\u{7f}", "/a\u{9b}", "/a%0d%0ab"]),
            ("fragment", &["/a#b", "#"]),
            (
                "climb out",
                &[
                    "..",
                    "/../../admin",
                    "/a/../b",
                    "/a/.",
                    "/%2e%2e/x",
                    "/a/%2E./x",
                    "/a%2f..%2fb",
                    r"/a\..\b",
                    "https://service.example/x/api/v6/../admin",
                ],
            ),
            (
                "base URL",
                &[
                    "//evil.example/x",
                    "https://evil.example/x/api/v6/clients",
                    "http://service.example/x/api/v6/clients",
                    "https://service.example:8443/x/api/v6/clients",
                    "https://service.example/api/v6/clients",
                    "https://service.example/x/api/v66/clients",
                    "https://service.example@evil.example/x/api/v6/clients",
                    "https://u:p@service.example/x/api/v6/clients",
                    "https://service.example\\@evil.example/x/api/v6/clients",
                    "https://service.example/x/api/v6",
                    "https://service.example/x/api/v6/",
                    "ftp://service.example/x/api/v6/a",
                    "https:///clients",
                ],
            ),
        ];
        for (why, all) in cases {
            for typed in all {
                let said = target(typed);
                assert!(said.contains(why) || said.contains("another host"), "{typed}: {said}");
            }
        }
    }

    #[test]
    fn parameters_are_added_and_taken_by_name() -> Result<()> {
        let mut place = place("/a?page=1&x=y&pa%67e=2&page")?;
        place.add("filters[email:contains]", "a+b&c=d#%");
        assert_eq!(place.take("page"), ["1", "2", ""]);
        assert_eq!(place.target(), "/a?x=y&filters%5Bemail:contains%5D=a%2Bb%26c%3Dd%23%25");
        Ok(())
    }

    /// What parsers of URLs read in more ways than one.
    const ODD_PATH: &str = r"(https?:|//|/|\\|\.|%2e|%2F|%5c|\?|@|service\.example|/x/api/v6|[a-z:# \[\]é]){0,12}";

    proptest! {
        #[test]
        fn nothing_leaves_the_base_url(typed in ODD_PATH) {
            if let Ok(place) = place(&typed) {
                let url = Url::parse(&format!("{BASE}{}", place.target()));
                let url = url.map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert_eq!(url.host_str(), Some("service.example"));
                prop_assert!(url.path().starts_with("/x/api/v6/"), "{}", url);
                prop_assert_eq!(url.as_str(), format!("{BASE}{}", place.target()));
            }
        }
    }
}
