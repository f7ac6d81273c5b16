//! Finds candidates in local files: profiles in the config file, tasks in the journal, ids in the cache.

use crate::client::Path;
use crate::commands::context::Context;
use crate::config::{BaseUrl, ConfigFile, Environment, Flags};
use crate::journal::Entry;
use crate::resources::{CLIENTS, MANAGED_ACCOUNTS, Resource, SITES};
use crate::terminal::Ui;

/// A word that can replace the one at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The word.
    pub value: String,
    /// Its description, which can be empty.
    pub about: String,
    /// Whether a space can follow: the word does not continue.
    pub is_complete: bool,
}

impl Candidate {
    /// Makes a complete word.
    pub fn new(value: impl Into<String>, about: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            about: about.into(),
            is_complete: true,
        }
    }

    /// Makes the beginning of a word.
    pub fn prefix(value: impl Into<String>) -> Self {
        Self {
            is_complete: false,
            ..Self::new(value, "")
        }
    }
}

/// The local files of the service that the command line selects.
pub struct LocalData(Context);

impl LocalData {
    /// Reads the config file and decides the service; none if a setting is invalid.
    pub fn read(flags: Flags) -> Option<Self> {
        // A wrong output format does no harm here.
        let env = Environment {
            output: None,
            ..Environment::read()
        };
        let file = env
            .config_file()
            .and_then(|path| ConfigFile::read(&path))
            .unwrap_or_default();
        let ui = Ui::new(&flags, &env);
        Context::lenient(flags, env, ui, file).ok().map(Self)
    }

    pub fn profiles(&self) -> Vec<Candidate> {
        let about = |url: &Option<String>| {
            url.as_deref()
                .and_then(BaseUrl::for_display)
                .unwrap_or_default()
        };
        self.0
            .file
            .profiles
            .iter()
            .map(|(name, profile)| Candidate::new(name, about(&profile.base_url)))
            .collect()
    }

    pub fn clients(&self) -> Vec<Candidate> {
        with_names(self.ids_of(&CLIENTS))
    }

    pub fn managed_accounts(&self) -> Vec<Candidate> {
        self.ids_of(&MANAGED_ACCOUNTS)
    }

    pub fn sites(&self) -> Vec<Candidate> {
        with_names(self.ids_of(&SITES))
    }

    /// Returns the snapshots of a site, which can be given by its URL.
    pub fn snapshots(&self, site: Option<&String>) -> Vec<Candidate> {
        let by_url = |url: &String| {
            self.sites()
                .into_iter()
                .find(|site| site.about == *url)
                .map(|site| site.value)
        };
        let id = site.map(|site| by_url(site).unwrap_or_else(|| site.clone()));
        let path = |id: String| {
            Path::new(&self.0.settings.endpoints.snapshots)
                .fill("site_id", &id)
                .ok()
        };
        let cached = id
            .and_then(path)
            .map(|path| self.cached(&path))
            .unwrap_or_default();
        [Candidate::new("latest", "the newest successful snapshot")]
            .into_iter()
            .chain(cached)
            .collect()
    }

    /// Returns the tasks in the journal, unfinished ones first, then newest first.
    pub fn tasks(&self) -> Vec<Candidate> {
        let (Ok(journal), Ok(service)) = (self.0.journal(), self.0.service_key()) else {
            return Vec::new();
        };
        let mut entries = journal.entries_of_service(&service).unwrap_or_default();
        entries.reverse();
        entries.sort_by_key(Entry::has_ended);
        let about = |entry: &Entry| format!("{}, {}", entry.intent.site_id, entry.outcome_name());
        entries
            .iter()
            .filter_map(|entry| Some(Candidate::new(entry.task_id.as_ref()?, about(entry))))
            .collect()
    }

    fn ids_of(&self, resource: &Resource) -> Vec<Candidate> {
        self.cached(&Path::new((resource.path)(&self.0.settings.endpoints)))
    }

    /// Returns the cached ids of the list at this path.
    fn cached(&self, path: &Path) -> Vec<Candidate> {
        let records = self
            .0
            .id_cache()
            .map(|cache| cache.records(path.as_str()))
            .unwrap_or_default();
        records
            .into_iter()
            .map(|(id, about)| Candidate::new(id, about))
            .collect()
    }
}

/// Adds the names that can be typed instead of the ids.
fn with_names(ids: Vec<Candidate>) -> Vec<Candidate> {
    let names: Vec<Candidate> = ids
        .iter()
        .map(|one| Candidate::new(&one.about, &one.value))
        .collect();
    ids.into_iter().chain(names).collect()
}
