//! Random accounts, files, faults and changes of a colleague.

use crate::cases::{Case, Random};
use crate::faults::Fault;

/// The sites that clients can have.
pub const SITES: [&str; 7] = [
    "site-0001",
    "site-0002",
    "site-0003",
    "site-0004",
    "site-0005",
    "site-0006",
    "site-0007",
];
pub const UNKNOWN_SITE: &str = "site-9999";
/// The service refuses it, because it is the email of the account's owner.
pub const OWNER_EMAIL: &str = "Owner@Example.com";
pub const INVALID_EMAIL: &str = "no email";
pub const NORMALIZED_NOTE: &str = "c";
/// Faults hit a request with a smaller number.
const MAX_REQUEST: u64 = 12;

/// A client before the run. The number of its email is its index.
#[derive(Debug, Clone)]
pub struct NewClient {
    pub email: String,
    pub note: String,
    pub sites: Vec<&'static str>,
}

/// A row of the file. A field that is None is not in the file.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// The index of the client whose id is in the row.
    pub client: Option<usize>,
    pub email: Option<String>,
    pub note: Option<String>,
    pub sites: Option<Vec<&'static str>>,
}

/// What happens right before the sandbox receives a request.
#[derive(Debug, Clone)]
pub enum Event {
    Fault(Fault),
    /// The program receives Ctrl-C.
    Interrupt,
    /// A colleague changes the account.
    Colleague(Change),
}

/// A change of a colleague. The number of a client selects one of those that exist.
#[derive(Debug, Clone)]
pub enum Change {
    AddSite { client: usize, site: &'static str },
    RemoveSite { site: &'static str },
    SetNote { client: usize },
    Delete { client: usize },
}

#[derive(Debug, Clone)]
pub struct ApplyCase {
    pub clients: Vec<NewClient>,
    pub rows: Vec<Row>,
    /// The events of the first run, with the numbers of their requests.
    pub events: Vec<(u64, Event)>,
    pub is_csv: bool,
    pub prunes: bool,
    pub concurrency: &'static str,
    pub retries: &'static str,
    /// Whether the service has a list of sites.
    pub lists_sites: bool,
    /// Whether the service stores [`NORMALIZED_NOTE`] in upper case.
    pub normalizes: bool,
}

impl ApplyCase {
    pub fn can_be_interrupted(&self) -> bool {
        let mut events = self.events.iter();
        events.any(|(_, event)| matches!(event, Event::Interrupt))
    }

    fn lists(&self) -> [usize; 3] {
        [self.events.len(), self.rows.len(), self.clients.len()]
    }
}

impl Case for ApplyCase {
    fn of_seed(seed: u64) -> Self {
        Random::of_seed(seed).apply_case()
    }

    fn part_count(&self) -> usize {
        self.lists().iter().sum()
    }

    /// Leaves out an event, a row, or the sites of a client.
    fn without(&self, part: usize) -> Self {
        let mut case = self.clone();
        let [events, rows, _] = self.lists();
        if part < events {
            case.events.remove(part);
        } else if part < events + rows {
            case.rows.remove(part - events);
        } else {
            case.clients[part - events - rows].sites.clear();
        }
        case
    }
}

impl Random {
    fn apply_case(&mut self) -> ApplyCase {
        let mut clients = self.clients();
        let mut rows = self.rows(&clients);
        self.spread_sites(&mut clients, &mut rows);
        self.rename(&clients, &mut rows);
        if self.one_in(3) {
            self.spoil(&mut rows);
        }
        ApplyCase {
            prunes: self.one_in(6),
            events: self.events(),
            is_csv: self.one_in(2),
            concurrency: if self.one_in(3) { "8" } else { "1" },
            retries: if self.one_in(5) { "1" } else { "0" },
            lists_sites: !self.one_in(3),
            normalizes: self.one_in(3),
            clients,
            rows,
        }
    }

    fn clients(&mut self) -> Vec<NewClient> {
        let client = |random: &mut Self, index| NewClient {
            email: random.any_case(&format!("c{index}@x.example")),
            note: ["", "a", "b"][random.index(3)].into(),
            sites: Vec::new(),
        };
        let count = 2 + self.index(4);
        (0..count).map(|index| client(self, index)).collect()
    }

    /// Spells letters of an email in upper case.
    fn any_case(&mut self, email: &str) -> String {
        let letters = email.chars().map(|letter| {
            if self.one_in(3) {
                letter.to_ascii_uppercase()
            } else {
                letter
            }
        });
        letters.collect()
    }

    /// Returns rows for most clients, and for up to two new ones.
    fn rows(&mut self, clients: &[NewClient]) -> Vec<Row> {
        let mut rows = Vec::new();
        for (index, client) in clients.iter().enumerate() {
            if self.one_in(6) {
                continue;
            }
            let mut row = Row::default();
            if self.one_in(2) {
                row.client = Some(index);
            } else {
                row.email = Some(self.any_case(&client.email));
            }
            if self.one_in(2) {
                row.note = Some(["a", "b", NORMALIZED_NOTE][self.index(3)].into());
            }
            rows.push(row);
        }
        for index in 0..self.index(3) {
            rows.push(Row {
                email: Some(self.any_case(&format!("new{index}@x.example"))),
                ..Row::default()
            });
        }
        // The order of the rows is not that of the clients.
        for index in (1..rows.len()).rev() {
            let other = self.index(index + 1);
            rows.swap(index, other);
        }
        rows
    }

    /// Gives each site a client, or none, before the run and after it. Only sites of clients that
    /// give them up move.
    fn spread_sites(&mut self, clients: &mut [NewClient], rows: &mut [Row]) {
        for row in rows.iter_mut() {
            if !self.one_in(5) {
                row.sites = Some(Vec::new());
            }
        }
        for site in SITES {
            let owner = (!self.one_in(6)).then(|| self.index(clients.len()));
            let number = owner.map(|owner| format!("c{owner}@"));
            let is_row_of_owner = |row: &Row| {
                let email = row.email.as_deref().unwrap_or_default().to_lowercase();
                let mut number = number.iter();
                row.client == owner || number.any(|number| email.starts_with(number))
            };
            let owner_row = owner.and_then(|_| rows.iter().position(is_row_of_owner));
            if let Some(owner) = owner {
                clients[owner].sites.push(site);
                if owner_row.is_none_or(|row| rows[row].sites.is_none()) {
                    continue;
                }
            }
            if self.one_in(7) {
                continue;
            }
            let stays = self.one_in(4);
            let row = owner_row.filter(|_| stays);
            let row = row.unwrap_or_else(|| self.index(rows.len().max(1)));
            if let Some(sites) = rows.get_mut(row).and_then(|row| row.sites.as_mut()) {
                sites.push(site);
            }
        }
    }

    /// Gives clients other emails, which other clients seldom have.
    fn rename(&mut self, clients: &[NewClient], rows: &mut [Row]) {
        if !self.one_in(3) {
            return;
        }
        for (index, row) in rows.iter_mut().enumerate() {
            if row.client.is_some() && !self.one_in(3) {
                let email = if self.one_in(9) {
                    clients[self.index(clients.len())].email.clone()
                } else {
                    format!("renamed{index}@x.example")
                };
                row.email = Some(self.any_case(&email));
            }
        }
    }

    /// Makes a row wrong, or one that the service refuses.
    fn spoil(&mut self, rows: &mut [Row]) {
        if rows.is_empty() {
            return;
        }
        let site = SITES[self.index(SITES.len())];
        let index = self.index(rows.len());
        let row = &mut rows[index];
        match self.below(8) {
            0..=3 => row.email = Some(OWNER_EMAIL.into()),
            4 => row.sites.get_or_insert_default().push(UNKNOWN_SITE),
            5 => row.sites.get_or_insert_default().push(site),
            6 => row.client = Some(99),
            _ => row.email = Some(INVALID_EMAIL.into()),
        }
    }

    fn events(&mut self) -> Vec<(u64, Event)> {
        let count = self.below(5);
        (0..count)
            .map(|_| (self.below(MAX_REQUEST), self.event()))
            .collect()
    }

    fn event(&mut self) -> Event {
        match self.below(20) {
            0..=8 => Event::Colleague(self.change()),
            9 => Event::Interrupt,
            _ => loop {
                let fault = self.fault();
                if !matches!(fault, Fault::None | Fault::Late) {
                    return Event::Fault(fault);
                }
            },
        }
    }

    fn change(&mut self) -> Change {
        let client = self.index(8);
        let site = SITES[self.index(SITES.len())];
        match self.below(10) {
            0..=3 => Change::AddSite { client, site },
            4..=6 => Change::RemoveSite { site },
            7..=8 => Change::SetNote { client },
            _ => Change::Delete { client },
        }
    }
}
