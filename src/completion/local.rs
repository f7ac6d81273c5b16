//! Finds candidates in local files: profiles in the config file, tasks in the journal, ids in the
//! cache.

use crate::client::{Path, SiteUrl};
use crate::commands::context::Context;
use crate::config::{BaseUrl, ConfigFile, Environment, Flags};
use crate::journal::Entry;
use crate::resources::{CLIENTS, MANAGED_ACCOUNTS, Resource, SITES, short_url};
use crate::terminal::{Ui, pluralize};

/// A word that can replace the one at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub value: String,
    pub description: String,
    /// Whether a space can follow, because the word does not continue.
    pub is_complete: bool,
}

impl Candidate {
    /// Creates a complete word.
    pub fn new(value: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            description: description.into(),
            is_complete: true,
        }
    }

    /// Creates the beginning of a word.
    pub fn prefix(value: impl Into<String>) -> Self {
        Self {
            is_complete: false,
            ..Self::new(value, "")
        }
    }
}

/// The local files of the service that the command line selects.
pub struct LocalData {
    context: Context,
}

impl LocalData {
    /// Reads the config file and resolves the settings; none if a setting is invalid.
    pub fn read(flags: Flags) -> Option<Self> {
        let env = Environment {
            // Not used for completion, and a wrong value would be an error.
            output: None,
            ..Environment::read()
        };
        let file = env
            .config_file()
            .and_then(|path| ConfigFile::read(&path))
            .unwrap_or_default();
        let ui = Ui::new(&flags, &env);
        let context = Context::ignoring_invalid_profile(flags, env, ui, file).ok()?;
        Some(Self { context })
    }

    pub fn profiles(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (name, profile) in &self.context.file.profiles {
            let base_url = profile
                .base_url
                .as_deref()
                .and_then(BaseUrl::parse_for_display);
            candidates.push(Candidate::new(name, base_url.unwrap_or_default()));
        }
        candidates
    }

    /// Returns the ids of clients, and their emails, which can be typed instead.
    pub fn clients(&self) -> Vec<Candidate> {
        with_descriptions(self.ids_of(&CLIENTS))
    }

    pub fn managed_accounts(&self) -> Vec<Candidate> {
        self.ids_of(&MANAGED_ACCOUNTS)
    }

    /// Returns the host names of sites, then their ids, or their URLs if a URL is typed.
    pub fn sites(&self, typed: &str) -> Vec<Candidate> {
        let sites = self.ids_of(&SITES);
        let named = |name: fn(&str) -> &str| {
            let candidate = move |site: &Candidate| {
                Candidate::new(name(&site.description), site.value.as_str())
            };
            sites.iter().map(candidate).collect::<Vec<_>>()
        };
        if typed.starts_with("http") {
            return named(|url| url);
        }
        let mut candidates = named(short_url);
        candidates.extend(sites);
        candidates
    }

    /// Returns the id of the cached site with this URL or host name; other text unchanged.
    fn site_id(&self, text: &str) -> String {
        let url = SiteUrl::parse(text);
        let mut sites = self.ids_of(&SITES).into_iter();
        let site = sites.find(|site| url.is_some() && SiteUrl::parse(&site.description) == url);
        site.map_or_else(|| text.into(), |site| site.value)
    }

    /// Returns the snapshots of a site, and `latest` if it stands for one.
    pub fn snapshots(&self, site: Option<&String>, with_latest: bool) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        if with_latest {
            candidates.push(Candidate::new("latest", "the newest successful snapshot"));
        }
        if let Some(site) = site {
            let path = Path::new(&self.context.settings.endpoints.snapshots);
            if let Ok(path) = path.fill("site_id", &self.site_id(site)) {
                candidates.extend(self.cached_ids(&path));
            }
        }
        candidates
    }

    /// Returns the tasks in the journal, unfinished ones first, then newest first.
    pub fn tasks(&self) -> Vec<Candidate> {
        let Ok(journal) = self.context.journal() else {
            return Vec::new();
        };
        let Ok(runs) = journal.read() else {
            return Vec::new();
        };
        let mut entries: Vec<Entry<'_>> = runs.entries_of_service().rev().collect();
        entries.sort_by_key(|entry| entry.outcome().has_ended());
        let mut candidates = Vec::new();
        for entry in &entries {
            if let Some(task_id) = entry.task_id() {
                let description = format!(
                    "{}, {}",
                    entry.decided().site_name(),
                    entry.outcome().name()
                );
                candidates.push(Candidate::new(task_id, description));
            }
        }
        candidates
    }

    /// Returns the runs in the journal, newest first.
    pub fn runs(&self) -> Vec<Candidate> {
        let Ok(journal) = self.context.journal() else {
            return Vec::new();
        };
        let Ok(runs) = journal.read() else {
            return Vec::new();
        };
        let mut candidates = Vec::new();
        for run in runs.of_service().rev() {
            let restores = pluralize(run.restores.len(), "restore");
            let reason = run.details.reason.as_deref().unwrap_or_default();
            candidates.push(Candidate::new(&run.id, format!("{restores} {reason}")));
        }
        candidates
    }

    fn ids_of(&self, resource: &Resource) -> Vec<Candidate> {
        let path = (resource.path)(&self.context.settings.endpoints);
        self.cached_ids(&Path::new(path))
    }

    /// Returns the cached ids of the list at this path.
    fn cached_ids(&self, path: &Path) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        if let Ok(cache) = self.context.id_cache() {
            let mut lists = cache.read();
            for (id, description) in lists.remove(path.as_str()).into_iter().flatten() {
                candidates.push(Candidate::new(id, description));
            }
        }
        candidates
    }
}

/// Returns the ids, and then each description as a candidate of its own.
fn with_descriptions(ids: Vec<Candidate>) -> Vec<Candidate> {
    let mut candidates = ids.clone();
    for id in ids {
        candidates.push(Candidate::new(id.description, id.value));
    }
    candidates
}
