//! Finds sites in the account's list by id, URL or host name.

use crate::client::{Address, Api, Path, addresses, is_url};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use serde_json::Value;
use std::collections::HashMap;

/// A site.
#[derive(Debug, Default)]
pub struct Site {
    /// Its id.
    pub id: String,
    /// Its URL, if the list shows it.
    pub url: Option<String>,
    /// Whether the list shows that it has no subsites.
    pub is_single: bool,
}

impl Site {
    fn of(record: &Record) -> Self {
        let is_single = record.value("multisite") == Some(Value::Bool(false));
        Self {
            id: record.id().unwrap_or_default(),
            url: addresses(record).into_iter().next(),
            is_single,
        }
    }
}

/// The account's sites, or the error of their list (spec, "Other operations": not shown).
pub struct Sites {
    program: String,
    list: Result<Vec<Record>>,
    by_id: HashMap<String, usize>,
    by_address: Vec<(Address, usize)>,
}

impl Sites {
    /// Reads the list of sites.
    pub async fn read(context: &Context, api: &Api) -> Self {
        let counter = context.ui.counter("sites", false);
        let list = counter.while_waiting(api.all_sites()).await;
        Self::new(context.program(), list)
    }

    fn new(program: String, mut list: Result<Vec<Record>>) -> Self {
        if let Ok(sites) = &mut list {
            let listed = sites.len();
            sites.retain(|site| site.id().is_some());
            // Nothing can be found in such a list, and the fields of sites are not specified.
            if sites.is_empty() && listed > 0 {
                list = Err(Error::new(Kind::Error, "the listed sites have no 'id'"));
            }
        }
        let numbered = || list.iter().flatten().enumerate();
        let by_id = numbered()
            .filter_map(|(number, site)| Some((site.id()?, number)))
            .collect();
        let parsed = |site: &Record| {
            addresses(site)
                .into_iter()
                .filter_map(|text| Address::parse(&text))
        };
        let by_address = numbered()
            .flat_map(|(number, site)| parsed(site).map(move |address| (address, number)))
            .collect();
        Self {
            program,
            list,
            by_id,
            by_address,
        }
    }

    /// Fails if the list failed for a reason that makes other requests fail too.
    ///
    /// # Errors
    /// The error of the list.
    pub fn require_service(&self) -> Result<()> {
        self.list
            .as_ref()
            .err()
            .filter(|error| is_final(error))
            .map_or(Ok(()), |error| Err(error.without_response()))
    }

    /// Returns the records of the list.
    ///
    /// # Errors
    /// The error of the list.
    pub fn list(&self) -> Result<&[Record]> {
        let unread = |error: &Error| {
            error
                .without_response()
                .context("the list of sites could not be read")
        };
        self.list.as_deref().map_err(|error| {
            unread(error).with_fallback_hint(|| "specify the site by its id".into())
        })
    }

    /// Returns the site with this id, URL or host name. Without a list, an id is accepted unchanged.
    ///
    /// # Errors
    /// `NotFound` if there is none, `Usage` if there are several; for a URL, the error of the list.
    pub fn find(&self, text: &str) -> Result<Site> {
        let text = text.trim();
        let hint = || format!("list the sites: {} sites list", self.program);
        if text.is_empty() {
            return Err(Error::usage("the site is blank").with_hint(hint()));
        }
        if self.list.is_err() && !is_url(text) {
            return Ok(Site {
                id: text.into(),
                ..Site::default()
            });
        }
        let (list, address) = (self.list()?, Address::parse(text));
        let mut found: Vec<usize> = self.by_id.get(text).copied().into_iter().collect();
        if found.is_empty() {
            let same = self
                .by_address
                .iter()
                .filter(|(known, _)| Some(known) == address.as_ref());
            found.extend(same.map(|(_, number)| number));
            found.dedup();
        }
        match found.as_slice() {
            [] => Err(
                Error::new(Kind::NotFound, format!("site '{text}' not found")).with_hint(hint()),
            ),
            [number] => Ok(Site::of(&list[*number])),
            several => {
                let ids: Vec<String> = several
                    .iter()
                    .filter_map(|number| list[*number].id())
                    .collect();
                Err(Error::usage(format!(
                    "{} sites have the URL '{text}': {}",
                    several.len(),
                    ids.join(", ")
                ))
                .with_hint("specify the site by its id"))
            }
        }
    }
}

/// Returns the ids of these sites. Only a URL or a host name requires the list of sites.
///
/// # Errors
/// As [`Sites::find`].
pub async fn find_site_ids(
    context: &Context,
    api: &Api,
    sites: &[impl AsRef<str>],
) -> Result<Vec<String>> {
    let is_address = |site: &str| site.contains(['.', ':']);
    let typed = || sites.iter().map(AsRef::as_ref);
    if !typed().any(is_address) {
        return Ok(typed().map(|site| site.trim().into()).collect());
    }
    let list = Sites::read(context, api).await;
    let mut ids = Vec::new();
    for site in typed() {
        ids.push(if is_address(site) {
            list.find(site)?.id
        } else {
            site.into()
        });
    }
    Ok(ids)
}

/// Returns the URL, without `https://`, of each site that lists have shown on this machine. It sends no request.
pub fn known_urls(context: &Context) -> HashMap<String, String> {
    let path = Path::new(&context.settings.endpoints.sites);
    let sites = context
        .id_cache()
        .map(|cache| cache.records(path.as_str()))
        .unwrap_or_default();
    let short = |url: String| {
        url.trim_start_matches("https://")
            .trim_end_matches('/')
            .to_string()
    };
    sites
        .into_iter()
        .map(|(id, url)| (id, short(url)))
        .filter(|(_, url)| !url.is_empty())
        .collect()
}

/// Whether other requests would fail for the same reason.
pub fn is_final(error: &Error) -> bool {
    let is_down = error.kind == Kind::Unavailable && error.status.is_none();
    is_down
        || matches!(
            error.kind,
            Kind::Auth | Kind::RateLimited | Kind::Interrupted
        )
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
        ];
        let sites = Sites::new(
            String::new(),
            Ok(records.map(|json| Record::whole(json.into())).into()),
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
        let unlisted = Sites::new(String::new(), Err(Error::new(Kind::NotFound, "not found")));
        assert!(unlisted.find("f").is_ok_and(|site| site.id == "f"));
        assert!(unlisted.find("https://twin.example").is_err());
    }

    #[test]
    fn an_id_is_accepted_if_the_listed_sites_have_none() {
        let sites = Sites::new(
            String::new(),
            Ok(vec![Record::whole(r#"{"site_id":"a"}"#.into())]),
        );
        assert!(sites.find("a").is_ok_and(|site| site.id == "a"));
        assert!(sites.find("https://a.example").is_err());
        assert!(sites.require_service().is_ok());
        let empty = Sites::new(String::new(), Ok(Vec::new()));
        assert!(
            empty
                .find("a")
                .is_err_and(|error| error.kind == Kind::NotFound)
        );
    }
}
