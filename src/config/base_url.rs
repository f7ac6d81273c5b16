//! The base URL of the service. Error messages never show an invalid URL, because it may contain a
//! secret.

use crate::error::{Error, Result};
use reqwest::Url;
use std::net::IpAddr;

/// The end of every base URL (spec, "Versioning").
const VERSION: &str = "/api/v6";

/// A valid base URL (`{base_url}` in the spec): https, or http to a loopback host, which ends in
/// `/api/v6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Checks a URL from `source`, such as a flag or a variable.
    ///
    /// # Errors
    /// `Usage`, with the reason.
    pub fn parse(text: &str, source: &str) -> Result<Self> {
        let refuse = |problem: &str| {
            Error::usage(format!("the base URL in {source} {problem}")).with_hint(EXPECTED)
        };
        let text = text.trim();
        check_text(text).map_err(refuse)?;
        let mut url = match Url::parse(text) {
            Ok(url) => Self(url),
            Err(error) => return Err(refuse(&format!("is not a URL ({error})"))),
        };
        match url.0.scheme() {
            "https" => {}
            "http" if url.is_local() => {}
            "http" => {
                let problem = "uses http, which would send the token unencrypted";
                return Err(refuse(problem).without_hints().with_hint(HTTPS));
            }
            _ => return Err(refuse("does not begin with https://")),
        }
        let path = url.0.path().trim_end_matches('/').to_string();
        url.0.set_path(&path);
        if !path.ends_with(VERSION) {
            let hint = format!("did you mean {}?", url.suggested_url());
            return Err(refuse("does not end in /api/v6")
                .without_hints()
                .with_hint(hint));
        }
        Ok(url)
    }

    /// Returns the URL without a trailing slash.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the canonical form of a URL, which identifies a service in comparisons. Requests use
    /// the URL as specified. Text that is not a URL is returned unchanged.
    pub fn canonical(text: &str) -> String {
        let Ok(mut url) = Url::parse(text.trim()) else {
            return text.into();
        };
        if matches!(url.host_str(), Some("127.0.0.1" | "[::1]")) {
            // A loopback address becomes a name, which every URL can have.
            let _ = url.set_host(Some("localhost"));
        }
        url.as_str().trim_end_matches('/').into()
    }

    /// Returns a URL of the config file for printing; none if the URL is invalid.
    pub fn parse_for_display(text: &str) -> Option<String> {
        let url = Self::parse(text, "").ok()?;
        Some(url.as_str().into())
    }

    /// Whether connections are encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether the host is a loopback address or `localhost`: http is allowed then, and no proxy is
    /// used. The parser has expanded addresses such as `127.1`. `0.0.0.0` does not count, because
    /// its meaning differs between systems; nor does `localhost.`, because a resolver may look it
    /// up.
    pub fn is_local(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        host == "localhost" || parse_ip(host).is_some_and(|ip| ip.is_loopback())
    }

    /// Returns the scheme, host and port in canonical form. A profile's token is sent only to its
    /// own host.
    pub fn origin(&self) -> String {
        let canonical = Self::canonical(self.as_str());
        let parts: Vec<&str> = canonical.split('/').take(3).collect();
        parts.join("/")
    }

    /// Returns the host, with a port that is not the default.
    pub fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        match self.0.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.into(),
        }
    }

    /// Returns the URL with the end that was probably meant.
    fn suggested_url(&self) -> String {
        let url = self.as_str().trim_end_matches('/');
        let root = url.split("/api/v").next().unwrap_or(url);
        format!("{}{VERSION}", root.trim_end_matches("/api"))
    }
}

const EXPECTED: &str = "use a URL such as https://service.example/api/v6";
const HTTPS: &str = "use https; http is allowed only for localhost and loopback addresses";

/// Finds problems that URL parsers ignore or silently correct.
fn check_text(text: &str) -> Result<(), &'static str> {
    let mut authority = None;
    // The parser also accepts `https:/` and `https:`.
    if let Some((scheme, rest)) = text.split_once("://")
        && scheme.chars().all(|c| c.is_ascii_alphabetic())
    {
        authority = rest.split(['/', '?', '#', '\\']).next();
    }
    if authority.is_some_and(|authority| authority.contains('@')) {
        Err("contains a user name or password")
    } else if text.contains(['?', '#']) {
        Err("has a query or fragment")
    } else if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
        Err("contains a space, a control character or a backslash")
    } else if authority.is_none() {
        Err("is not a URL (it does not begin with https://)")
    } else if authority == Some("") {
        Err("has no host")
    } else {
        Ok(())
    }
}

/// Parses the host of a URL as an IP address; an IPv4 address inside IPv6 becomes IPv4.
fn parse_ip(host: &str) -> Option<IpAddr> {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let ip: IpAddr = address.parse().ok()?;
    Some(ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, String> {
        BaseUrl::parse(text, "--base-url")
            .map(|url| url.as_str().into())
            .map_err(|error| error.message.clone())
    }

    #[test]
    fn accepts_https_and_loopback() {
        for (url, read) in [
            (
                " https://service.example/api/v6\n",
                "https://service.example/api/v6",
            ),
            (
                "HTTPS://Service.Example:443/api/v6//",
                "https://service.example/api/v6",
            ),
            (
                "https://service.example:8443/x/api/v6",
                "https://service.example:8443/x/api/v6",
            ),
            ("http://127.1/api/v6", "http://127.0.0.1/api/v6"),
            ("http://[::1]:1/api/v6", "http://[::1]:1/api/v6"),
            (
                "http://[::ffff:127.0.0.1]/api/v6",
                "http://[::ffff:7f00:1]/api/v6",
            ),
            (
                "http://LOCALHOST:8640/api/v6/",
                "http://localhost:8640/api/v6",
            ),
        ] {
            assert_eq!(parse(url).as_deref(), Ok(read), "{url}");
        }
    }

    #[test]
    fn spellings_of_one_address_have_one_canonical_form() -> Result<()> {
        let local = [
            "http://localhost:8640/api/v6",
            "http://127.1:8640/api/v6/",
            "http://[::1]:8640/api/v6",
        ];
        let remote = [
            "https://service.example/api/v6",
            "https://Service.Example:443/x/../api/v6/",
            " https://service.example/api/v6//\n",
        ];
        for spellings in [&local, &remote] {
            for text in spellings {
                assert_eq!(BaseUrl::canonical(text), spellings[0], "{text}");
                assert_eq!(
                    BaseUrl::parse(text, "")?.origin(),
                    spellings[0].trim_end_matches("/api/v6"),
                    "{text}"
                );
            }
        }
        for text in [
            "http://localhost:8641/api/v6",
            "http://127.0.0.2:8640/api/v6",
        ] {
            assert_eq!(BaseUrl::canonical(text), text);
        }
        Ok(())
    }

    #[test]
    fn suggests_the_address_that_was_meant() {
        for path in ["", "/", "/api", "/api/v5", "/api/v6/clients", "/API/v6"] {
            let url = BaseUrl::parse(&format!("https://service.example{path}"), "");
            let hint = url.err().and_then(|error| error.hints.first().cloned());
            let path = path.strip_suffix("/API/v6").map_or("", |_| "/API/v6");
            let expected = format!("did you mean https://service.example{path}/api/v6?");
            assert_eq!(hint, Some(expected.into()));
        }
    }

    #[test]
    fn refuses_unsafe_addresses_without_showing_them() {
        let cases: [(&str, &[&str]); 7] = [
            (
                "not a URL",
                &["", "service.example/secret", "https:/u:secret@x://y"],
            ),
            (
                "not a URL (",
                &["https://[fe80::1%secret]/", "https://a:secret/"],
            ),
            ("has no host", &["https:///secret.example"]),
            (
                "user name or password",
                &["https://u:secret@service.example/api/v6"],
            ),
            (
                "query or fragment",
                &[
                    "https://service.example/api/v6?x=secret",
                    "https://service.example/api/v6#",
                ],
            ),
            (
                "contains a space, a control character or a backslash",
                &[
                    "https://service.example/ secret",
                    "https://service.example/\u{9b}",
                    r"https:\\secret.example\api",
                    r"https://service.example\@evil.example",
                ],
            ),
            (
                "uses http, which would send the token unencrypted",
                &["http://127.0.0.1.secret.example/api/v6"],
            ),
        ];
        let unclear = [
            "http://localhost./api/v6",
            "http://0.0.0.0/api/v6",
            "http://[::ffff:10.0.0.1]/api/v6",
        ];
        for (why, urls) in cases.into_iter().chain([("uses http,", &unclear[..])]) {
            for url in urls {
                let message = parse(url).err().unwrap_or_default();
                assert!(
                    message.contains(why) && !message.contains("secret"),
                    "{url}: {message}"
                );
            }
        }
        assert!(
            parse("ftp://service.example/api/v6")
                .is_err_and(|why| why.contains("begin with https://"))
        );
    }
}
