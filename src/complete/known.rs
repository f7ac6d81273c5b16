//! What local files know: the config file its profiles, the journal its tasks, and earlier runs the ids that they saw.

use super::candidates::Candidate;
use crate::api::{CLIENTS_PATH, MANAGED_ACCOUNTS_PATH, Path};
use crate::config::{BaseUrl, ConfigFile, Environment, Flags, paths};
use crate::context::{Context, person};
use crate::journal::Entry;

/// The most that is offered.
const MOST: usize = 1000;
const LATEST: &str = "latest";

/// What is known of the service that the words so far mean.
pub struct Known {
    file: ConfigFile,
    /// None where the words, the environment and the config file do not say which service is meant.
    context: Option<Context>,
}

impl Known {
    /// Reads what says which service is meant.
    pub fn new(flags: Flags) -> Self {
        // How to print is not asked here, and what is wrong with that does no harm.
        let env = Environment { output: None, ..Environment::read() };
        let file = paths::config_file(&env).and_then(|path| ConfigFile::read(&path)).unwrap_or_default();
        let ui = person(&flags, &env);
        let context = Context::new(&flags, env, ui, &file).ok();
        Self { file, context }
    }

    pub fn profiles(&self) -> Vec<Candidate> {
        let about = |url: &Option<String>| url.as_deref().and_then(BaseUrl::shown).unwrap_or_default();
        self.file.profiles.iter().filter_map(|(name, profile)| candidate(name, about(&profile.base_url))).collect()
    }

    pub fn sites(&self) -> Vec<Candidate> {
        self.records(self.path_of_sites())
    }

    /// Sites by their ids; by their addresses where one is begun.
    pub fn sites_and_addresses(&self, typed: &str) -> Vec<Candidate> {
        let sites = self.sites();
        let addresses = sites.iter().filter(|_| !typed.is_empty()).filter(|site| site.about.starts_with("http"));
        let addresses: Vec<Candidate> = addresses.map(|site| Candidate::new(&site.about, &site.value)).collect();
        sites.into_iter().chain(addresses).collect()
    }

    /// The snapshots of a site, which may be named by its address.
    pub fn snapshots(&self, site: Option<&String>) -> Vec<Candidate> {
        let by_address = |site: &String| self.sites().into_iter().find(|known| known.about == *site);
        let id = site.map(|site| by_address(site).map_or_else(|| site.clone(), |found| found.value));
        let endpoint = self.context.as_ref().map(|context| &context.settings.endpoints.snapshots);
        let path = endpoint.zip(id).and_then(|(path, id)| Path::template(path).fill("site_id", &id).ok());
        let latest = Candidate::new(LATEST, "the newest that has succeeded");
        [latest].into_iter().chain(self.records(path)).collect()
    }

    pub fn clients(&self) -> Vec<Candidate> {
        let clients = self.records(Some(Path::new(CLIENTS_PATH)));
        let emails = clients.iter().filter(|client| client.about.contains('@'));
        let emails: Vec<Candidate> = emails.map(|client| Candidate::new(&client.about, &client.value)).collect();
        clients.into_iter().chain(emails).collect()
    }

    pub fn managed_accounts(&self) -> Vec<Candidate> {
        self.records(Some(Path::new(MANAGED_ACCOUNTS_PATH)))
    }

    /// The same, first those that were not seen to end.
    pub fn tasks_open_first(&self) -> Vec<Candidate> {
        let (open, ended): (Vec<Entry>, _) = self.entries().into_iter().partition(|entry| !entry.has_ended());
        open.iter().chain(&ended).filter_map(task).take(MOST).collect()
    }

    /// The tasks that the journal has of this service, newest first.
    pub fn tasks(&self) -> Vec<Candidate> {
        self.entries().iter().filter_map(task).take(MOST).collect()
    }

    fn entries(&self) -> Vec<Entry> {
        let journal =
            self.context.as_ref().and_then(|context| Some((context.journal().ok()?, context.service().ok()?)));
        let Some((journal, service)) = journal else { return Vec::new() };
        let entries = journal.entries().unwrap_or_default();
        entries.into_iter().rev().filter(|entry| entry.service == service).collect()
    }

    /// Where the list of sites is.
    pub fn path_of_sites(&self) -> Option<Path> {
        self.context.as_ref().map(|context| Path::template(&context.settings.endpoints.sites))
    }

    /// What was seen of the list at this path.
    fn records(&self, path: Option<Path>) -> Vec<Candidate> {
        let place = self.context.as_ref().and_then(|context| context.seen().ok());
        let records = place.zip(path).map(|(place, path)| place.records(path.as_str())).unwrap_or_default();
        records.into_iter().filter_map(|(id, about)| candidate(&id, about)).take(MOST).collect()
    }
}

fn task(entry: &Entry) -> Option<Candidate> {
    let about = format!("{}, {}", entry.intent.site_id, entry.standing());
    candidate(entry.task_id.as_ref()?, about)
}

/// A name that somebody else has chosen. One that begins with a dash would be taken for an option.
fn candidate(id: &str, about: String) -> Option<Candidate> {
    (!id.starts_with('-')).then(|| Candidate::new(id, about))
}
