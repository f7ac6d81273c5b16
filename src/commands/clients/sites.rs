//! Which sites a client has after an update: the full list is computed here, whatever the service does with it.

use clap::builder::NonEmptyStringValueParser;

/// Changes to the list of a client's sites.
#[derive(Debug, clap::Args)]
pub struct SiteArgs {
    /// Assign this site to the client; repeatable
    #[arg(long, value_name = "SITE_ID", value_parser = NonEmptyStringValueParser::new())]
    add_site: Vec<String>,
    /// Remove this site from the client; repeatable
    #[arg(long, value_name = "SITE_ID", value_parser = NonEmptyStringValueParser::new())]
    remove_site: Vec<String>,
    /// Replace the client's sites with this one; repeatable
    #[arg(long, value_name = "SITE_ID", value_parser = NonEmptyStringValueParser::new())]
    #[arg(conflicts_with_all = ["add_site", "remove_site", "clear_sites"])]
    set_site: Vec<String>,
    /// Remove all sites from the client
    #[arg(long, conflicts_with_all = ["add_site", "remove_site"])]
    clear_sites: bool,
}

impl SiteArgs {
    /// Whether anything about the sites was asked.
    pub fn any(&self) -> bool {
        self.clear_sites || [&self.add_site, &self.remove_site, &self.set_site].iter().any(|sites| !sites.is_empty())
    }

    /// Whether the list that there is does not matter.
    pub fn replaces(&self) -> bool {
        self.clear_sites || !self.set_site.is_empty()
    }

    /// The whole list that is wanted, from the one that there is.
    pub fn wanted(&self, now: Vec<String>) -> Vec<String> {
        let mut sites = if self.replaces() { Vec::new() } else { now };
        sites.retain(|site| !self.remove_site.contains(site));
        for site in self.add_site.iter().chain(&self.set_site) {
            if !sites.contains(site) {
                sites.push(site.clone());
            }
        }
        sites
    }

    /// The flag that a problem with the sites is about: only sites that come can be refused.
    pub fn flag(&self) -> &'static str {
        match () {
            () if !self.set_site.is_empty() => "--set-site",
            () if !self.add_site.is_empty() => "--add-site",
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
    fn the_whole_list_is_computed() {
        let none = || SiteArgs { add_site: vec![], remove_site: vec![], set_site: vec![], clear_sites: false };
        let now = || list(&["a", "b"]);
        assert_eq!(SiteArgs { add_site: list(&["b", "c", "c"]), ..none() }.wanted(now()), list(&["a", "b", "c"]));
        assert_eq!(SiteArgs { remove_site: list(&["a", "x"]), ..none() }.wanted(now()), list(&["b"]));
        assert_eq!(
            SiteArgs { add_site: list(&["c"]), remove_site: list(&["a"]), ..none() }.wanted(now()),
            list(&["b", "c"])
        );
        assert_eq!(SiteArgs { set_site: list(&["x"]), ..none() }.wanted(now()), list(&["x"]));
        assert_eq!(SiteArgs { clear_sites: true, ..none() }.wanted(now()), list(&[]));
        assert!(!none().any());
    }
}
