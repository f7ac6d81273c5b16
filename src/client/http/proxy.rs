//! The proxy of the service, by the rules that reqwest applies to connections.

use crate::config::{BaseUrl, Environment};
use crate::error::{Error, Result};
use crate::shell::set_variable;
use hyper_util::client::proxy::matcher::Matcher;
use reqwest::Url;

/// A proxy in messages, without its user and password.
pub struct Proxy {
    pub scheme: String,
    /// The host and port.
    pub address: String,
}

/// Returns the proxy for this base URL. None if the connection is direct.
pub fn proxy_of(base_url: &BaseUrl) -> Option<Proxy> {
    if base_url.is_local() {
        return None;
    }
    let url = base_url.as_str().parse().ok()?;
    let proxy = Matcher::from_system().intercept(&url)?;
    let uri = proxy.uri();
    Some(Proxy {
        scheme: uri.scheme_str()?.into(),
        address: match (uri.host()?, uri.port_u16()) {
            (host, Some(port)) => format!("{host}:{port}"),
            (host, None) => host.into(),
        },
    })
}

/// Checks the variable of the proxy for this base URL, because reqwest ignores an invalid one and
/// connects without a proxy.
///
/// # Errors
/// `Usage` if the value is not the URL of a proxy. The message does not show it, because it can
/// contain a password.
pub fn check_proxy_variable(base_url: &BaseUrl, env: &Environment) -> Result<()> {
    let Some((variable, value)) = &env.proxy else {
        return Ok(());
    };
    let without_proxy = env.no_proxy.as_deref().unwrap_or_default();
    let is_used = |proxy: &str, without_proxy: &str| {
        let matcher = Matcher::builder().https(proxy).no(without_proxy).build();
        let url = base_url.as_str().parse();
        url.is_ok_and(|url| matcher.intercept(&url).is_some())
    };
    let is_valid = is_used(value, "") && has_only_host_and_port(value);
    if base_url.is_local() || is_valid || !is_used("http://proxy", without_proxy) {
        return Ok(());
    }
    let command = set_variable(variable, "http://HOST:PORT");
    Err(
        Error::usage(format!("{variable} is not the URL of a proxy"))
            .with_hint(format!("specify the host and port of the proxy: {command}")),
    )
}

/// Whether the URL has no path. A password with a slash looks like one, and what is before the slash
/// like the host, to which reqwest would connect.
fn has_only_host_and_port(proxy: &str) -> bool {
    let url = match proxy.contains("://") {
        true => Url::parse(proxy),
        false => Url::parse(&format!("http://{proxy}")),
    };
    url.is_ok_and(|url| {
        matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_proxy_is_an_error_if_it_would_be_used() -> Result<()> {
        let refused = |url: &BaseUrl, variables: &[(&str, &str)]| {
            let checked = check_proxy_variable(url, &Environment::of(variables));
            checked.err().map(|error| error.message.clone())
        };
        let service = &BaseUrl::parse("https://service.example/api/v6", "a test")?;
        let local = &BaseUrl::parse("https://localhost:8443/api/v6", "a test")?;
        for value in [
            "http://bad host",
            "http://user:s3cret@bad host",
            "ftp://proxy:3128",
            "http://user:12345/x@proxy:3128",
            "user:12345#x@proxy:3128",
            "http://proxy:abc",
            "http://proxy:99999",
            "http://",
        ] {
            assert_eq!(
                refused(service, &[("https_proxy", value)]).as_deref(),
                Some("https_proxy is not the URL of a proxy"),
                "{value}"
            );
        }
        for value in [
            "http://proxy",
            "http://proxy/",
            "proxy:3128",
            "http://user:p%40ss@proxy:3128/",
            "https://[::1]:3128",
            "socks5h://proxy:1080",
        ] {
            assert_eq!(refused(service, &[("ALL_PROXY", value)]), None, "{value}");
        }
        let invalid = ("HTTPS_PROXY", "http://bad host");
        for (url, other) in [
            (local, ("CI", "1")),
            (service, ("NO_PROXY", "service.example")),
            (service, ("no_proxy", "*")),
        ] {
            assert_eq!(refused(url, &[invalid, other]), None, "{other:?}");
        }
        assert_eq!(
            refused(
                service,
                &[("HTTPS_PROXY", "proxy:1"), ("ALL_PROXY", "http://bad host")]
            ),
            None
        );
        Ok(())
    }
}
