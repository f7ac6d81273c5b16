//! Which site and snapshot are restored, and the confirmation.

use crate::client::{Address, Api, Consent, addresses, created_at, is_url, latest, none_usable, usable};
use crate::commands::consent::{Asking, Question};
use crate::commands::context::Context;
use crate::config::duration::{age, ago};
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use crate::terminal::{arguments, bytes};
use jiff::Timestamp;
use std::cmp::Reverse;
use std::time::Duration;

/// The word for the newest successful snapshot.
pub const LATEST: &str = "latest";
/// The longest wait for the site's URL, which is only shown.
const URL_TIMEOUT: Duration = Duration::from_secs(5);

/// A site.
#[derive(Debug, PartialEq, Eq)]
pub struct Site {
    /// Its id.
    pub id: String,
    /// Its URL, if it is known.
    url: Option<String>,
}

impl Site {
    fn of(site: &Record) -> Self {
        Self { id: site.id().unwrap_or_default(), url: addresses(site).into_iter().next() }
    }
}

/// A snapshot.
#[derive(Debug)]
pub struct Choice {
    /// Its id, never `latest`.
    pub id: String,
    /// When it was taken, if that is known.
    pub taken_at: Option<Timestamp>,
}

impl Choice {
    /// Returns the snapshot in a record.
    pub fn of(snapshot: &Record) -> Self {
        Self { id: snapshot.id().unwrap_or_default(), taken_at: created_at(snapshot) }
    }

    fn taken(&self) -> String {
        self.taken_at.map(|at| format!(", taken {at:.0}")).unwrap_or_default()
    }
}

/// Returns the site with this id or URL, or the one that the user chooses. An id is trusted; a URL is looked up.
///
/// # Errors
/// `NotFound` if no site has the URL, `Usage` if several do; else as the list of sites.
pub async fn site(context: &Context, api: &Api, text: Option<&str>) -> Result<Site> {
    if let Some(text) = text {
        let known = if is_url(text) { sites(context, api).await? } else { Vec::new() };
        return named(&context.program(), &known, text);
    }
    let sites = sites(context, api).await?;
    if sites.is_empty() {
        let hint = format!("check which account is in use: {} auth status", context.program());
        return Err(Error::new(Kind::NotFound, "the account has no sites").hint(hint));
    }
    let row = |site: &Record| [site.id(), addresses(site).into_iter().next(), site.text("name")];
    let rows: Vec<Vec<String>> = sites.iter().map(|site| row(site).map(Option::unwrap_or_default).into()).collect();
    Ok(Site::of(&sites[context.ui.choose("Site", &rows).await?]))
}

/// Returns the sites with these ids or URLs, as [`site`] does; the list is read once.
///
/// # Errors
/// As the list of sites, if there is a URL.
pub async fn sites_named(context: &Context, api: &Api, texts: &[&str]) -> Result<Vec<Result<Site>>> {
    let known = if texts.iter().any(|text| is_url(text)) { sites(context, api).await? } else { Vec::new() };
    let program = context.program();
    Ok(texts.iter().map(|text| named(&program, &known, text)).collect())
}

/// `program` begins a command in a hint.
fn named(program: &str, known: &[Record], text: &str) -> Result<Site> {
    let list = || format!("{program} sites list shows what there is");
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::usage("SITE_ID is blank").hint(list()));
    }
    if !is_url(text) {
        return Ok(Site { id: text.into(), url: None });
    }
    let Some(url) = Address::parse(text) else {
        return Err(Error::usage(format!("'{text}' is not a URL")).hint(list()));
    };
    let has_url = |site: &&Record| addresses(site).iter().any(|text| Address::parse(text).as_ref() == Some(&url));
    match known.iter().filter(has_url).collect::<Vec<_>>().as_slice() {
        [] => Err(Error::new(Kind::NotFound, format!("there is no site with the URL '{text}'")).hint(list())),
        [site] => Ok(Site::of(site)),
        several => {
            let ids: Vec<String> = several.iter().filter_map(|site| site.id()).collect();
            Err(Error::usage(format!("{} sites have the URL '{text}': {}", several.len(), ids.join(", ")))
                .hint("specify the site by its id"))
        }
    }
}

async fn sites(context: &Context, api: &Api) -> Result<Vec<Record>> {
    let counter = context.ui.counter("sites", false);
    let mut sites = counter.while_waiting(api.all_sites()).await.map_err(|error| {
        error.context("the list of sites could not be read").or_hint(|| "specify the site by its id".into())
    })?;
    sites.retain(|site| site.id().is_some());
    Ok(sites)
}

/// Returns the snapshot with this id, the latest one, or the one that the user chooses. An id is trusted; when its
/// snapshot was taken is looked up only to `show` it.
///
/// # Errors
/// `NotFound` if no snapshot has succeeded, `Invalid` if several are the latest; else as the list of snapshots.
pub async fn snapshot(context: &Context, api: &Api, site_id: &str, text: Option<&str>, show: bool) -> Result<Choice> {
    let program = context.program();
    let list = || format!("{program} snapshots list {}", arguments(&[site_id]));
    if let Some(id) = text.map(str::trim).filter(|text| *text != LATEST) {
        let known = if show { api.all_snapshots(site_id).await.unwrap_or_default() } else { Vec::new() };
        let found = known.iter().find(|snapshot| snapshot.id().as_deref() == Some(id));
        return Ok(Choice { id: id.into(), taken_at: found.and_then(created_at) });
    }
    let counter = context.ui.counter("snapshots", false);
    let all = counter.while_waiting(api.all_snapshots(site_id)).await.map_err(|error| match error.kind {
        Kind::Incomplete => error.hint(format!("specify a snapshot by its id: {}", list())),
        _ => error.about_missing("site", site_id, &format!("{program} sites list shows what there is")),
    })?;
    if text.is_some() {
        let newest = Choice::of(&latest(site_id, &all).map_err(|error| error.or_hint(list))?);
        // The question shows the age.
        let age = newest.taken_at.filter(|_| !show).map(|at| format!(", {}", ago(at)));
        context.ui.announce(&format!("latest is {}{}{}", newest.id, newest.taken(), age.unwrap_or_default()));
        return Ok(newest);
    }
    let mut offered = usable(&all);
    offered.retain(|snapshot| snapshot.id().is_some());
    offered.sort_by_key(|snapshot| Reverse(created_at(snapshot)));
    if offered.is_empty() {
        return Err(none_usable(site_id).hint(list()));
    }
    let rows: Vec<Vec<String>> = offered.iter().map(|snapshot| row(snapshot)).collect();
    Ok(Choice::of(offered[context.ui.choose("Snapshot", &rows).await?]))
}

/// Returns what a person chooses a snapshot by: its id, when it was taken, its name, type and size.
fn row(snapshot: &Record) -> Vec<String> {
    let taken = created_at(snapshot).map(|at| [format!("{at:.0}"), ago(at)]);
    let size = snapshot.text("size_bytes").and_then(|text| text.parse().ok()).map(bytes);
    let about = [snapshot.text("name"), snapshot.text("type"), size].into_iter().flatten();
    snapshot.id().into_iter().chain(taken.unwrap_or_default()).chain(about.filter(|text| !text.is_empty())).collect()
}

/// Shows what is overwritten and lost, if anything is asked, and asks for the site's id.
///
/// # Errors
/// If it is not confirmed.
pub async fn confirm(
    context: &Context,
    api: &Api,
    asking: &Asking<'_>,
    site: &Site,
    snapshot: &Choice,
    scope: &str,
) -> Result<Consent> {
    if asking.asks() {
        let url = match &site.url {
            Some(url) => Some(url.clone()),
            None => tokio::time::timeout(URL_TIMEOUT, url_of(api, &site.id)).await.unwrap_or_default(),
        };
        let url = url.map(|url| format!(" ({url})")).unwrap_or_default();
        context.ui.warn(&format!("this overwrites the live site {}{url} on {}", site.id, context.service_name()?));
        context.ui.detail(&format!("restores {scope} from snapshot {}{}", snapshot.id, snapshot.taken()));
        context.ui.detail(&match snapshot.taken_at.map(age) {
            Some(Some(age)) => format!("everything that changed there in the last {age} is lost"),
            Some(None) => "the snapshot is dated in the future: how much is lost is not known".into(),
            None => "when the snapshot was taken is not known: everything newer is lost".into(),
        });
    }
    asking.ask(&[Question::typed("Restore the site", &site.id)]).await
}

async fn url_of(api: &Api, site_id: &str) -> Option<String> {
    let sites = api.all_sites().await.ok()?;
    Site::of(sites.iter().find(|site| site.id().as_deref() == Some(site_id))?).url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_finds_its_site_in_any_spelling() {
        let sites = [
            r#"{"id":"a","url":"https://shop.example.com/"}"#,
            r#"{"id":"b","url":"https://shop.example.com/blog","domain":"shop.example.com"}"#,
            r#"{"id":"c","domain":"blog.example.org"}"#,
            r#"{"id":"d","url":"https://twin.example","home_url":"https://double.example"}"#,
            r#"{"id":"e","site_url":"http://twin.example:80"}"#,
        ]
        .map(|json| Record::whole(json.into()));
        for (url, id) in [
            ("https://shop.example.com", Ok("a")),
            ("http://SHOP.example.com:80/", Ok("a")),
            ("https://shop.example.com/blog/", Ok("b")),
            ("https://blog.example.org", Ok("c")),
            ("https://double.example", Ok("d")),
            ("https://shp.example.com", Err(Kind::NotFound)),
            ("https://twin.example", Err(Kind::Usage)),
        ] {
            let found = named("sitectl", &sites, url);
            let found = found.as_ref().map(|site| site.id.as_str()).map_err(|error| error.kind);
            assert_eq!(found, id, "{url}");
        }
    }
}
