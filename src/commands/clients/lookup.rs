//! Finds clients by id or email.

use crate::client::{Api, ambiguous_email};
use crate::error::{Error, Kind, LOOK, Result};
use crate::resources::Record;
use crate::resources::query::Query;
use crate::terminal::option;
use std::collections::HashMap;

/// To find more clients than these, reading them all takes fewer requests.
pub const FEW: usize = 20;

/// No id has the sign that every email has.
pub fn is_email(text: &str) -> bool {
    text.contains('@')
}

/// Returns the name and email of a client.
pub fn full_name(client: &Record) -> String {
    let parts = ["first_name", "last_name", "email"].into_iter().filter_map(|field| client.text(field));
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the client with this id or email; one that is found by its email has an id.
///
/// # Errors
/// `NotFound` if it does not exist.
pub async fn find(api: &Api, text: &str) -> Result<Record> {
    if !is_email(text) {
        // A text without a digit may be a name.
        return api.client(text).await.map_err(|error| {
            if error.kind != Kind::NotFound || text.contains(|c: char| c.is_ascii_digit()) {
                return error;
            }
            error.hint(format!(
                "{} clients list {} finds clients by their names",
                api.program(),
                option("--search", text)
            ))
        });
    }
    let missing = || {
        Error::new(Kind::NotFound, format!("there is no client with the email '{text}'"))
            .hint(format!("{} clients list --email TEXT finds parts of an email", api.program()))
    };
    let client = api.client_by_email(text).await?.ok_or_else(missing)?;
    if client.id().is_none() { Err(without_id(text)) } else { Ok(client) }
}

/// Returns the error of a client that cannot be changed, because the service sent no id.
pub fn without_id(client: &str) -> Error {
    Error::new(Kind::Unavailable, format!("the service sent no id for the client '{client}'")).hint(LOOK)
}

/// Returns the id of each of these clients, which are ids or emails; none for an email that no client has.
///
/// # Errors
/// As any list; `Invalid` if an email could be that of several clients.
pub async fn ids(api: &Api, names: Vec<String>) -> Result<Vec<(String, Option<String>)>> {
    let emails = names.iter().filter(|name| is_email(name)).count();
    let all = if emails > FEW { Some(AllClients::read(api).await?) } else { None };
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let id = match &all {
            _ if !is_email(&name) => Some(name.clone()),
            Some(all) => match all.by_email(&name) {
                Match::None => None,
                Match::One(number) => all.list[number].id(),
                Match::Several => return Err(ambiguous_email(api.program(), &name)),
            },
            None => match find(api, &name).await {
                Err(error) if error.kind == Kind::NotFound => None,
                client => client?.id(),
            },
        };
        found.push((name, id));
    }
    Ok(found)
}

/// All clients of the account; each has an id.
pub struct AllClients {
    /// In the service's order.
    pub list: Vec<Record>,
    by_id: HashMap<String, usize>,
    /// By their emails in lower case: the spec does not say whether two may differ in case only.
    by_email: HashMap<String, Vec<usize>>,
}

/// The clients that have an email.
#[derive(Debug, PartialEq, Eq)]
pub enum Match {
    /// No client.
    None,
    /// This client.
    One(usize),
    /// Several, in different cases.
    Several,
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
        let (mut by_id, mut by_email) = (HashMap::new(), HashMap::<String, Vec<usize>>::new());
        for (number, client) in list.iter().enumerate() {
            let email = client.text("email").unwrap_or_default();
            by_id.insert(client.id().ok_or_else(|| without_id(&email))?, number);
            by_email.entry(email.to_lowercase()).or_default().push(number);
        }
        Ok(Self { list, by_id, by_email })
    }

    /// Returns the number of the client with this id.
    pub fn by_id(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Returns the client with this email: of several that differ in case, the one that is spelled identically.
    pub fn by_email(&self, email: &str) -> Match {
        let alike = self.by_email.get(&email.to_lowercase()).map_or(&[][..], Vec::as_slice);
        match alike {
            [] => Match::None,
            [one] => Match::One(*one),
            _ => match alike.iter().find(|number| self.list[**number].text("email").as_deref() == Some(email)) {
                Some(exact) => Match::One(*exact),
                None => Match::Several,
            },
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
        assert_eq!(all.by_email("ADA@X.example"), Match::One(0));
        assert_eq!(all.by_email("AL@x.example"), Match::One(2));
        assert_eq!((all.by_email("Al@x.example"), all.by_email("b@x.example")), (Match::Several, Match::None));
        assert_eq!((all.by_id("3"), all.by_id("4")), (Some(2), None));
        Ok(())
    }
}
