//! Finds sites by id, URL or host name.

use crate::client::{Api, SiteUrl, is_address, site_urls};
use crate::commands::choose::choose_record;
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Error, Hint, Kind, Result};
use crate::resources::query::TagFilter;
use crate::resources::{Record, SITES, Sites, short_url};
use crate::terminal::{Ui, pluralize};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};
use std::ops::Deref;

/// The options that select sites by their tags.
#[derive(Debug, Clone, clap::Args)]
pub struct TagArgs {
    /// Select only sites with this tag; repeatable
    #[arg(long, value_name = "NAME", value_parser = parse_tag, conflicts_with = "untagged")]
    tag: Vec<String>,
    /// Select only sites without tags
    #[arg(long)]
    untagged: bool,
}

impl TagArgs {
    pub fn filter(&self) -> Option<TagFilter> {
        let filter = TagFilter {
            names: self.tag.clone(),
            existing: BTreeSet::new(),
        };
        (self.untagged || !self.tag.is_empty()).then_some(filter)
    }
}

/// Refuses an empty name, which an unset variable may be.
fn parse_tag(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        "" => Err("the name is empty"),
        name => Ok(name.into()),
    }
}

/// A site that an argument or a row specifies.
#[derive(Debug, Default, Clone)]
pub struct Site {
    pub id: String,
    /// The URL, if the record has one.
    pub url: Option<String>,
    pub title: Option<String>,
    /// Whether the site is known to have no subsites: its record has `"multisite": false`.
    pub is_single: bool,
}

impl Site {
    pub fn from_record(record: &Record) -> Self {
        Self {
            id: record.id().unwrap_or_default(),
            url: site_urls(record).next(),
            title: record.text("title"),
            is_single: record.value("multisite") == Some(Value::Bool(false)),
        }
    }
}

/// Sites of the account: all, or the only one that a command needs.
pub struct AccountSites {
    ui: Ui,
    /// The sites with an id.
    list: Vec<Record>,
    /// The number of listed sites without an id.
    without_id: usize,
    /// The index of each site in the list.
    by_id: HashMap<String, usize>,
    /// Each address with the index of its site in the list.
    by_url: Vec<(SiteUrl, usize)>,
}

impl AccountSites {
    /// Reads the list of sites.
    ///
    /// # Errors
    /// The error of the list.
    pub async fn read(context: &Context, api: &Api) -> Result<Self> {
        let counter = context.ui.counter("sites");
        let list = counter.while_waiting(api.all_sites()).await?;
        Ok(Self::new(&context.ui, list))
    }

    /// Reads what is needed to find these sites: the record of a single id, else the list. The list
    /// is also read if the service has no record of the id.
    ///
    /// # Errors
    /// The error of the record or of the list.
    pub async fn read_for(context: &Context, api: &Api, sites: &[&str]) -> Result<Self> {
        if let [id] = sites
            && !is_address(id)
        {
            match api.site(id).await {
                Ok(site) => return Ok(Self::new(&context.ui, vec![site])),
                Err(error) if error.kind == Kind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Self::read(context, api).await
    }

    /// Reads the list of sites if one of these names is an address.
    ///
    /// # Errors
    /// The error of the list.
    pub async fn read_for_addresses(
        context: &Context,
        api: &Api,
        names: &[impl Deref<Target = str>],
    ) -> Result<Option<Self>> {
        if names.iter().any(|name| is_address(name)) {
            Self::read(context, api).await.map(Some)
        } else {
            Ok(None)
        }
    }

    /// Returns the id of the site that an address means; another text is an id.
    ///
    /// # Errors
    /// Those of [`Self::find`].
    pub fn id_of(sites: Option<&Self>, name: &str) -> Result<String> {
        match sites {
            Some(sites) if is_address(name) => Ok(sites.find(name)?.id().unwrap_or_default()),
            _ => Ok(name.trim().into()),
        }
    }

    /// Replaces the addresses in the `site_ids` of a file by ids, and returns an error for each
    /// address of no site.
    pub fn find_in_fields(sites: Option<&Self>, fields: &mut Map<String, Value>) -> Vec<Error> {
        let mut errors = Vec::new();
        let items = fields.get_mut("site_ids").and_then(Value::as_array_mut);
        for item in items.into_iter().flatten() {
            match item.as_str().map(|name| Self::id_of(sites, name)) {
                Some(Ok(id)) => *item = id.into(),
                Some(Err(error)) => errors.push(error),
                None => {}
            }
        }
        errors
    }

    fn new(ui: &Ui, mut list: Vec<Record>) -> Self {
        let listed = list.len();
        list.retain(|site| site.id().is_some_and(|id| !id.is_empty()));
        let mut by_id = HashMap::new();
        let mut by_url = Vec::new();
        for (index, site) in list.iter().enumerate() {
            by_id.extend(site.id().map(|id| (id, index)));
            for url in site_urls(site) {
                by_url.extend(SiteUrl::parse(&url).map(|url| (url, index)));
            }
        }
        Self {
            ui: ui.clone(),
            without_id: listed - list.len(),
            list,
            by_id,
            by_url,
        }
    }

    /// Returns the records.
    ///
    /// # Errors
    /// `Unavailable` if a listed site has no id.
    pub fn list(&self) -> Result<&[Record]> {
        match self.without_id {
            0 => Ok(&self.list),
            number => {
                let message = format!("{} without an 'id'", pluralize(number, "listed site"));
                let hint = Hint::command("show the sites", "sites list --json");
                Err(Error::new(Kind::Unavailable, message).with_hint(hint))
            }
        }
    }

    /// Returns the host name and the path of the site with this id, if its address is known and
    /// stderr is a terminal; else the id.
    pub fn name(&self, id: &str) -> String {
        let site = self.by_id.get(id).filter(|_| self.ui.stderr_terminal);
        let url = site.and_then(|index| site_urls(&self.list[*index]).next());
        url.map_or(id.into(), |url| short_url(&url).into())
    }

    /// Whether the account can have a site with this id: a service may list no sites.
    pub fn may_have(&self, id: &str) -> bool {
        self.list.is_empty() || self.by_id.contains_key(id)
    }

    /// Returns the record of the site with this id, or of the site that an address means: that of
    /// its host whose path is the longest prefix of the path. `www.` does not distinguish hosts. A
    /// line on stderr names the site that was found for an address below its own.
    ///
    /// # Errors
    /// `NotFound` if there is no such site, `Usage` if the address means several.
    pub fn find(&self, text: &str) -> Result<&Record> {
        let text = text.trim();
        if let Some(index) = self.by_id.get(text) {
            return Ok(&self.list[*index]);
        }
        let address = SiteUrl::parse(text).filter(|_| is_address(text));
        let Some(address) = address else {
            return Err(self.not_found(text, None));
        };
        let mut matches = Vec::new();
        for (url, index) in &self.by_url {
            matches.extend(
                url.match_length(&address)
                    .map(|length| (length, url, *index)),
            );
        }
        let longest = matches.iter().map(|(length, ..)| *length).max();
        matches.retain(|(length, ..)| Some(*length) == longest);
        // The addresses of one site can be equal.
        matches.dedup_by_key(|(.., index)| *index);
        match matches.as_slice() {
            [] => Err(self.not_found(text, Some(&address))),
            [(_, url, index)] => {
                let site = &self.list[*index];
                if **url != address || text.contains(['?', '#']) {
                    let name = site_label(site);
                    self.ui.announce(&format!("{text} belongs to site {name}"));
                }
                Ok(site)
            }
            several => {
                let sites = several
                    .iter()
                    .map(|(.., index)| site_label(&self.list[*index]));
                let sites = sites.collect::<Vec<_>>().join(", ");
                let message = format!("'{text}' matches {} sites: {sites}", several.len());
                Err(Error::usage(message).with_hint("specify the site by its id"))
            }
        }
    }

    /// Returns the records of these sites, each once.
    ///
    /// # Errors
    /// Those of [`Self::find`], of all sites.
    pub fn find_all(&self, texts: &[&str]) -> Result<Vec<&Record>> {
        let mut found: Vec<&Record> = Vec::new();
        let mut errors = Vec::new();
        for text in texts {
            match self.find(text) {
                Ok(site) if found.iter().any(|known| known.id() == site.id()) => {}
                Ok(site) => found.push(site),
                Err(error) => errors.push(error),
            }
        }
        Error::combine(errors).map_or(Ok(found), Err)
    }

    /// Returns the error of a site that is not found, with the sites of the same host.
    fn not_found(&self, text: &str, address: Option<&SiteUrl>) -> Error {
        let has_host =
            |(url, _): &&(SiteUrl, usize)| address.is_some_and(|address| url.host == address.host);
        let mut indexes: Vec<usize> = self
            .by_url
            .iter()
            .filter(has_host)
            .map(|one| one.1)
            .collect();
        indexes.dedup();
        let mut message = format!("site '{text}' not found");
        if !indexes.is_empty() {
            let sites = indexes.iter().map(|index| site_label(&self.list[*index]));
            message += &format!("; on this host: {}", sites.collect::<Vec<_>>().join(", "));
        }
        Error::new(Kind::NotFound, message).with_hint(Hint::command("list the sites", "sites list"))
    }
}

/// Describes a site, such as `s1 (https://shop.example)`.
fn site_label(site: &Record) -> String {
    let id = site.id().unwrap_or_default();
    match site_urls(site).next() {
        Some(url) => format!("{id} ({url})"),
        None => id,
    }
}

/// Prompts for a site, and returns its id.
///
/// # Errors
/// The error of the list; `NotFound` if it is empty; `Interrupted` if the user cancels.
pub async fn choose_site(context: &Context, sites: &AccountSites) -> Result<String> {
    let columns = |site: &Record| {
        let url = site_urls(site).next();
        vec![
            url.map(|url| short_url(&url).into()),
            site.text("title"),
            site.id(),
        ]
    };
    choose_record(context, &SITES, sites.list()?, columns).await
}

/// Returns the ids of these sites, in the same order. The list of sites is read only if one of them
/// is an address; other ids are not checked.
///
/// # Errors
/// Those of [`AccountSites::find`]; the error of the list.
pub async fn find_site_ids(
    context: &Context,
    api: &Api,
    names: &[NameOf<Sites>],
) -> Result<Vec<String>> {
    let sites = AccountSites::read_for_addresses(context, api, names).await?;
    let ids = names.iter();
    ids.map(|name| AccountSites::id_of(sites.as_ref(), name))
        .collect()
}

/// Whether other requests would fail for the same reason. An unavailable service that responded
/// with a status may still process them.
pub fn fails_other_requests(error: &Error) -> bool {
    match error.kind {
        Kind::Unavailable => error.status.is_none(),
        // 403 can be about the site.
        Kind::Auth => error.status != Some(403),
        Kind::RateLimited | Kind::Interrupted => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Flags};

    #[test]
    fn an_address_means_the_site_with_the_longest_path_on_its_host() {
        let records = [
            r#"{"id":"shop","url":"https://shop.example.com/"}"#,
            r#"{"id":"blog","url":"https://www.shop.example.com/blog","home_url":"http://old.example/"}"#,
            r#"{"id":"c.example","url":"https://tailor.example/old","home_url":"http://tailor.example/old"}"#,
            r#"{"id":"port","url":"https://port.example:8443"}"#,
            r#"{"id":"twin1","url":"https://twin.example"}"#,
            r#"{"id":"twin2","url":"http://www.twin.example/","home_url":"https://twin.example"}"#,
            r#"{"id":"same","url":"https://same.example","home_url":"http://www.same.example/"}"#,
            r#"{"id":"local","url":"http://intranet/"}"#,
        ];
        let ui = Ui::new(&Flags::default(), &Environment::default());
        let sites = AccountSites::new(
            &ui,
            records.map(|json| Record::from_json(json.into())).into(),
        );
        for (text, id) in [
            (" shop ", Ok("shop")),
            ("c.example", Ok("c.example")),
            ("SHOP.example.com.", Ok("shop")),
            ("http://user@www.shop.example.com:80/?p=1#top", Ok("shop")),
            ("https://shop.example.com/blog/wp-login.php", Ok("blog")),
            ("shop.example.com/blogs", Ok("shop")),
            ("old.example", Ok("blog")),
            ("tailor.example/old/page", Ok("c.example")),
            ("tailor.example", Err(Kind::NotFound)),
            ("https://tailor.example/new", Err(Kind::NotFound)),
            ("port.example", Err(Kind::NotFound)),
            ("port.example:8443/x", Ok("port")),
            ("twin.example", Err(Kind::Usage)),
            ("same.example", Ok("same")),
            ("intranet", Err(Kind::NotFound)),
            ("example.com", Err(Kind::NotFound)),
            ("ada@shop.example.com", Err(Kind::NotFound)),
            ("", Err(Kind::NotFound)),
        ] {
            let found = sites.find(text).map(|site| site.id().unwrap_or_default());
            let found = found.map_err(|error| error.kind);
            assert_eq!(found, id.map(String::from), "{text}");
        }
        let message = sites
            .find("tailor.example")
            .err()
            .map(|error| error.message.clone());
        let end = "; on this host: c.example (https://tailor.example/old)";
        assert!(message.is_some_and(|message| message.ends_with(end)));
    }
}
