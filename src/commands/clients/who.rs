//! Which client is meant: an id, or the email of exactly one.

use super::roster::{FEW, Roster};
use crate::client::Api;
use crate::error::{Error, Kind, LOOK, Result};
use crate::resources::Record;
use crate::terminal::option;

/// No id has the sign that every email has.
pub fn is_email(text: &str) -> bool {
    text.contains('@')
}

/// The client that is meant, as it is now.
///
/// # Errors
/// `NotFound` where there is none.
pub async fn find(api: &Api, text: &str) -> Result<Record> {
    if !is_email(text) {
        return api.client(text).await.map_err(|error| search(api, text, error));
    }
    let missing = || {
        Error::new(Kind::NotFound, format!("there is no client with the email '{text}'"))
            .hint(format!("{} clients list --email TEXT finds parts of an email", api.program()))
    };
    api.client_by_email(text).await?.ok_or_else(missing)
}

/// What has no digit is hardly an id: it may be a name.
fn search(api: &Api, text: &str, error: Error) -> Error {
    if error.kind != Kind::NotFound || text.contains(|c: char| c.is_ascii_digit()) {
        return error;
    }
    error.hint(format!("{} clients list {} finds clients by their names", api.program(), option("--search", text)))
}

/// The id of the client that is meant; an id is believed as it is.
///
/// # Errors
/// `NotFound` where an email is nobody's.
pub async fn id(api: &Api, text: &str) -> Result<String> {
    if !is_email(text) {
        return Ok(text.to_string());
    }
    let unnamed =
        || Error::new(Kind::Unavailable, format!("the service sent no id for the client '{text}'")).hint(LOOK);
    find(api, text).await?.id().ok_or_else(unnamed)
}

/// The ids of the clients that are meant, beside what each was called; none where an email is nobody's.
///
/// # Errors
/// As any list; `Invalid` where an email could be that of several.
pub async fn ids(api: &Api, names: Vec<String>) -> Result<Vec<(String, Option<String>)>> {
    let emails = names.iter().filter(|name| is_email(name)).count();
    let roster = if emails > FEW { Some(Roster::read(api).await?) } else { None };
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let id = match &roster {
            Some(roster) if is_email(&name) => roster.id_of(api.program(), &name),
            _ => id(api, &name).await.map(Some),
        };
        match id {
            Err(error) if error.kind == Kind::NotFound => found.push((name, None)),
            id => found.push((name, id?)),
        }
    }
    Ok(found)
}
