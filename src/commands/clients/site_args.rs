//! Computes the complete list of sites of a client after an update, because the spec does not show
//! whether the service replaces or merges them.

use crate::commands::find_sites::AccountSites;
use crate::config::NameOf;
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, Sites};
use serde_json::Value;

/// Changes to the list of a client's sites.
#[derive(Debug, Default, Clone, clap::Args)]
pub struct SiteArgs {
    /// Assign this site to the client; repeatable
    #[arg(long, value_name = "SITE")]
    add_site: Vec<NameOf<Sites>>,
    /// Remove this site from the client; repeatable
    #[arg(long, value_name = "SITE")]
    remove_site: Vec<NameOf<Sites>>,
    /// Replace the client's sites with this one; repeatable
    #[arg(long, value_name = "SITE")]
    #[arg(conflicts_with_all = ["add_site", "remove_site", "clear_sites"])]
    set_site: Vec<NameOf<Sites>>,
    /// Move this site from the client that has it; repeatable
    #[arg(long, value_name = "SITE")]
    #[arg(conflicts_with_all = ["set_site", "clear_sites"])]
    pub move_site: Vec<NameOf<Sites>>,
    /// Remove all sites from the client
    #[arg(long, conflicts_with_all = ["add_site", "remove_site"])]
    clear_sites: bool,
}

impl SiteArgs {
    /// Returns the sites of all flags.
    pub fn names(&self) -> impl Iterator<Item = &NameOf<Sites>> {
        let lists = [
            &self.add_site,
            &self.remove_site,
            &self.set_site,
            &self.move_site,
        ];
        lists.into_iter().flatten()
    }

    /// Returns the same changes with site ids in place of URLs and host names.
    ///
    /// # Errors
    /// Those of [`AccountSites::find`].
    pub fn with_ids(&self, sites: Option<&AccountSites>) -> Result<Self> {
        let mut args = self.clone();
        for site in [
            &mut args.add_site,
            &mut args.remove_site,
            &mut args.set_site,
            &mut args.move_site,
        ]
        .into_iter()
        .flatten()
        {
            *site = AccountSites::id_of(sites, site)?.into();
        }
        args.fail_if_contradictory()?;
        Ok(args)
    }

    /// Refuses to both add and remove a site.
    ///
    /// # Errors
    /// `Usage` with the site.
    pub fn fail_if_contradictory(&self) -> Result<()> {
        for site in self.add_site.iter().chain(&self.move_site) {
            if self.remove_site.iter().any(|removed| **removed == **site) {
                let message = format!("the site '{site}' is both added and removed");
                return Err(Error::usage(message).with_hint("remove one of the two flags"));
            }
        }
        Ok(())
    }

    /// Returns the sites to remove that the client does not have.
    pub fn missing_sites(&self, client: &Record) -> Vec<String> {
        let current = client.texts("site_ids").unwrap_or_default();
        let removed = self.remove_site.iter().map(ToString::to_string);
        removed.filter(|site| !current.contains(site)).collect()
    }

    /// Returns the complete list of the client's sites after the change.
    ///
    /// # Errors
    /// `Unavailable` if the list depends on the current list, which the service does not show:
    /// unknown sites must not be written back.
    pub fn resulting_sites(&self, client: &Record) -> Result<Vec<String>> {
        let mut sites = Vec::new();
        if !self.clear_sites && self.set_site.is_empty() {
            sites = match client.value("site_ids") {
                Some(Value::Null) => Vec::new(),
                _ => client.texts("site_ids").ok_or_else(unknown_sites_error)?,
            };
        }
        sites.retain(|site| !self.remove_site.iter().any(|removed| **removed == **site));
        let added = [&self.add_site, &self.set_site, &self.move_site];
        for site in added.into_iter().flatten() {
            if !sites.iter().any(|present| *present == **site) {
                sites.push(site.to_string());
            }
        }
        Ok(sites)
    }

    /// Returns the flag to name in a problem with the sites; None if no flag changes them. Flags
    /// that add sites come first, because the service can refuse only added sites.
    pub fn flag_for_problems(&self) -> Option<&'static str> {
        let flags = [
            ("--set-site", !self.set_site.is_empty()),
            ("--add-site", !self.add_site.is_empty()),
            ("--move-site", !self.move_site.is_empty()),
            ("--clear-sites", self.clear_sites),
            ("--remove-site", !self.remove_site.is_empty()),
        ];
        let (flag, _) = flags.iter().find(|(_, is_used)| *is_used)?;
        Some(flag)
    }
}

fn unknown_sites_error() -> Error {
    let message = "the service does not show which sites the client has, \
                   so sites cannot be added or removed";
    Error::new(Kind::Unavailable, message)
        .with_hint("specify the complete list of sites with --set-site")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(ids: &[&str]) -> Vec<NameOf<Sites>> {
        ids.iter().map(|id| NameOf::from(id.to_string())).collect()
    }

    fn list(ids: &[&str]) -> Vec<String> {
        ids.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_complete_list_is_computed() {
        let client = Record::from_json(r#"{"site_ids":["a","b"]}"#.into());
        for (args, sites) in [
            (
                SiteArgs {
                    add_site: names(&["b", "c", "c"]),
                    ..SiteArgs::default()
                },
                &["a", "b", "c"][..],
            ),
            (
                SiteArgs {
                    remove_site: names(&["a", "x"]),
                    ..SiteArgs::default()
                },
                &["b"],
            ),
            (
                SiteArgs {
                    add_site: names(&["c"]),
                    remove_site: names(&["a"]),
                    ..SiteArgs::default()
                },
                &["b", "c"],
            ),
            (
                SiteArgs {
                    move_site: names(&["c"]),
                    ..SiteArgs::default()
                },
                &["a", "b", "c"],
            ),
            (
                SiteArgs {
                    set_site: names(&["x"]),
                    ..SiteArgs::default()
                },
                &["x"],
            ),
            (
                SiteArgs {
                    clear_sites: true,
                    ..SiteArgs::default()
                },
                &[],
            ),
        ] {
            assert_eq!(args.resulting_sites(&client).ok(), Some(list(sites)));
        }
    }
}
