//! The service's address, checked once, where it enters.

use crate::error::{Error, Result};
use reqwest::Url;
use std::net::IpAddr;

/// A base address (`{base_url}` in the spec): https, or http on this machine alone; no trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// Checks an address that came from `origin` (a flag, a variable or the config file).
    ///
    /// # Errors
    /// `Usage`, with the reason and what is expected.
    pub fn parse(text: &str, origin: &str) -> Result<Self> {
        let refuse = |why: &str| {
            Error::usage(format!("the base URL in {origin} {why}"))
                .hint("expected an address such as https://service.example/api/v6")
        };
        let url = Url::parse(text.trim()).map_err(|error| refuse(&format!("is not a URL ({error})")))?;
        // The address itself stays unsaid where it may hold a password.
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("holds a user name or password").hint("put the token in SITECTL_TOKEN"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("has a query or fragment"));
        }
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&url) => {}
            "http" => return Err(refuse("uses http, which would send the token in the clear").hint("use https")),
            other => return Err(refuse(&format!("has the scheme '{other}', not https"))),
        }
        Ok(Self(url.as_str().trim_end_matches('/').to_string()))
    }

    /// The address, without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the way there is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// Whether it is on this machine, where no proxy belongs in between.
    pub fn is_local(&self) -> bool {
        Url::parse(&self.0).is_ok_and(|url| is_loopback(&url))
    }

    /// Whether it ends as the spec says ("Versioning").
    pub fn is_versioned(&self) -> bool {
        self.0.ends_with("/api/v6")
    }
}

fn is_loopback(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, String> {
        BaseUrl::parse(text, "--base-url").map(|url| url.as_str().into()).map_err(|error| error.message.clone())
    }

    #[test]
    fn takes_https_and_loopback() {
        for url in [
            "https://service.example/api/v6",
            "http://127.0.0.1:8640/api/v6",
            "http://127.9.9.9/api/v6",
            "http://[::1]:1/api/v6",
            "http://localhost:80/api/v6/",
            "https://service.example:8443/x/api/v6/",
        ] {
            assert!(parse(url).is_ok_and(|parsed| parsed.ends_with("/api/v6")), "{url}");
        }
    }

    #[test]
    fn refuses_what_is_unsafe_or_no_address() {
        for url in [
            "",
            "service.example/api/v6",
            "ftp://service.example/api/v6",
            "http://service.example/api/v6",
            "http://localhost.example/api/v6",
            "http://128.0.0.1/api/v6",
            "https://u:secret@service.example/api/v6",
            "https://service.example/api/v6?x=1",
            "https://service.example/api/v6#x",
        ] {
            let message = parse(url).err();
            assert!(message.as_ref().is_some_and(|m| !m.contains("secret")), "{url}: {message:?}");
        }
    }
}
