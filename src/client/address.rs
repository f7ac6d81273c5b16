//! Where a site is on the web, so that two spellings of one address are seen to be the same.

use crate::error::{Error, Result};
use crate::resources::Record;
use reqwest::Url;

/// The fields in which a site may hold its whole address; the spec shows none ("Other resources").
const WHOLE: [&str; 3] = ["url", "site_url", "home_url"];

/// Whether a site is named by its URL; no id is one.
pub fn is_url(text: &str) -> bool {
    text.contains("://")
}

/// Refuses a URL where only a site's id will do. `param` is what it was typed as.
///
/// # Errors
/// `Usage` with where the ids are.
pub fn needs_id(param: &str, text: &str) -> Result<()> {
    match is_url(text) {
        true => {
            Err(Error::usage(format!("{param} takes a site's id, not a URL")).hint("sitectl sites list shows the ids"))
        }
        false => Ok(()),
    }
}

/// An address without what tells no sites apart: the scheme, its default port, the case of the host, a last slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Reads an address; none where the text is not one. The scheme may be missing.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let url = if text.contains("://") { Url::parse(text) } else { Url::parse(&format!("https://{text}")) }.ok()?;
        let host = url.host_str().map(|host| host.trim_end_matches('.').to_ascii_lowercase());
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let host = host.filter(|host| !host.is_empty())?;
        Some(Self(format!("{host}{port}{}{query}", url.path().trim_end_matches('/'))))
    }

    /// How alike two addresses are, from 0 to 1.
    pub fn likeness(&self, other: &Self) -> f64 {
        strsim::jaro_winkler(&self.0, &other.0)
    }
}

/// A site's addresses as it spells them. A domain alone counts where nothing says more: several sites may share one.
pub fn addresses(site: &Record) -> Vec<String> {
    let whole: Vec<String> = WHOLE.iter().filter_map(|name| site.text(name)).filter(|text| !text.is_empty()).collect();
    if whole.is_empty() { site.text("domain").into_iter().filter(|text| !text.is_empty()).collect() } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_address_are_the_same() {
        let same = [
            "https://shop.example.com",
            "http://shop.example.com/",
            "HTTPS://Shop.Example.COM:443//",
            "http://shop.example.com:80",
            "shop.example.com",
            " https://shop.example.com./ ",
            "https://user@shop.example.com/#top",
        ];
        for text in same {
            assert_eq!(Address::parse(text), Address::parse(same[0]), "{text}");
        }
        assert_eq!(Address::parse("https://bücher.example"), Address::parse("http://xn--bcher-kva.example/"));
    }

    #[test]
    fn what_tells_sites_apart_stays() {
        let apart = [
            "https://shop.example.com",
            "https://www.shop.example.com",
            "https://shop.example.com:8443",
            "https://shop.example.com/blog",
            "https://shop.example.com/Blog/",
            "https://shop.example.com/?p=1",
            "http://[::1]/",
        ];
        for (number, text) in apart.iter().enumerate() {
            assert!(Address::parse(text).is_some(), "{text}");
            for other in &apart[number + 1..] {
                assert_ne!(Address::parse(text), Address::parse(other), "{text} {other}");
            }
        }
    }

    #[test]
    fn anything_else_is_no_address() {
        for text in ["", "://", "https://", "https:///", "a b", "https://a:b:c"] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_site_may_name_its_address_in_several_fields() {
        let cases = [
            (r#"{"url":"https://a","home_url":"https://b/x","domain":"a"}"#, vec!["https://a", "https://b/x"]),
            (r#"{"url":null,"site_url":"","domain":"a"}"#, vec!["a"]),
            (r#"{"url":{"x":1},"id":"https://c"}"#, vec![]),
        ];
        for (json, expected) in cases {
            assert_eq!(addresses(&Record::whole(json.into())), expected, "{json}");
        }
    }
}
