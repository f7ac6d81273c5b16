//! Finds clients by id or email.

use crate::client::Api;
use crate::commands::choose::choose_record;
use crate::commands::context::Context;
use crate::error::{Error, Hint, Kind, Result};
use crate::resources::query::Query;
use crate::resources::{CLIENTS, Record, scalar_text};
use crate::shell::shell_option;
use icu_normalizer::ComposingNormalizerBorrowed;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The most clients that are read one by one. For more, the complete list takes fewer requests.
const MAX_SINGLE_READS: usize = 20;

/// Whether a text is an email and not an id: ids contain no `@`.
pub fn looks_like_email(text: &str) -> bool {
    text.contains('@')
}

/// Returns the name and email of a client.
pub fn name_and_email(client: &Record) -> String {
    join_fields(client, &["first_name", "last_name", "email"])
}

/// Returns the name and id of a client, such as `Anna Kowalska (client-0021)`.
pub fn name_and_id(client: &Record) -> String {
    let name = join_fields(client, &["first_name", "last_name"]);
    let id = client.id().unwrap_or_default();
    if name.is_empty() {
        id
    } else {
        format!("{name} ({id})")
    }
}

fn join_fields(client: &Record, fields: &[&str]) -> String {
    let mut parts = Vec::new();
    for field in fields {
        parts.extend(client.text(field));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// Returns the client with this id or email. A client that is found by its email always has an id;
/// one that is found by its id may lack it in the response.
///
/// # Errors
/// `NotFound` if it does not exist.
pub async fn find_client(api: &Api, id_or_email: &str) -> Result<Record> {
    let client = if looks_like_email(id_or_email) {
        find_by_email(api, id_or_email)
            .await
            .and_then(|client| client.ok_or_else(|| missing_client(id_or_email)))
    } else {
        api.client(id_or_email).await
    };
    client.map_err(|error| with_search_hint(error, id_or_email))
}

/// Returns the ids of the sites of the client with this id or email.
///
/// # Errors
/// `NotFound` if the client does not exist; `Unavailable` if its sites cannot be read.
pub async fn sites_of_client(api: &Api, id_or_email: &str) -> Result<HashSet<String>> {
    let client = find_client(api, id_or_email).await?;
    read_sites_of([&client])
}

/// Returns the ids of all sites that a client has.
///
/// # Errors
/// `Unavailable` if the sites of a client cannot be read.
pub async fn assigned_sites(api: &Api) -> Result<HashSet<String>> {
    let clients = api.all_records(&api.clients(), &Query::default()).await?;
    read_sites_of(&clients)
}

fn read_sites_of<'c>(clients: impl IntoIterator<Item = &'c Record>) -> Result<HashSet<String>> {
    let mut sites = HashSet::new();
    for client in clients {
        let ids = client.texts("site_ids");
        sites.extend(ids.ok_or_else(|| hidden_sites(client))?);
    }
    Ok(sites)
}

fn hidden_sites(client: &Record) -> Error {
    let name = name_and_id(client);
    let message = format!("the service does not show which sites {name} has");
    let id = client.id().unwrap_or_default();
    Error::new(Kind::Unavailable, message).with_hint(
        Hint::command("show the client", "clients show")
            .words("--json")
            .ids(&[&id]),
    )
}

/// Returns the client that was specified. Without one, prompts for a client, and returns its id.
///
/// # Errors
/// The error of the list; `NotFound` if it is empty; `Interrupted` if the user cancels.
pub async fn client_or_choice(
    context: &Context,
    api: &Api,
    specified: Option<&str>,
) -> Result<String> {
    if let Some(id_or_email) = specified {
        return Ok(id_or_email.into());
    }
    let counter = context.ui.counter(CLIENTS.plural);
    let clients = counter.while_waiting(AllClients::read(api)).await?;
    let columns = |client: &Record| {
        let name = join_fields(client, &["first_name", "last_name"]);
        let [email, company] = ["email", "company_name"].map(|field| client.text(field));
        vec![Some(name), email, client.id(), company]
    };
    choose_record(context, &CLIENTS, &clients.list, columns).await
}

/// Returns the error of a client that does not exist.
pub fn missing_client(id_or_email: &str) -> Error {
    let message = format!("client '{id_or_email}' not found");
    with_search_hint(Error::new(Kind::NotFound, message), id_or_email)
}

/// Returns the client with this email, ignoring case.
///
/// # Errors
/// `Invalid` if it could be the email of several clients.
pub async fn find_by_email(api: &Api, email: &str) -> Result<Option<Record>> {
    ClientFinder { api, all: None }.find(email).await
}

/// Finds clients one by one. Reads the complete list at most once.
struct ClientFinder<'a> {
    api: &'a Api,
    /// All clients; None until they are needed.
    all: Option<AllClients>,
}

impl ClientFinder<'_> {
    /// Returns the client with this id or email; None only if it surely does not exist.
    async fn find(&mut self, id_or_email: &str) -> Result<Option<Record>> {
        if let Some(all) = &self.all {
            return all.find(id_or_email);
        }
        if !looks_like_email(id_or_email) {
            return match self.api.client(id_or_email).await {
                Err(error) if error.kind == Kind::NotFound => Ok(None),
                found => found.map(Some),
            };
        }
        let candidates = AllClients::new(self.api.clients_by_email(id_or_email).await?)?;
        let found = candidates.find(id_or_email)?;
        if found.is_some() {
            return Ok(found);
        }
        // The service's filter may compare letter case.
        let all = AllClients::read(self.api).await?;
        self.all.insert(all).find(id_or_email)
    }
}

/// Adds a hint: a search by name if the text is an email, or has no digit and may be a name; else
/// the list of clients.
pub fn with_search_hint(error: Error, id_or_email: &str) -> Error {
    let may_be_name = !id_or_email.contains(|c: char| c.is_ascii_digit());
    if !matches!(error.kind, Kind::NotFound | Kind::Invalid)
        || !(looks_like_email(id_or_email) || may_be_name)
    {
        return error.hint_list_if_not_found("clients");
    }
    // The part of an email before the `@` often contains the name.
    let name = id_or_email.split('@').next().unwrap_or_default();
    let options = full_name_options(name).unwrap_or_else(|| shell_option("--search", name));
    let search = Hint::command("search for the client", "clients list").words(&options);
    error.without_hints().with_hint(search)
}

/// Returns the options that find a client by its full name, which no single field has; None for one
/// word.
fn full_name_options(name: &str) -> Option<String> {
    let (first, last) = name.trim().split_once(char::is_whitespace)?;
    let first = shell_option("--first-name", first);
    let last = shell_option("--last-name", last.trim());
    Some(format!("{first} {last}"))
}

/// Returns a client for each id or email, in the same order; None for one that does not exist.
///
/// # Errors
/// `Invalid` if an email could be that of several clients.
pub async fn find_clients(api: &Api, ids_or_emails: &[String]) -> Result<Vec<Option<Record>>> {
    let mut finder = ClientFinder { api, all: None };
    if ids_or_emails.len() > MAX_SINGLE_READS {
        finder.all = Some(AllClients::read(api).await?);
    }
    let mut clients = Vec::new();
    for id_or_email in ids_or_emails {
        let found = finder.find(id_or_email).await;
        clients.push(found.map_err(|error| with_search_hint(error, id_or_email))?);
    }
    Ok(clients)
}

/// All clients of the account; each has an id.
pub struct AllClients {
    /// The clients in the service's order.
    pub list: Vec<Record>,
    by_id: HashMap<String, usize>,
    /// The indexes of the clients with a value. The key is `site_ids` and the id of a site, or
    /// `email` and its key: the spec does not say whether two may differ in case only.
    by_value: HashMap<(&'static str, String), Vec<usize>>,
}

impl AllClients {
    /// Reads the complete list.
    ///
    /// # Errors
    /// `Incomplete` if the list kept changing.
    pub async fn read(api: &Api) -> Result<Self> {
        Self::new(api.all_records(&api.clients(), &Query::default()).await?)
    }

    /// Indexes the clients by id, email and site.
    ///
    /// # Errors
    /// `Unavailable` if a client has no id.
    pub fn new(list: Vec<Record>) -> Result<Self> {
        let mut by_id = HashMap::new();
        let mut by_value: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, client) in list.iter().enumerate() {
            let Some(id) = client.id() else {
                let client = name_and_email(client);
                let message = format!("the service sent no id for the client '{client}'");
                return Err(Error::new(Kind::Unavailable, message));
            };
            by_id.insert(id, index);
            for field in ["email", "site_ids"] {
                let value = client.value(field).unwrap_or_default();
                for item in sites_or_email(&value) {
                    by_value.entry((field, item)).or_default().push(index);
                }
            }
        }
        Ok(Self {
            list,
            by_id,
            by_value,
        })
    }

    /// Returns the client with this id, or this email in any letter case.
    ///
    /// # Errors
    /// `Invalid` if it could be the email of several clients.
    fn find(&self, id_or_email: &str) -> Result<Option<Record>> {
        let index = if looks_like_email(id_or_email) {
            self.index_of_email(id_or_email)?
        } else {
            self.index_of_id(id_or_email)
        };
        Ok(index.map(|index| self.list[index].clone()))
    }

    /// Returns a client, other than the one with this id, that has this site in its `site_ids`, or
    /// the `email` with this key.
    pub fn owner(&self, field: &'static str, value: &str, id: Option<&str>) -> Option<&Record> {
        let indexes = self.indexes_with_value(field, value).iter();
        let mut clients = indexes.map(|index| &self.list[*index]);
        clients.find(|client| client.id().as_deref() != id)
    }

    /// Returns the indexes of the clients that have this site in their `site_ids`, or the `email`
    /// with this key.
    fn indexes_with_value(&self, field: &'static str, value: &str) -> &[usize] {
        match self.by_value.get(&(field, value.to_string())) {
            Some(indexes) => indexes,
            None => &[],
        }
    }

    /// Returns the index of the client with this id.
    pub fn index_of_id(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Returns the index of the client with this email in any letter case; of several, the one that
    /// is spelled identically.
    ///
    /// # Errors
    /// `Invalid` if several clients have it, and none is spelled identically.
    pub fn index_of_email(&self, email: &str) -> Result<Option<usize>> {
        let candidates = self.indexes_with_value("email", &email_key(email));
        if candidates.len() <= 1 {
            return Ok(candidates.first().copied());
        }
        for index in candidates {
            if self.list[*index].text("email").as_deref() == Some(email) {
                return Ok(Some(*index));
            }
        }
        let message = format!("several clients have the email '{email}', in different letter case");
        Err(Error::new(Kind::Invalid, message))
    }
}

/// Returns the form that is identical for emails that count as the same: without blanks around it,
/// in lower case, and in the composed form of Unicode.
pub fn email_key(email: &str) -> String {
    let email = ComposingNormalizerBorrowed::new_nfc().normalize(email.trim());
    email.to_lowercase()
}

/// Returns the sites of a client; none if the service does not show them.
pub fn sites_of(client: &Record) -> BTreeSet<String> {
    let sites = client.value("site_ids").unwrap_or_default();
    sites_or_email(&sites)
}

/// Returns the sites if the value is a list, or else the [`email_key`]. Empty without an email.
pub fn sites_or_email(value: &Value) -> BTreeSet<String> {
    if let Value::Array(items) = value {
        return items.iter().filter_map(scalar_text).collect();
    }
    let mut values = BTreeSet::new();
    if let Some(text) = scalar_text(value)
        && !text.is_empty()
    {
        values.insert(email_key(&text));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_is_found_in_any_case() -> Result<()> {
        let client = |id: &str, email: &str| {
            Record::from_json(format!(r#"{{"id":"{id}","email":"{email}"}}"#))
        };
        let all = AllClients::new(vec![
            client("1", "Ada@x.example"),
            client("2", "al@x.example"),
            client("3", "AL@x.example"),
            client("4", "zoë@x.example"),
        ])?;
        assert_eq!(all.index_of_email("ADA@X.example")?, Some(0));
        assert_eq!(all.index_of_email("AL@x.example")?, Some(2));
        assert_eq!(all.index_of_email("b@x.example")?, None);
        assert!(all.index_of_email("Al@x.example").is_err());
        assert_eq!(all.index_of_id("3"), Some(2));
        assert_eq!(all.index_of_email("ZOE\u{308}@x.example")?, Some(3));
        assert_eq!(all.index_of_id("5"), None);
        Ok(())
    }
}
