//! Compares a client with the values that were sent for it, and reports those that the service did not keep.

use super::difference::{Change, differences};
use super::show;
use crate::client::Api;
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::{Record, scalar};
use serde_json::{Map, Value};

/// What a client shows of the values that were sent.
#[derive(Debug, PartialEq)]
pub struct Comparison {
    /// The fields with other values, beyond surrounding blanks and letter case.
    pub other: Vec<Change>,
    /// The fields that the client lacks.
    pub unshown: Vec<String>,
}

impl Comparison {
    /// Compares them.
    pub fn new(client: &Record, sent: &Map<String, Value>) -> Self {
        let found = client.fields();
        let (shown, hidden): (Vec<_>, Vec<_>) =
            differences(client, sent).into_iter().partition(|change| found.contains_key(&change.field));
        let other = shown.into_iter().filter(|change| !alike(&change.from, &change.to)).collect();
        Self { other, unshown: hidden.into_iter().map(|change| change.field).collect() }
    }
}

fn alike(found: &Value, sent: &Value) -> bool {
    let text = |value: &Value| scalar(value).unwrap_or_default().trim().to_lowercase();
    sent.is_string() && text(found) == text(sent)
}

/// Whether the service kept what was sent. The spec does not show whether `site_ids` replaces the sites or adds to them.
///
/// # Errors
/// `Error` with each field that has another value.
pub fn kept(api: &Api, done: &str, client: &Record, sent: &Map<String, Value>) -> Result<()> {
    let Comparison { other, .. } = Comparison::new(client, sent);
    if other.is_empty() {
        return Ok(());
    }
    let details = other.iter().map(|change| Detail::new("not_kept", &change.field, difference(change))).collect();
    let who = client.id().or_else(|| client.text("email")).unwrap_or_default();
    Err(Error::new(Kind::Error, format!("the client was {done}, but the service did not keep every value"))
        .details(details)
        .map_text(|text| api.mask(text))
        .hint(format!("look at the client: {}", show(api, &who))))
}

fn difference(change: &Change) -> String {
    let (Value::Array(from), Value::Array(to)) = (&change.from, &change.to) else {
        return format!("Was sent as {}, but the service has {}", change.to, change.from);
    };
    let missing_from = |these: &[Value], those: &[Value]| {
        let those: Vec<_> = those.iter().filter_map(scalar).collect();
        these.iter().filter_map(scalar).filter(|id| !those.contains(id)).collect::<Vec<_>>().join(", ")
    };
    let parts = [("These stayed: ", missing_from(from, to)), ("These are missing: ", missing_from(to, from))];
    let parts = parts.into_iter().filter(|(_, ids)| !ids.is_empty()).map(|(what, ids)| format!("{what}{ids}"));
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn other_values_are_named_and_absent_ones_are_not_compared() {
        let client = json!({"email": "ada@x.example", "note": null, "last_name": " L ", "address": "x", "site_ids": [1, "b", "c"]});
        let compared = |sent: Value| {
            let sent = sent.as_object().cloned().unwrap_or_default();
            let Comparison { other, unshown } = Comparison::new(&Record::whole(client.to_string()), &sent);
            [other.iter().map(difference).collect(), unshown]
        };
        let same = json!({"email": "ADA@x.example", "note": " ", "last_name": "l", "site_ids": ["c", "b", "1"]});
        assert_eq!(compared(same), [vec![], vec![] as Vec<String>]);
        assert_eq!(
            compared(
                json!({"note": "n", "address": "", "site_ids": ["d", "b"], "first_name": "A", "company_name": ""})
            ),
            [
                vec![
                    r#"Was sent as "n", but the service has null"#.to_string(),
                    r#"Was sent as "", but the service has "x""#.into(),
                    "These stayed: 1, c; These are missing: d".into(),
                ],
                vec!["first_name".to_string()]
            ]
        );
    }
}
