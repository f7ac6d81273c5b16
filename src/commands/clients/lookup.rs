//! Finds clients by id or email.

use crate::client::Api;
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::resources::query::Query;
use crate::resources::{Record, scalar};
use crate::terminal::shell_option;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// The most clients that are read one by one: reading the complete list takes fewer requests for more.
const FEW: usize = 20;

/// Whether a text is an email: ids contain no `@`.
pub fn is_email(text: &str) -> bool {
    text.contains('@')
}

/// Returns the name and email of a client.
pub fn full_name(client: &Record) -> String {
    joined(client, &["first_name", "last_name", "email"])
}

/// Returns the name and id of a client, such as `Anna Kowalska (client-0021)`.
pub fn short_name(client: &Record) -> String {
    let (name, id) = (
        joined(client, &["first_name", "last_name"]),
        client.id().unwrap_or_default(),
    );
    if name.is_empty() {
        id
    } else {
        format!("{name} ({id})")
    }
}

fn joined(client: &Record, fields: &[&str]) -> String {
    let parts = fields
        .iter()
        .filter_map(|field| client.text(field))
        .filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

/// Returns the client with this id or email; a client that is found by its email has an id.
///
/// # Errors
/// `NotFound` if it does not exist.
pub async fn find(context: &Context, api: &Api, text: &str) -> Result<Record> {
    let missing = || Error::new(Kind::NotFound, format!("client '{text}' not found"));
    let found = match is_email(text) {
        true => by_email(api, text)
            .await
            .and_then(|client| client.ok_or_else(missing)),
        false => api.client(text).await,
    };
    found.map_err(|error| with_search(context, error, text))
}

/// Returns the client with this email, ignoring case.
///
/// # Errors
/// As [`AllClients::by_email`], and as any list.
pub async fn by_email(api: &Api, email: &str) -> Result<Option<Record>> {
    let alike = AllClients::new(api.clients_by_email(email).await?)?;
    Ok(alike
        .by_email(email)?
        .map(|number| alike.list[number].clone()))
}

/// Adds the command that searches for the client. A text without a digit may be a name.
fn with_search(context: &Context, error: Error, text: &str) -> Error {
    match error.kind {
        Kind::NotFound | Kind::Invalid
            if is_email(text) || !text.contains(|c: char| c.is_ascii_digit()) =>
        {
            let name = text.split('@').next().unwrap_or_default();
            error.with_hint(format!(
                "search for the client: {} clients list {}",
                context.program(),
                shell_option("--search", name)
            ))
        }
        _ => context.hint_list(error, "clients"),
    }
}

/// Returns each of these clients, which are ids or emails; none for one that does not exist.
///
/// # Errors
/// As any list; `Invalid` if an email could be that of several clients.
pub async fn find_all(
    context: &Context,
    api: &Api,
    names: &[String],
) -> Result<Vec<Option<Record>>> {
    let mut found = Vec::new();
    if names.len() <= FEW {
        for name in names {
            found.push(match find(context, api, name).await {
                // A 404 of the list says nothing about an email.
                Err(error)
                    if error.kind == Kind::NotFound
                        && !(is_email(name) && error.status.is_some()) =>
                {
                    None
                }
                client => Some(client?),
            });
        }
        return Ok(found);
    }
    let all = AllClients::read(api).await?;
    for name in names {
        let number = if is_email(name) {
            all.by_email(name)
        } else {
            Ok(all.by_id(name))
        };
        let number = number.map_err(|error| with_search(context, error, name))?;
        found.push(number.map(|number| all.list[number].clone()));
    }
    Ok(found)
}

/// All clients of the account; each has an id.
pub struct AllClients {
    /// In the service's order.
    pub list: Vec<Record>,
    by_id: HashMap<String, usize>,
    /// By a field and its items. Emails are in lower case: the spec does not show whether two may differ in case only.
    by_item: HashMap<(&'static str, String), Vec<usize>>,
}

impl AllClients {
    /// Reads them all.
    ///
    /// # Errors
    /// As any list; `Incomplete` if it kept changing.
    pub async fn read(api: &Api) -> Result<Self> {
        Self::new(api.all_records(&api.clients(), &Query::default()).await?)
    }

    /// Indexes them.
    ///
    /// # Errors
    /// `Unavailable` if one has no id.
    pub fn new(list: Vec<Record>) -> Result<Self> {
        let (mut by_id, mut by_item) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        for (number, client) in list.iter().enumerate() {
            let unknown = || {
                format!(
                    "the service sent no id for the client '{}'",
                    full_name(client)
                )
            };
            let id = client
                .id()
                .ok_or_else(|| Error::new(Kind::Unavailable, unknown()))?;
            by_id.insert(id, number);
            for field in ["email", "site_ids"] {
                let items = client.value(field).as_ref().map(items).unwrap_or_default();
                items
                    .into_iter()
                    .for_each(|item| by_item.entry((field, item)).or_default().push(number));
            }
        }
        Ok(Self {
            list,
            by_id,
            by_item,
        })
    }

    /// Returns the clients that have this site in their `site_ids`, or this `email` in any letter case.
    pub fn owners(&self, field: &'static str, item: &str) -> &[usize] {
        self.by_item
            .get(&(field, item.to_string()))
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the number of the client with this id.
    pub fn by_id(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Returns the number of the client with this email: of several that differ in case, the one that is spelled
    /// identically.
    ///
    /// # Errors
    /// `Invalid` if several differ in case, and none is spelled identically.
    pub fn by_email(&self, email: &str) -> Result<Option<usize>> {
        let alike = self.owners("email", &email.to_lowercase());
        let exact = |number: &&usize| self.list[**number].text("email").as_deref() == Some(email);
        let ambiguous =
            || format!("several clients have the email '{email}', in different letter case");
        match alike {
            [] | [_] => Ok(alike.first().copied()),
            _ => alike
                .iter()
                .find(exact)
                .copied()
                .map(Some)
                .ok_or_else(|| Error::new(Kind::Invalid, ambiguous())),
        }
    }
}

/// Returns the sites of a list, or an email in lower case, because emails that differ in case are the same. A blank email
/// is none.
pub fn items(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(items) => items.iter().filter_map(scalar).collect(),
        value => scalar(value)
            .map(|text| text.to_lowercase())
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_is_found_in_any_case() -> Result<()> {
        let client =
            |id: &str, email: &str| Record::whole(format!(r#"{{"id":"{id}","email":"{email}"}}"#));
        let all = AllClients::new(vec![
            client("1", "Ada@x.example"),
            client("2", "al@x.example"),
            client("3", "AL@x.example"),
        ])?;
        assert_eq!(
            (
                all.by_email("ADA@X.example")?,
                all.by_email("AL@x.example")?
            ),
            (Some(0), Some(2))
        );
        assert_eq!(all.by_email("b@x.example")?, None);
        assert!(all.by_email("Al@x.example").is_err());
        assert_eq!((all.by_id("3"), all.by_id("4")), (Some(2), None));
        Ok(())
    }
}
