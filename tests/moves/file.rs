//! The rows of the file, and how they match the account.

use crate::case::{ApplyCase, INVALID_EMAIL, UNKNOWN_SITE};
use crate::gateway::{Account, Client, owner_of};
use serde_json::{Map, json};
use std::collections::BTreeSet;

/// A row of the file. A field that is None is not in the file.
#[derive(Debug, Clone)]
pub struct FileRow {
    pub id: Option<String>,
    pub email: Option<String>,
    pub note: Option<String>,
    pub sites: Option<BTreeSet<String>>,
}

/// Returns the rows of a case whose clients have these ids.
pub fn file_rows(case: &ApplyCase, ids: &[String]) -> Vec<FileRow> {
    let missing = || "client-missing".to_string();
    let rows = case.rows.iter().map(|row| FileRow {
        id: row
            .client
            .map(|index| ids.get(index).cloned().unwrap_or_else(missing)),
        email: row.email.clone(),
        note: row.note.clone(),
        sites: row
            .sites
            .as_ref()
            .map(|sites| sites.iter().map(|site| site.to_string()).collect()),
    });
    rows.collect()
}

pub fn csv(rows: &[FileRow]) -> String {
    let mut text = "id,email,first_name,note,site_ids\n".to_string();
    for row in rows {
        let sites = match &row.sites {
            None => String::new(),
            Some(sites) if sites.is_empty() => "[]".into(),
            Some(sites) => Vec::from_iter(sites.clone()).join(";"),
        };
        let cell = |value: &Option<String>| value.clone().unwrap_or_default();
        let (id, email, note) = (cell(&row.id), cell(&row.email), cell(&row.note));
        text += &format!("{id},{email},F,{note},{sites}\n");
    }
    text
}

pub fn json(rows: &[FileRow]) -> String {
    let object = |row: &FileRow| {
        let fields = [
            ("id", row.id.as_ref().map(|id| json!(id))),
            ("email", row.email.as_ref().map(|email| json!(email))),
            ("first_name", Some(json!("F"))),
            ("note", row.note.as_ref().map(|note| json!(note))),
            ("site_ids", row.sites.as_ref().map(|sites| json!(sites))),
        ];
        let present = fields
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_string(), value?)));
        Map::from_iter(present)
    };
    json!(rows.iter().map(object).collect::<Vec<_>>()).to_string()
}

/// Returns the email in the form in which emails are compared.
pub fn folded(email: &str) -> String {
    email.trim().to_lowercase()
}

impl FileRow {
    pub fn key(&self) -> &str {
        let key = self.id.as_deref().or(self.email.as_deref());
        key.unwrap_or_default()
    }

    /// Returns the email in the form in which emails are compared.
    pub fn folded_email(&self) -> Option<String> {
        self.email.as_deref().map(folded)
    }

    pub fn is_of(&self, id: &str, client: &Client) -> bool {
        match &self.id {
            Some(other) => other == id,
            None => self.folded_email() == Some(folded(&client.email)),
        }
    }

    /// Returns the id of the row's client.
    pub fn client<'a>(&self, account: &'a Account) -> Option<&'a String> {
        let mut clients = account.iter();
        let (id, _) = clients.find(|(id, client)| self.is_of(id, client))?;
        Some(id)
    }

    /// Whether the client has the values of the row.
    pub fn is_done(&self, client: &Client) -> bool {
        let mut emails = self.folded_email().into_iter();
        let mut notes = self.note.iter();
        let mut sites = self.sites.iter();
        emails.all(|email| email == folded(&client.email))
            && notes.all(|note| *note == client.note)
            && sites.all(|sites| *sites == client.sites)
    }

    /// Returns the row without the fields that its client has already.
    pub fn change_of(&self, account: &Account) -> Self {
        let mut change = self.clone();
        if let Some(client) = self.client(account).map(|id| &account[id]) {
            change.note.take_if(|note| *note == client.note);
            change.sites.take_if(|sites| *sites == client.sites);
            if self.id.is_some() {
                change
                    .email
                    .take_if(|email| folded(email) == folded(&client.email));
            }
        }
        change
    }

    /// Whether the row's client exists and has the values of the row.
    pub fn is_done_in(&self, account: &Account) -> bool {
        self.client(account)
            .is_some_and(|id| self.is_done(&account[id]))
    }
}

/// The file and the account that it is applied to.
pub struct Plan<'a> {
    pub rows: &'a [FileRow],
    pub account: &'a Account,
    /// Whether clients without a row are deleted.
    pub prunes: bool,
    /// Whether the program could read the list of sites.
    pub sites_are_known: bool,
}

impl Plan<'_> {
    /// Whether a row is invalid, or no order of changes makes the rows succeed, so that the program
    /// must refuse the file before it changes anything.
    pub fn has_problem(&self) -> bool {
        let mut clients = BTreeSet::new();
        let mut gained_sites = BTreeSet::new();
        let mut gained_emails = BTreeSet::new();
        for row in self.rows {
            let id = row.client(self.account);
            let is_unknown = id.is_none() && row.id.is_some();
            if is_unknown || id.is_some_and(|id| !clients.insert(id)) {
                return true;
            }
            let before = id.map(|id| &self.account[id]);
            for site in row.sites.iter().flatten() {
                let is_kept = before.is_some_and(|client| client.sites.contains(site));
                if !is_kept && (!gained_sites.insert(site) || !self.can_gain_site(site)) {
                    return true;
                }
            }
            if let Some(email) = row.folded_email()
                && before.is_none_or(|client| folded(&client.email) != email)
                && (!self.can_gain_email(&email) || !gained_emails.insert(email))
            {
                return true;
            }
        }
        self.rows.is_empty() && self.prunes
    }

    fn row_of(&self, id: &str) -> Option<&FileRow> {
        let client = &self.account[id];
        self.rows.iter().find(|row| row.is_of(id, client))
    }

    fn is_deleted(&self, id: &str) -> bool {
        self.prunes && self.row_of(id).is_none()
    }

    /// Whether the client of a site gives it up.
    fn can_gain_site(&self, site: &str) -> bool {
        let Some(id) = owner_of(self.account, site) else {
            return site != UNKNOWN_SITE || !self.sites_are_known;
        };
        let sites = self.row_of(id).and_then(|row| row.sites.as_ref());
        self.is_deleted(id) || sites.is_some_and(|sites| !sites.contains(site))
    }

    /// Whether the email is valid, and no client has it, not even one that gets another.
    fn can_gain_email(&self, email: &str) -> bool {
        let mut owners = self.account.values();
        email != INVALID_EMAIL && owners.all(|client| folded(&client.email) != email)
    }
}
