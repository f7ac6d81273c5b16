//! Computes the complete list of sites of a client after an update, because the spec does not show whether the service
//! replaces or merges them.

use crate::client::Api;
use crate::commands::context::Context;
use crate::commands::sites::ids;
use crate::error::Result;
use clap::builder::NonEmptyStringValueParser;

/// Changes to the list of a client's sites.
#[derive(Debug, clap::Args)]
pub struct SiteArgs {
    /// Assign this site to the client; repeatable
    #[arg(long, value_name = "SITE", value_parser = NonEmptyStringValueParser::new())]
    add_site: Vec<String>,
    /// Remove this site from the client; repeatable
    #[arg(long, value_name = "SITE", value_parser = NonEmptyStringValueParser::new())]
    remove_site: Vec<String>,
    /// Replace the client's sites with this one; repeatable
    #[arg(long, value_name = "SITE", value_parser = NonEmptyStringValueParser::new())]
    #[arg(conflicts_with_all = ["add_site", "remove_site", "clear_sites"])]
    set_site: Vec<String>,
    /// Move this site from the client that has it; repeatable
    #[arg(long, value_name = "SITE", value_parser = NonEmptyStringValueParser::new())]
    #[arg(conflicts_with_all = ["set_site", "clear_sites"])]
    pub move_site: Vec<String>,
    /// Remove all sites from the client
    #[arg(long, conflicts_with_all = ["add_site", "remove_site"])]
    clear_sites: bool,
}

impl SiteArgs {
    /// Returns the same changes with ids for URLs and host names.
    ///
    /// # Errors
    /// As [`Sites::find`](crate::commands::sites::Sites::find).
    pub async fn with_ids(&self, context: &Context, api: &Api) -> Result<Self> {
        Ok(Self {
            add_site: ids(context, api, &self.add_site).await?,
            remove_site: ids(context, api, &self.remove_site).await?,
            set_site: ids(context, api, &self.set_site).await?,
            move_site: ids(context, api, &self.move_site).await?,
            clear_sites: self.clear_sites,
        })
    }

    /// Whether the sites change.
    pub fn any(&self) -> bool {
        let lists = [&self.add_site, &self.remove_site, &self.set_site, &self.move_site];
        self.clear_sites || lists.iter().any(|sites| !sites.is_empty())
    }

    /// Whether the new list does not depend on the current list.
    pub fn replaces(&self) -> bool {
        self.clear_sites || !self.set_site.is_empty()
    }

    /// Returns the new list.
    pub fn wanted(&self, now: Vec<String>) -> Vec<String> {
        let mut sites = if self.replaces() { Vec::new() } else { now };
        sites.retain(|site| !self.remove_site.contains(site));
        for site in self.add_site.iter().chain(&self.set_site).chain(&self.move_site) {
            if !sites.contains(site) {
                sites.push(site.clone());
            }
        }
        sites
    }

    /// Returns the flag that a problem with the sites is about: the service can refuse only added sites.
    pub fn flag(&self) -> &'static str {
        match () {
            () if !self.set_site.is_empty() => "--set-site",
            () if !self.add_site.is_empty() => "--add-site",
            () if !self.move_site.is_empty() => "--move-site",
            () if self.clear_sites => "--clear-sites",
            () => "--remove-site",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(ids: &[&str]) -> Vec<String> {
        ids.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_complete_list_is_computed() {
        let none = || SiteArgs {
            add_site: vec![],
            remove_site: vec![],
            set_site: vec![],
            move_site: vec![],
            clear_sites: false,
        };
        let now = || list(&["a", "b"]);
        assert_eq!(SiteArgs { add_site: list(&["b", "c", "c"]), ..none() }.wanted(now()), list(&["a", "b", "c"]));
        assert_eq!(SiteArgs { remove_site: list(&["a", "x"]), ..none() }.wanted(now()), list(&["b"]));
        assert_eq!(
            SiteArgs { add_site: list(&["c"]), remove_site: list(&["a"]), ..none() }.wanted(now()),
            list(&["b", "c"])
        );
        assert_eq!(SiteArgs { move_site: list(&["c"]), ..none() }.wanted(now()), list(&["a", "b", "c"]));
        assert_eq!(SiteArgs { set_site: list(&["x"]), ..none() }.wanted(now()), list(&["x"]));
        assert_eq!(SiteArgs { clear_sites: true, ..none() }.wanted(now()), list(&[]));
        assert!(!none().any());
    }
}
