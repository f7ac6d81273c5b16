//! Finds sites in the account's list by id, URL or host name.

use crate::client::{Api, Path, SiteUrl, is_url, site_urls};
use crate::commands::choose::choose_record;
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, SITES, Sites, short_url};
use crate::terminal::pluralize;
use serde_json::Value;
use std::collections::HashMap;

/// A site that an argument or a row specifies.
#[derive(Debug, Default)]
pub struct Site {
    pub id: String,
    /// The URL, if the site is in the list and has one there.
    pub url: Option<String>,
    /// Whether the site is known to have no subsites: its record has `"multisite": false`.
    pub is_single: bool,
}

impl Site {
    pub fn from_record(record: &Record) -> Self {
        Self {
            id: record.id().unwrap_or_default(),
            url: site_urls(record).into_iter().next(),
            is_single: record.value("multisite") == Some(Value::Bool(false)),
        }
    }
}

/// The list of the account's sites, or the error of reading it. The spec does not show this list
/// ("Other operations"), so a service may not have it.
pub struct AccountSites {
    /// The beginning of commands in hints.
    program: String,
    /// The sites with an id.
    list: Result<Vec<Record>>,
    /// The number of listed sites without an id.
    without_id: usize,
    /// The index of each site in the list.
    by_id: HashMap<String, usize>,
    /// Each URL with the index of its site in the list; a site can have several.
    by_url: Vec<(SiteUrl, usize)>,
}

impl AccountSites {
    /// Reads the list of sites.
    pub async fn read(context: &Context, api: &Api) -> Self {
        let counter = context.ui.counter("sites");
        let list = counter.while_waiting(api.all_sites()).await;
        Self::new(context.program(), list)
    }

    fn new(program: String, mut list: Result<Vec<Record>>) -> Self {
        let mut without_id = 0;
        if let Ok(sites) = &mut list {
            let listed = sites.len();
            sites.retain(|site| site.id().is_some_and(|id| !id.is_empty()));
            without_id = listed - sites.len();
            // The fields of sites are not specified, so ids may have another name. An error makes
            // `find` accept ids that it cannot check.
            if sites.is_empty() && without_id > 0 {
                list = Err(Error::new(Kind::Error, "the listed sites have no 'id'"));
            }
        }
        let mut by_id = HashMap::new();
        let mut by_url = Vec::new();
        for (index, site) in list.iter().flatten().enumerate() {
            if let Some(id) = site.id() {
                by_id.insert(id, index);
            }
            for url in site_urls(site) {
                if let Some(url) = SiteUrl::parse(&url) {
                    by_url.push((url, index));
                }
            }
        }
        Self {
            program,
            list,
            without_id,
            by_id,
            by_url,
        }
    }

    /// Fails if the list could not be read for a reason that makes other requests fail too.
    ///
    /// # Errors
    /// The error of the list.
    pub fn require_service(&self) -> Result<()> {
        match &self.list {
            Err(error) if fails_other_requests(error) => Err(error.clone_without_details()),
            _ => Ok(()),
        }
    }

    /// Returns the records of the complete list.
    ///
    /// # Errors
    /// The error of the list; `Unavailable` if a listed site has no id.
    pub fn list(&self) -> Result<&[Record]> {
        let list = self.list_with_ids()?;
        match self.without_id {
            0 => Ok(list),
            number => {
                let message = format!("{} without an 'id'", pluralize(number, "listed site"));
                let hint = format!("show the sites: {} sites list --json", self.program);
                Err(Error::new(Kind::Unavailable, message).with_hint(hint))
            }
        }
    }

    fn list_with_ids(&self) -> Result<&[Record]> {
        self.list.as_deref().map_err(|error| {
            error
                .clone_without_details()
                .context("the list of sites could not be read")
                .with_fallback_hint(|| "specify the site by its id".into())
        })
    }

    /// Returns the site with this id, URL or host name. If the list could not be read, an id is
    /// accepted unchecked.
    ///
    /// # Errors
    /// `NotFound` if there is no such site, `Usage` if several sites have the URL; the error of the
    /// list if a URL cannot be looked up.
    pub fn find(&self, text: &str) -> Result<Site> {
        let text = text.trim();
        let list_hint = || format!("list the sites: {} sites list", self.program);
        if text.is_empty() {
            return Err(Error::usage("the site is blank").with_hint(list_hint()));
        }
        // An id may have a dot, but a host name is never taken for an id if the list may exist.
        let may_be_id = match &self.list {
            Ok(_) => false,
            Err(error) => !is_url(text) && (error.kind == Kind::NotFound || !text.contains('.')),
        };
        if may_be_id {
            return Ok(Site {
                id: text.into(),
                ..Site::default()
            });
        }
        let list = self.list_with_ids()?;
        match self.find_indexes(text).as_slice() {
            [] => Err(
                Error::new(Kind::NotFound, format!("site '{text}' not found"))
                    .with_hint(list_hint()),
            ),
            [index] => Ok(Site::from_record(&list[*index])),
            several => {
                let mut ids = Vec::new();
                for index in several {
                    ids.extend(list[*index].id());
                }
                let count = several.len();
                let ids = ids.join(", ");
                let message = format!("'{text}' matches {count} sites: {ids}");
                Err(Error::usage(message).with_hint("specify the site by its id"))
            }
        }
    }

    /// Returns the indexes in the list of the sites with this id, URL or host name: those that
    /// match exactly, or else by their host, or else by their host with or without `www.`.
    fn find_indexes(&self, text: &str) -> Vec<usize> {
        if let Some(index) = self.by_id.get(text) {
            return vec![*index];
        }
        let Some(url) = SiteUrl::parse(text) else {
            return Vec::new();
        };
        // A URL of a page, such as `https://www.shop.example/wp-login.php`, stands for its site.
        let comparisons = [
            SiteUrl::eq,
            SiteUrl::has_same_host,
            SiteUrl::has_same_domain,
        ];
        for is_same in comparisons {
            let mut indexes = Vec::new();
            for (site_url, index) in &self.by_url {
                if is_same(site_url, &url) {
                    indexes.push(*index);
                }
            }
            // Two URLs of one site can be equal, such as `url` and `home_url`.
            indexes.dedup();
            if !indexes.is_empty() {
                return indexes;
            }
        }
        Vec::new()
    }
}

/// Prompts for a site, and returns its id.
///
/// # Errors
/// The error of the list; `NotFound` if it is empty; `Interrupted` if the user cancels.
pub async fn choose_site(context: &Context, sites: &AccountSites) -> Result<String> {
    let columns = |site: &Record| {
        let url = site_urls(site).into_iter().next();
        vec![site.id(), url, site.text("name")]
    };
    choose_record(context, &SITES, sites.list()?, columns).await
}

/// Returns the ids of these sites, in the same order. The list of sites is read only if one of them
/// is a URL or a host name; other ids are not checked.
///
/// # Errors
/// `NotFound` or `Usage` if not exactly one site has the URL; the error of the list.
pub async fn find_site_ids(
    context: &Context,
    api: &Api,
    sites: &[NameOf<Sites>],
) -> Result<Vec<String>> {
    let is_address = |site: &str| site.contains(['.', ':']);
    if !sites.iter().any(|site| is_address(site)) {
        return Ok(sites.iter().map(|site| site.trim().into()).collect());
    }
    let account_sites = AccountSites::read(context, api).await;
    let mut ids = Vec::new();
    for site in sites {
        ids.push(if is_address(site) {
            account_sites.find(site)?.id
        } else {
            site.to_string()
        });
    }
    Ok(ids)
}

/// Returns the URLs of sites by their ids, from the cache and without a request: of the sites that
/// lists have shown on this machine, without `https://`.
pub fn known_urls(context: &Context) -> HashMap<String, String> {
    let Ok(cache) = context.id_cache() else {
        return HashMap::new();
    };
    let path = Path::new(&context.settings.endpoints.sites);
    let mut urls = HashMap::new();
    for (id, url) in cache.records(path.as_str()) {
        let url = short_url(&url);
        if !url.is_empty() {
            urls.insert(id, url.to_string());
        }
    }
    urls
}

/// Whether other requests would fail for the same reason. An unavailable service that responded
/// with a status may still process them.
pub fn fails_other_requests(error: &Error) -> bool {
    match error.kind {
        Kind::Unavailable => error.status.is_none(),
        Kind::Auth | Kind::RateLimited | Kind::Interrupted => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_site_by_id_url_or_host_name() {
        let records = [
            r#"{"id":"a","url":"https://shop.example.com/"}"#,
            r#"{"id":"b","url":"https://shop.example.com/blog","domain":"shop.example.com"}"#,
            r#"{"id":"c.example","domain":"blog.example.org"}"#,
            r#"{"id":"d","url":"https://twin.example","home_url":"https://double.example"}"#,
            r#"{"id":"e","site_url":"http://twin.example:80"}"#,
            r#"{"id":"f.example","url":"https://www.example.com"}"#,
            r#"{"id":"g","url":"https://two.example"}"#,
            r#"{"id":"h","url":"https://www.two.example"}"#,
        ];
        let sites = AccountSites::new(
            String::new(),
            Ok(records.map(|json| Record::from_json(json.into())).into()),
        );
        for (text, id) in [
            (" a ", Ok("a")),
            ("c.example", Ok("c.example")),
            ("https://shop.example.com", Ok("a")),
            ("SHOP.example.com", Ok("a")),
            ("http://SHOP.example.com:80/", Ok("a")),
            ("https://shop.example.com/blog/", Ok("b")),
            ("blog.example.org", Ok("c.example")),
            ("https://double.example", Ok("d")),
            ("https://blog.example.org/wp-login.php?x=1", Ok("c.example")),
            ("www.blog.example.org", Ok("c.example")),
            ("https://www.SHOP.example.com/blog", Err(Kind::Usage)),
            ("https://shop.example.com/other", Err(Kind::Usage)),
            ("example.com", Ok("f.example")),
            ("https://www.two.example/page", Ok("h")),
            ("example.org", Err(Kind::NotFound)),
            ("https://shp.example.com", Err(Kind::NotFound)),
            ("f", Err(Kind::NotFound)),
            ("", Err(Kind::Usage)),
            ("https://twin.example", Err(Kind::Usage)),
        ] {
            let found = sites.find(text);
            assert_eq!(
                found
                    .as_ref()
                    .map(|site| &*site.id)
                    .map_err(|error| error.kind),
                id,
                "{text}"
            );
        }
        let unlisted =
            AccountSites::new(String::new(), Err(Error::new(Kind::NotFound, "not found")));
        assert!(unlisted.find("f").is_ok_and(|site| site.id == "f"));
        assert!(unlisted.find("https://twin.example").is_err());
    }

    #[test]
    fn a_list_with_a_site_without_an_id_is_not_complete() {
        let records = [
            r#"{"id":"a","url":"https://a.example"}"#,
            r#"{"id":""}"#,
            r#"{"name":"b"}"#,
        ];
        let records = records.map(|json| Record::from_json(json.into()));
        let sites = AccountSites::new("sitectl".into(), Ok(records.into()));
        let found = sites.find("a.example");
        assert!(found.is_ok_and(|site| site.url.as_deref() == Some("https://a.example")));
        let message = sites.list().err().map(|error| error.message.clone());
        assert_eq!(message.as_deref(), Some("2 listed sites without an 'id'"));
    }

    #[test]
    fn an_id_is_accepted_if_the_listed_sites_have_none() {
        let sites = AccountSites::new(
            String::new(),
            Ok(vec![Record::from_json(r#"{"site_id":"a"}"#.into())]),
        );
        assert!(sites.find("a").is_ok_and(|site| site.id == "a"));
        assert!(sites.find("https://a.example").is_err());
        assert!(sites.require_service().is_ok());
        let empty = AccountSites::new(String::new(), Ok(Vec::new()));
        assert!(
            empty
                .find("a")
                .is_err_and(|error| error.kind == Kind::NotFound)
        );
    }
}
