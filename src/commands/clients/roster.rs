//! The account's clients as they are, found by id or by email.

use crate::client::{Api, ambiguous_email};
use crate::error::Result;
use crate::resources::Record;
use crate::resources::query::Query;
use std::collections::HashMap;

/// Of more clients than these it costs fewer requests to read them all than to ask for each.
pub const FEW: usize = 20;

/// All clients of the account.
pub struct Roster {
    /// In the service's order.
    pub clients: Vec<Record>,
    by_id: HashMap<String, usize>,
    /// By their emails in lower case: a service that tells cases apart may have several.
    by_email: HashMap<String, Vec<usize>>,
}

/// Whose an email is.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// Nobody's.
    None,
    /// This client's.
    One(usize),
    /// Of several, in different cases.
    Several,
}

impl Roster {
    /// Reads them all.
    ///
    /// # Errors
    /// As any list; `Incomplete` where it would not hold still.
    pub async fn read(api: &Api) -> Result<Self> {
        Ok(Self::new(api.all(&api.clients(), &Query::default()).await?))
    }

    /// Takes in what was read.
    pub fn new(clients: Vec<Record>) -> Self {
        let mut roster = Self { by_id: HashMap::new(), by_email: HashMap::new(), clients };
        for (number, client) in roster.clients.iter().enumerate() {
            if let Some(id) = client.id() {
                roster.by_id.insert(id, number);
            }
            if let Some(email) = client.text("email") {
                roster.by_email.entry(email.to_lowercase()).or_default().push(number);
            }
        }
        roster
    }

    /// The client with this id.
    pub fn by_id(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The id of the client with this email; none where it is nobody's. `program` begins a command line for a hint.
    ///
    /// # Errors
    /// `Invalid` where it could be that of several.
    pub fn id_of(&self, program: &str, email: &str) -> Result<Option<String>> {
        match self.by_email(email) {
            Found::None => Ok(None),
            Found::One(number) => Ok(self.clients[number].id()),
            Found::Several => Err(ambiguous_email(program, email)),
        }
    }

    /// The client with this email: of several that differ in case, the one that is spelled so.
    pub fn by_email(&self, email: &str) -> Found {
        let alike = self.by_email.get(&email.to_lowercase()).map_or(&[][..], Vec::as_slice);
        let exact = || alike.iter().find(|number| self.clients[**number].text("email").as_deref() == Some(email));
        match alike {
            [] => Found::None,
            [one] => Found::One(*one),
            _ => exact().map_or(Found::Several, |number| Found::One(*number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_is_found_in_any_case() {
        let client = |id: &str, email: &str| Record::whole(format!(r#"{{"id":"{id}","email":"{email}"}}"#));
        let roster =
            Roster::new(vec![client("1", "Ada@x.example"), client("2", "al@x.example"), client("3", "AL@x.example")]);
        assert_eq!(roster.by_email("ADA@X.example"), Found::One(0));
        assert_eq!(roster.by_email("AL@x.example"), Found::One(2));
        assert_eq!((roster.by_email("Al@x.example"), roster.by_email("b@x.example")), (Found::Several, Found::None));
        assert_eq!((roster.by_id("3"), roster.by_id("4")), (Some(2), None));
    }
}
