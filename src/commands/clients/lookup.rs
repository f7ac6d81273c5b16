//! Finds clients by id or email.

use crate::client::{Api, ambiguous_email};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use crate::resources::query::Query;
use crate::terminal::option;
use std::collections::HashMap;

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
    let (name, id) = (joined(client, &["first_name", "last_name"]), client.id().unwrap_or_default());
    if name.is_empty() { id } else { format!("{name} ({id})") }
}

fn joined(client: &Record, fields: &[&str]) -> String {
    let parts = fields.iter().filter_map(|field| client.text(field)).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

/// Returns the client with this id or email; a client that is found by its email has an id.
///
/// # Errors
/// `NotFound` if it does not exist.
pub async fn find(context: &Context, api: &Api, text: &str) -> Result<Record> {
    let found = if is_email(text) { by_email(api, text).await } else { api.client(text).await };
    found.map_err(|error| with_search(context, error, text))
}

async fn by_email(api: &Api, email: &str) -> Result<Record> {
    let missing = || Error::new(Kind::NotFound, format!("client '{email}' not found"));
    let client = api.client_by_email(email).await?.ok_or_else(missing)?;
    if client.id().is_none() { Err(without_id(email)) } else { Ok(client) }
}

/// Adds the command that searches for the client. A text without a digit may be a name.
fn with_search(context: &Context, error: Error, text: &str) -> Error {
    let program = context.program();
    match error.kind {
        Kind::NotFound if is_email(text) || !text.contains(|c: char| c.is_ascii_digit()) => {
            let name = text.split('@').next().unwrap_or_default();
            error.hint(format!("search for the client: {program} clients list {}", option("--search", name)))
        }
        Kind::Invalid if is_email(text) => {
            error.or_hint(|| format!("specify the client's id: {program} clients list {}", option("--email", text)))
        }
        _ => context.hint_list(error, "clients"),
    }
}

/// Returns the error of a client that cannot be changed, because the service sent no id.
pub fn without_id(client: &str) -> Error {
    Error::new(Kind::Unavailable, format!("the service sent no id for the client '{client}'"))
        .hint("show the response with -vv")
}

/// Returns each of these clients, which are ids or emails; none for one that does not exist.
///
/// # Errors
/// As any list; `Invalid` if an email could be that of several clients.
pub async fn find_all(context: &Context, api: &Api, names: &[String]) -> Result<Vec<Option<Record>>> {
    if names.len() > FEW || names.iter().any(|name| is_email(name)) {
        let all = AllClients::read(api).await?;
        let number = |name: &str| if is_email(name) { all.by_email(name) } else { Ok(all.by_id(name)) };
        let client = |name: &String| {
            let number = number(name).map_err(|error| with_search(context, error, name))?;
            Ok(number.map(|number| all.list[number].clone()))
        };
        return names.iter().map(client).collect();
    }
    let mut found = Vec::new();
    for id in names {
        found.push(match api.client(id).await {
            Err(error) if error.kind == Kind::NotFound => None,
            client => Some(client?),
        });
    }
    Ok(found)
}

/// All clients of the account; each has an id.
pub struct AllClients {
    /// In the service's order.
    pub list: Vec<Record>,
    by_id: HashMap<String, usize>,
    /// By their emails in lower case: the spec does not show whether two may differ in case only.
    by_email: HashMap<String, Vec<usize>>,
    by_site: HashMap<String, usize>,
}

impl AllClients {
    /// Reads them all.
    ///
    /// # Errors
    /// As any list; `Incomplete` if it kept changing.
    pub async fn read(api: &Api) -> Result<Self> {
        Self::new(api.all(&api.clients(), &Query::default()).await?)
    }

    /// Indexes them.
    ///
    /// # Errors
    /// `Unavailable` if one has no id.
    pub fn new(list: Vec<Record>) -> Result<Self> {
        let (mut by_id, mut by_email, mut by_site) = (HashMap::new(), HashMap::<_, Vec<_>>::new(), HashMap::new());
        for (number, client) in list.iter().enumerate() {
            let email = client.text("email").unwrap_or_default();
            by_id.insert(client.id().ok_or_else(|| without_id(&email))?, number);
            by_email.entry(email.to_lowercase()).or_default().push(number);
            by_site.extend(client.texts("site_ids").unwrap_or_default().into_iter().map(|site| (site, number)));
        }
        Ok(Self { list, by_id, by_email, by_site })
    }

    /// Returns the client that has this site.
    pub fn owner(&self, site: &str) -> Option<&Record> {
        self.by_site.get(site).map(|number| &self.list[*number])
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
        let alike = self.by_email.get(&email.to_lowercase()).map_or(&[][..], Vec::as_slice);
        let exact = |number: &&usize| self.list[**number].text("email").as_deref() == Some(email);
        match alike {
            [] | [_] => Ok(alike.first().copied()),
            _ => alike.iter().find(exact).copied().map(Some).ok_or_else(|| ambiguous_email(email)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_is_found_in_any_case() -> Result<()> {
        let client = |id: &str, email: &str| Record::whole(format!(r#"{{"id":"{id}","email":"{email}"}}"#));
        let all = AllClients::new(vec![
            client("1", "Ada@x.example"),
            client("2", "al@x.example"),
            client("3", "AL@x.example"),
        ])?;
        assert_eq!((all.by_email("ADA@X.example")?, all.by_email("AL@x.example")?), (Some(0), Some(2)));
        assert_eq!(all.by_email("b@x.example")?, None);
        assert!(all.by_email("Al@x.example").is_err());
        assert_eq!((all.by_id("3"), all.by_id("4")), (Some(2), None));
        Ok(())
    }
}
