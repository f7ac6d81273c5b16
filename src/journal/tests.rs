//! What the tests of this module share.

use super::Intent;
use jiff::Timestamp;
use serde_json::value::RawValue;

/// An intent to restore this site.
pub fn intent(site_id: &str) -> Intent {
    Intent {
        started_at: Timestamp::now(),
        user: None,
        ci_url: None,
        profile: None,
        base_url: "sandbox".into(),
        site_id: site_id.into(),
        snapshot_id: "latest".into(),
        scope: RawValue::from_string("{}".into()).unwrap_or_else(|_| RawValue::NULL.to_owned()),
        reason: Some("a \"reason\"\nof two lines".into()),
        run: None,
    }
}
