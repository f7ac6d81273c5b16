//! The possible contents of the database after a run of commands, and the comparison with the actual contents.

use rusqlite::Connection;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The site whose restores fail in the sandbox.
pub const FAILING_SITE: &str = "site-0013";

/// A client in one possible state: its note, or none if it does not exist.
pub type State = Option<String>;

/// The clients of one worker by email, each with the states that it can have. One state means that it is certain.
#[derive(Debug, Default)]
pub struct Clients(BTreeMap<String, BTreeSet<State>>);

impl Clients {
    pub fn emails(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn states(&mut self, email: &str) -> &mut BTreeSet<State> {
        self.0.entry(email.into()).or_insert_with(|| [None].into())
    }

    /// A change was acknowledged.
    pub fn set(&mut self, email: &str, state: State) {
        *self.states(email) = [state].into();
    }

    /// A change was sent, and its outcome is unknown.
    pub fn may_be(&mut self, email: &str, state: State) {
        self.states(email).insert(state);
    }

    /// The service reported whether the client exists. The model must allow that.
    pub fn exists(&mut self, email: &str, exists: bool) {
        let states = self.states(email);
        let before = states.clone();
        states.retain(|state| state.is_some() == exists);
        assert!(
            !states.is_empty(),
            "{email}: exists is {exists}, possible were {before:?}"
        );
    }

    /// Whether the client can exist.
    pub fn can_exist(&self, email: &str) -> bool {
        self.0
            .get(email)
            .is_some_and(|states| states.iter().any(Option::is_some))
    }

    /// Checks clients by email and note, which are all of this worker's, or at least none that it does not have.
    pub fn check(&self, found: &HashMap<String, String>, is_complete: bool) {
        for (email, states) in &self.0 {
            let state = found.get(email).cloned();
            let is_possible = states.contains(&state) || (state.is_none() && !is_complete);
            assert!(is_possible, "{email} is {state:?}, possible are {states:?}");
        }
    }

    /// Compares with the database, and returns the number of clients compared.
    pub fn compare(&self, database: &Connection) -> usize {
        self.check(&notes(database), true);
        self.0.len()
    }
}

/// All clients in the database: emails and notes.
pub fn notes(database: &Connection) -> HashMap<String, String> {
    let mut statement = database
        .prepare("SELECT email, note FROM clients WHERE account = 1")
        .unwrap();
    let rows = statement
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    rows.map(Result::unwrap).collect()
}

/// Compares the clients that are no worker's: they are the first ones, unchanged.
pub fn compare_others<'c>(
    database: &Connection,
    first: &HashMap<String, String>,
    workers: impl Iterator<Item = &'c Clients>,
) {
    let mut others = notes(database);
    workers
        .flat_map(Clients::emails)
        .for_each(|email| drop(others.remove(&email)));
    assert_eq!(&others, first);
    let count = |sql: &str| {
        database
            .query_row(sql, (), |row| row.get::<_, i64>(0))
            .unwrap()
    };
    assert_eq!(
        count("SELECT count(*) - count(DISTINCT lower(email)) FROM clients WHERE account = 1"),
        0
    );
}

/// A site, a snapshot, and whether the database is restored.
type Source = (String, String, bool);

fn source(entry: &Value) -> Source {
    (
        entry["site_id"].as_str().unwrap().into(),
        entry["snapshot_id"].as_str().unwrap().into(),
        entry["scope"]["include_database"].as_bool().unwrap(),
    )
}

/// All tasks in the database.
pub fn tasks(database: &Connection) -> HashMap<String, Source> {
    let mut statement = database
        .prepare("SELECT id, site_id, snapshot_id, database FROM tasks")
        .unwrap();
    let rows = statement
        .query_map((), |row| {
            Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?)))
        })
        .unwrap();
    rows.map(Result::unwrap).collect()
}

/// Compares the tasks that a machine's commands acknowledged, and its journal, with the tasks in the database that no
/// other machine has. Removes its tasks, and returns its restores whose outcome is unknown.
pub fn remove_tasks(
    tasks: &mut HashMap<String, Source>,
    acknowledged: &[&String],
    journal: &[Value],
) -> Vec<Source> {
    let (named, unnamed): (Vec<_>, Vec<_>) = journal
        .iter()
        .partition(|entry| entry["task_id"].is_string());
    let acknowledged: HashSet<&str> = acknowledged.iter().map(|task| task.as_str()).collect();
    let in_journal: HashSet<&str> = named
        .iter()
        .map(|entry| entry["task_id"].as_str().unwrap())
        .collect();
    let missing: Vec<_> = acknowledged.difference(&in_journal).collect();
    assert!(
        missing.is_empty(),
        "acknowledged, but not in the journal: {missing:?}"
    );
    for entry in named {
        let task = tasks.remove(entry["task_id"].as_str().unwrap());
        assert_eq!(
            task,
            Some(source(entry)),
            "not in the database, or twice in the journals: {entry}"
        );
        let outcome = if entry["site_id"] == FAILING_SITE {
            "failed"
        } else {
            "succeeded"
        };
        assert_eq!(entry["outcome"], outcome, "{entry}");
    }
    let in_doubt = |entry: &&&Value| entry["outcome"] == "unknown";
    unnamed
        .iter()
        .filter(in_doubt)
        .map(|entry| source(entry))
        .collect()
}

/// Checks that the tasks in no journal were started by restores whose outcome is unknown, once each.
pub fn compare_unnamed(tasks: HashMap<String, Source>, mut in_doubt: Vec<Source>) {
    for (id, source) in tasks {
        let restore = in_doubt.iter().position(|restore| *restore == source);
        let restore = restore.unwrap_or_else(|| panic!("{id} of {source:?} is in no journal"));
        in_doubt.swap_remove(restore);
    }
}

/// Checks that no restore of a run was accepted twice, however often the run was resumed.
pub fn check_runs(journal: &str, acknowledged: &[&String]) {
    let mut accepted: HashMap<String, Value> = HashMap::new();
    // A kill can leave half a line.
    for line in journal
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
    {
        let seen = &line["seen"];
        if seen["task_id"].is_string() {
            let first = accepted
                .entry(seen["restore"].to_string())
                .or_insert_with(|| seen["task_id"].clone());
            assert_eq!(*first, seen["task_id"], "accepted twice: {line}");
        }
    }
    let shows_tasks = acknowledged.is_empty() || !accepted.is_empty();
    assert!(shows_tasks, "the journal shows no task");
}
