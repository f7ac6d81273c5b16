//! Which site is meant: by its id, by its URL, or chosen from the list of all.

use crate::client::{Address, Api, addresses, is_url};
use crate::commands::context::Context;
use crate::error::{Error, Kind, LOOK, Result};
use crate::resources::Record;

/// A site.
#[derive(Debug, PartialEq, Eq)]
pub struct Site {
    /// Its id.
    pub id: String,
    /// Its URL as the service spells it, where it is known.
    pub url: Option<String>,
}

/// The site that `text` names: its id, which is believed as it is, or its URL, which is looked up.
///
/// # Errors
/// `NotFound` where no site has this URL, `Usage` where several have; else as the list of sites.
pub async fn site(context: &Context, api: &Api, text: &str) -> Result<Site> {
    let known = if is_url(text) { sites(context, api).await? } else { Vec::new() };
    named(&context.program(), &known, text)
}

/// The sites that these texts name, as `site`; the list is read once.
///
/// # Errors
/// As the list of sites, where a text is a URL.
pub async fn sites_named(context: &Context, api: &Api, texts: &[&str]) -> Result<Vec<Result<Site>>> {
    let known = if texts.iter().any(|text| is_url(text)) { sites(context, api).await? } else { Vec::new() };
    let program = context.program();
    Ok(texts.iter().map(|text| named(&program, &known, text)).collect())
}

/// `program` begins a command line for a hint.
fn named(program: &str, known: &[Record], text: &str) -> Result<Site> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::usage("SITE_ID is blank").hint(format!("{program} sites list shows what there is")));
    }
    if !is_url(text) {
        return Ok(Site { id: text.into(), url: None });
    }
    let wanted = Address::parse(text).ok_or_else(|| {
        Error::usage(format!("'{text}' is not a URL")).hint("name the site by its id, or as https://shop.example.com")
    })?;
    among(program, known, text, &wanted)
}

/// The site that a person chooses from the list of all.
///
/// # Errors
/// `NotFound` where there are none, `Interrupted` where the person gives up; else as the list of sites.
pub async fn site_from_list(context: &Context, api: &Api) -> Result<Site> {
    let mut sites = sites(context, api).await?;
    sites.retain(|site| site.id().is_some());
    if sites.is_empty() {
        return Err(Error::new(Kind::NotFound, "the account has no sites")
            .hint("sitectl auth status shows which account is asked"));
    }
    let rows: Vec<Vec<String>> = sites.iter().map(row).collect();
    known(&sites[context.ui.choose("Site", &rows).await?])
}

fn row(site: &Record) -> Vec<String> {
    [site.id(), addresses(site).into_iter().next(), site.text("name")].map(Option::unwrap_or_default).into()
}

async fn sites(context: &Context, api: &Api) -> Result<Vec<Record>> {
    let counter = context.ui.counter("sites", false);
    counter.while_waiting(api.all_sites()).await.map_err(unreadable)
}

/// Where the list of sites is, is only assumed: a service may well have none there.
fn unreadable(error: Error) -> Error {
    let error = error.context("the list of sites could not be read");
    match error.kind {
        Kind::Auth | Kind::Usage | Kind::RateLimited => error,
        Kind::NotFound => {
            error.hint("name the site by its id, or say in the profile where the list is (endpoints.sites)")
        }
        _ => {
            let before = error.hint.as_ref().map(|hint| format!("{hint}; or ")).unwrap_or_default();
            error.hint(format!("{before}name the site by its id"))
        }
    }
}

/// The one of these sites that has this URL.
fn among(program: &str, sites: &[Record], url: &str, wanted: &Address) -> Result<Site> {
    let matching: Vec<&Record> = sites.iter().filter(|site| has(site, wanted)).collect();
    match matching.as_slice() {
        [] => Err(unknown(program, sites, url, wanted)),
        [one] => known(one),
        several => Err(ambiguous(several, url)),
    }
}

fn has(site: &Record, wanted: &Address) -> bool {
    addresses(site).iter().any(|text| Address::parse(text).as_ref() == Some(wanted))
}

fn known(site: &Record) -> Result<Site> {
    let unnamed = || Error::new(Kind::Unavailable, "the service shows the site without an id").hint(LOOK);
    let id = site.id().ok_or_else(unnamed)?;
    Ok(Site { id, url: addresses(site).into_iter().next() })
}

fn unknown(program: &str, sites: &[Record], url: &str, wanted: &Address) -> Error {
    let alike = |text: &String| Address::parse(text).map_or(0.0, |address| address.likeness(wanted));
    let spelled = sites.iter().flat_map(|site| addresses(site).into_iter().map(move |text| (site, text)));
    let closest = spelled.max_by(|(_, a), (_, b)| alike(a).total_cmp(&alike(b)));
    let closest = closest.and_then(|(site, text)| Some(format!("the closest is {text} ({}); ", site.id()?)));
    Error::new(Kind::NotFound, format!("there is no site with the URL '{url}'"))
        .hint(format!("{}{program} sites list shows what there is", closest.unwrap_or_default()))
}

fn ambiguous(several: &[&Record], url: &str) -> Error {
    let ids: Vec<String> = several.iter().filter_map(|site| site.id()).collect();
    Error::usage(format!("{} sites have the URL '{url}': {}", several.len(), ids.join(", ")))
        .hint("name the one that is meant by its id")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sites() -> Vec<Record> {
        let rows = [
            r#"{"id":"a","url":"https://shop.example.com/"}"#,
            r#"{"id":"b","url":"https://shop.example.com/blog","domain":"shop.example.com"}"#,
            r#"{"id":"c","domain":"blog.example.org"}"#,
            r#"{"id":"d","url":"https://twin.example","home_url":"https://double.example"}"#,
            r#"{"id":"e","site_url":"http://twin.example:80"}"#,
            r#"{"url":"https://anonymous.example"}"#,
        ];
        rows.map(|row| Record::whole(row.into())).into()
    }

    fn one(url: &str) -> Option<Result<Site>> {
        Address::parse(url).map(|wanted| among("sitectl", &sites(), url, &wanted))
    }

    fn refused(url: &str) -> (Option<Kind>, String) {
        let error = one(url).and_then(Result::err);
        let hint = error.as_ref().and_then(|error| error.hint.clone()).unwrap_or_default();
        (error.as_ref().map(|error| error.kind), error.map(|error| format!("{error}; {hint}")).unwrap_or_default())
    }

    #[test]
    fn a_url_finds_its_site_however_it_is_spelled() {
        for (url, id) in [
            ("https://shop.example.com", "a"),
            ("http://SHOP.example.com:80/", "a"),
            ("https://shop.example.com/blog/", "b"),
            ("https://blog.example.org", "c"),
            ("https://double.example", "d"),
        ] {
            assert_eq!(one(url).and_then(Result::ok).map(|site| site.id).as_deref(), Some(id), "{url}");
        }
        let site = one("http://shop.example.com").and_then(Result::ok);
        assert_eq!(site, Some(Site { id: "a".into(), url: Some("https://shop.example.com/".into()) }));
    }

    #[test]
    fn none_or_several_is_an_error_that_helps() {
        let (kind, text) = refused("https://shp.example.com");
        assert!(
            kind == Some(Kind::NotFound) && text.contains("the closest is https://shop.example.com/ (a)"),
            "{text}"
        );
        let (kind, text) = refused("https://twin.example");
        assert!(
            kind == Some(Kind::Usage) && text.contains("2 sites have the URL 'https://twin.example': d, e"),
            "{text}"
        );
        assert_eq!(refused("https://anonymous.example").0, Some(Kind::Unavailable));
    }
}
