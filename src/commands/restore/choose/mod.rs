//! What is restored, and what a person must know before it is: the site, the snapshot, and the word that confirms both.

mod confirm;
mod site;
mod snapshot;

pub use confirm::confirm;
pub use site::{site, site_from_list, sites_named};
pub use snapshot::{Choice, snapshot, snapshot_from_list};

use crate::commands::context::Context;
use crate::error::{Error, Result};

/// Refuses early where an argument is missing and nobody can be asked for it.
///
/// # Errors
/// `Usage` with what each missing one may be.
pub fn require(context: &Context, site: Option<&str>, snapshot: Option<&str>) -> Result<()> {
    if context.ui.may_prompt() {
        return Ok(());
    }
    let missing = |argument: &str, what: String| {
        Error::usage(format!("{argument} is missing, and there is no terminal to choose it on")).hint(what)
    };
    let program = context.program();
    let of_site = format!("it is a site's id or its URL, as {program} sites list shows them");
    let of_snapshot = format!(
        "it is a snapshot's id, as {program} snapshots list shows them, or latest: the newest that has succeeded"
    );
    let site = site.is_none().then(|| missing("SITE_ID", of_site));
    let snapshot = snapshot.is_none().then(|| missing("SNAPSHOT_ID", of_snapshot));
    Error::all([site, snapshot].into_iter().flatten().collect()).map_or(Ok(()), Err)
}
