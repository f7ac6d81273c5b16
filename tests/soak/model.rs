//! The possible contents of the database after a run of commands, and the comparison with the actual contents.

use rusqlite::Connection;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A client in one possible state: its note, or none if it does not exist.
pub type State = Option<String>;

/// The clients of one worker by email, each with the states that it can have, and sites with the clients that they can
/// belong to. One possibility means that it is certain.
#[derive(Debug, Default)]
pub struct Clients {
    states: BTreeMap<String, BTreeSet<State>>,
    owners: BTreeMap<String, BTreeSet<Option<String>>>,
}

impl Clients {
    pub fn emails(&self) -> Vec<String> {
        self.states.keys().cloned().collect()
    }

    fn states(&mut self, email: &str) -> &mut BTreeSet<State> {
        self.states.entry(email.into()).or_insert_with(|| [None].into())
    }

    /// A change was acknowledged.
    pub fn set(&mut self, email: &str, state: State) {
        if state.is_none() {
            self.release(email);
            self.owners.values_mut().for_each(|owners| owners.retain(|owner| owner.as_deref() != Some(email)));
        }
        *self.states(email) = [state].into();
    }

    /// The sites of this client may belong to nobody.
    fn release(&mut self, email: &str) {
        let owned = self.owners.values_mut().filter(|owners| owners.contains(&Some(email.into())));
        owned.for_each(|owners| owners.extend([None]));
    }

    /// A change was sent, and its outcome is unknown.
    pub fn may_be(&mut self, email: &str, state: State) {
        if state.is_none() {
            self.release(email);
        }
        self.states(email).insert(state);
    }

    /// The service reported whether the client exists. The model must allow that.
    pub fn exists(&mut self, email: &str, exists: bool) {
        let states = self.states(email);
        let before = states.clone();
        states.retain(|state| state.is_some() == exists);
        assert!(!states.is_empty(), "{email}: exists is {exists}, possible were {before:?}");
    }

    /// Whether the client can exist.
    pub fn can_exist(&self, email: &str) -> bool {
        self.states.get(email).is_some_and(|states| states.iter().any(Option::is_some))
    }

    /// A site was moved to this client, or may have been, or only released at its owner.
    pub fn moved(&mut self, site: &str, email: &str, is_certain: bool) {
        if is_certain {
            self.owners.insert(site.into(), [Some(email.into())].into());
        } else if let Some(owners) = self.owners.get_mut(site) {
            owners.extend([None, Some(email.into())]);
        }
    }

    /// Checks clients by email and note, which are all of this worker's, or at least none that it does not have.
    pub fn check(&self, found: &HashMap<String, String>, is_complete: bool) {
        for (email, states) in &self.states {
            let state = found.get(email).cloned();
            let is_possible = states.contains(&state) || (state.is_none() && !is_complete);
            assert!(is_possible, "{email} is {state:?}, possible are {states:?}");
        }
    }

    /// Compares with the database, and returns the number of clients compared.
    pub fn compare(&self, database: &Connection) -> usize {
        self.check(&notes(database), true);
        let sql = "SELECT sites.id, email FROM sites LEFT JOIN clients ON clients.id = client_id";
        let mut statement = database.prepare(sql).unwrap();
        for row in statement.query_map((), |row| Ok((row.get::<_, String>(0)?, row.get(1)?))).unwrap() {
            let (site, owner) = row.unwrap();
            let is_possible = self.owners.get(&site).is_none_or(|owners| owners.contains(&owner));
            assert!(is_possible, "{site} belongs to {owner:?}, possible are {:?}", self.owners[&site]);
        }
        self.states.len()
    }
}

/// All clients in the database: emails and notes.
pub fn notes(database: &Connection) -> HashMap<String, String> {
    let mut statement = database.prepare("SELECT email, note FROM clients WHERE account = 1").unwrap();
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Compares the clients that are no worker's: they are the first ones, unchanged.
pub fn compare_others<'c>(
    database: &Connection,
    first: &HashMap<String, String>,
    workers: impl Iterator<Item = &'c Clients>,
) {
    let mut others = notes(database);
    workers.flat_map(Clients::emails).for_each(|email| drop(others.remove(&email)));
    assert_eq!(&others, first);
    let count = |sql: &str| database.query_row(sql, (), |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) - count(DISTINCT lower(email)) FROM clients WHERE account = 1"), 0);
}

/// The restores that were acknowledged, and those in the journal.
pub struct Restores {
    pub acknowledged: Vec<String>,
    pub journal: Vec<Value>,
}

/// A site and a snapshot.
type Source = (String, String);

fn source(entry: &Value) -> Source {
    (entry["site_id"].as_str().unwrap().into(), entry["snapshot_id"].as_str().unwrap().into())
}

impl Restores {
    /// Compares with the tasks in the database, and returns their number.
    pub fn compare(&self, database: &Connection) -> usize {
        let mut statement = database.prepare("SELECT id, site_id, snapshot_id FROM tasks").unwrap();
        let rows = statement.query_map((), |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))).unwrap();
        let mut tasks: HashMap<String, Source> = rows.map(Result::unwrap).collect();
        let number = tasks.len();
        let (named, unnamed): (Vec<_>, Vec<_>) = self.journal.iter().partition(|entry| entry["task_id"].is_string());
        let acknowledged: HashSet<&str> = self.acknowledged.iter().map(String::as_str).collect();
        assert_eq!(acknowledged.len(), self.acknowledged.len(), "two starts report the same task");
        let in_journal: HashSet<&str> = named.iter().map(|entry| entry["task_id"].as_str().unwrap()).collect();
        let missing: Vec<_> = acknowledged.difference(&in_journal).collect();
        assert!(missing.is_empty(), "acknowledged, but not in the journal: {missing:?}");
        for entry in named {
            let task = tasks.remove(entry["task_id"].as_str().unwrap());
            assert_eq!(task, Some(source(entry)), "not in the database, or twice in the journal: {entry}");
            let outcome = if entry["site_id"] == "site-0013" { "failed" } else { "succeeded" };
            assert_eq!(entry["outcome"], outcome, "{entry}");
        }
        // The others were started by restores whose outcome is unknown in the journal, once each.
        let mut unknown: HashMap<Source, usize> = HashMap::new();
        for entry in unnamed.iter().filter(|entry| entry["outcome"] == "unknown") {
            *unknown.entry(source(entry)).or_default() += 1;
        }
        for (id, source) in tasks {
            let left = unknown.get_mut(&source).filter(|left| **left > 0);
            *left.unwrap_or_else(|| panic!("{id} of {source:?} is not in the journal")) -= 1;
        }
        number
    }
}

/// Checks that no run of a plan started the restore of a site twice, however often it was resumed.
pub fn check_runs(journal: &str) {
    let (mut intended, mut accepted) = (HashMap::new(), HashSet::new());
    // A kill can leave half a line.
    for line in journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let (restore, event) = (line["restore"].to_string(), &line["event"]);
        if event["intended"]["run"].is_object() {
            let row = format!("{} {}", event["intended"]["run"], event["intended"]["site_id"]);
            intended.insert(restore, row);
        } else if let (true, Some(row)) = (event["accepted"].is_object(), intended.get(&restore)) {
            assert!(accepted.insert(row.clone()), "started twice: {row}");
        }
    }
}
