//! Why TLS refused a connection, in words that a person can act on.

use super::verifier::is_about_signers;
use crate::config::Trusted;
use jiff::Timestamp;
use rustls::pki_types::UnixTime;
use rustls::{AlertDescription, CertificateError, Error};
use std::error::Error as StdError;

/// Names of a certificate that are told; some have hundreds.
const NAMES_TOLD: usize = 5;

/// What TLS says of the other side, and what to do about it where that is known.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    pub why: String,
    pub hint: Option<String>,
}

/// The error of TLS in a chain of causes. An error of input and output names the cause of what it wraps as its own, and
/// so has to be opened: several are wrapped in each other.
pub fn tls_error(error: &reqwest::Error) -> Option<&Error> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        cause = wrapped.map(|wrapped| wrapped as _).or_else(|| error.source());
    }
    None
}

/// Whether the other side ended the handshake for want of a certificate of ours. In TLS 1.3 it says so after the
/// handshake looks complete from here, and it has not taken a request.
pub fn wants_certificate(error: &Error) -> bool {
    matches!(error, Error::AlertReceived(AlertDescription::CertificateRequired))
}

/// The refusal in words. `trusted` is what stood in place of the system's certificates.
pub fn refusal(error: &Error, trusted: Option<&Trusted>) -> Refusal {
    let say = |why: String| Refusal { why, hint: None };
    match error {
        Error::InvalidCertificate(why) => certificate(why, trusted),
        Error::InvalidMessage(_) => say("what answers there does not speak TLS".into()),
        error if wants_certificate(error) => say("it asks for a client certificate, which sitectl has none of".into()),
        Error::AlertReceived(alert) => say(format!("it broke off the TLS handshake ({alert:?})")),
        error => say(format!("TLS failed: {error}")),
    }
}

fn certificate(why: &CertificateError, trusted: Option<&Trusted>) -> Refusal {
    if is_about_signers(why) {
        return unknown_signer(trusted);
    }
    let at_odds = |words: String| Refusal { why: words, hint: Some("check the clock of this machine".into()) };
    let say = |words: &str| Refusal { why: words.into(), hint: None };
    match why {
        CertificateError::ExpiredContext { time, not_after } => {
            at_odds(format!("its certificate expired on {} (now is {})", instant(*not_after), instant(*time)))
        }
        CertificateError::Expired => at_odds("its certificate has expired".into()),
        CertificateError::NotValidYetContext { time, not_before } => {
            at_odds(format!("its certificate is valid from {} on (now is {})", instant(*not_before), instant(*time)))
        }
        CertificateError::NotValidYet => at_odds("its certificate is not valid yet".into()),
        CertificateError::NotValidForNameContext { expected, presented } => {
            say(&format!("its certificate is {}, not for {}", names(presented), expected.to_str()))
        }
        CertificateError::NotValidForName => say("its certificate is for another host"),
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            say("its certificate is not for servers (extended key usage)")
        }
        CertificateError::Revoked => say("its certificate has been revoked"),
        CertificateError::BadEncoding => say("its certificate cannot be read"),
        other => say(&format!("its certificate was refused: {other}")),
    }
}

fn unknown_signer(trusted: Option<&Trusted>) -> Refusal {
    let by = trusted.map_or("nobody that this system trusts".into(), |trusted| format!("nobody in {}", trusted.file));
    Refusal {
        why: format!("its certificate is self-signed, or signed by {by} (unknown issuer)"),
        hint: Some("--ca-cert FILE names the certificates of a private authority".into()),
    }
}

/// Whom a certificate is for, such as `for a.example and b.example`.
fn names(presented: &[String]) -> String {
    let told: Vec<&str> = presented.iter().take(NAMES_TOLD).map(|name| bare(name)).collect();
    match presented.len() - told.len() {
        _ if told.is_empty() => "for no host at all".into(),
        0 => format!("for {}", told.join(", ")),
        more => format!("for {} and {more} more", told.join(", ")),
    }
}

/// The name alone, of `DnsName("a.example")` or `IpAddress(10.0.0.1)`.
fn bare(name: &str) -> &str {
    let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inner.unwrap_or(name).trim_matches('"')
}

fn instant(time: UnixTime) -> String {
    let second = i64::try_from(time.as_secs()).ok().and_then(|second| Timestamp::from_second(second).ok());
    second.map_or_else(|| "a day out of reach".into(), |second| second.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::pki_types::ServerName;
    use std::time::Duration;

    fn words(why: CertificateError) -> (String, Option<String>) {
        let refusal = refusal(&Error::InvalidCertificate(why), None);
        (refusal.why, refusal.hint)
    }

    #[test]
    fn a_wrong_host_is_told_with_both_names() -> Result<(), rustls::pki_types::InvalidDnsNameError> {
        let wrong = |presented: &[&str]| {
            let expected = ServerName::try_from("a.example")?;
            let presented = presented.iter().map(ToString::to_string).collect();
            Ok(words(CertificateError::NotValidForNameContext { expected, presented }).0)
        };
        assert_eq!(wrong(&[r#"DnsName("b.example")"#])?, "its certificate is for b.example, not for a.example");
        assert_eq!(wrong(&["IpAddress(10.0.0.1)"])?, "its certificate is for 10.0.0.1, not for a.example");
        assert_eq!(wrong(&[])?, "its certificate is for no host at all, not for a.example");
        let many = [r#"DnsName("b")"#; 7];
        assert_eq!(wrong(&many)?, "its certificate is for b, b, b, b, b and 2 more, not for a.example");
        Ok(())
    }

    #[test]
    fn the_clock_is_named_where_the_time_is_wrong() {
        let time = |seconds| UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        let (why, hint) = words(CertificateError::ExpiredContext { time: time(86_400), not_after: time(1) });
        assert_eq!(why, "its certificate expired on 1970-01-01T00:00:01Z (now is 1970-01-02T00:00:00Z)");
        assert!(hint.is_some_and(|hint| hint.contains("clock")));
        let (why, hint) = words(CertificateError::NotValidYetContext { time: time(1), not_before: time(u64::MAX) });
        assert!(why.contains("valid from a day out of reach") && hint.is_some(), "{why}");
    }

    #[test]
    fn only_an_unknown_signer_is_helped_by_certificates() {
        let hint = |why| words(why).1.unwrap_or_default();
        assert!(hint(CertificateError::UnknownIssuer).contains("--ca-cert"));
        for why in [CertificateError::Expired, CertificateError::NotValidForName, CertificateError::Revoked] {
            assert!(!hint(why).contains("--ca-cert"));
        }
    }
}
