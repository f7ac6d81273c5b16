//! The last question before a live site is overwritten.

use super::site::Site;
use super::snapshot::Choice;
use crate::client::Consent;
use crate::client::{Api, addresses};
use crate::commands::consent::{Asking, Question};
use crate::commands::context::Context;
use crate::config::duration::age;
use crate::error::Result;
use std::time::Duration;

/// How long the question waits for the site's URL: it is good to see, and no more.
const PATIENCE: Duration = Duration::from_secs(5);

/// Shows what is about to happen, the scope in these words, where anything is asked, and asks for the site's id.
///
/// # Errors
/// Where it is not confirmed.
pub async fn confirm(
    context: &Context,
    api: &Api,
    asking: &Asking<'_>,
    site: &Site,
    snapshot: &Choice,
    scope: &str,
) -> Result<Consent> {
    if asking.asks() {
        show(context, api, site, snapshot, scope).await?;
    }
    asking.ask(&[Question::typed("Restore the site", &site.id)]).await
}

async fn show(context: &Context, api: &Api, site: &Site, snapshot: &Choice, scope: &str) -> Result<()> {
    let url = match &site.url {
        Some(url) => Some(url.clone()),
        None => tokio::time::timeout(PATIENCE, url_of(api, &site.id)).await.unwrap_or_default(),
    };
    let url = url.map(|url| format!(" ({url})")).unwrap_or_default();
    context.ui.warn(&format!("this overwrites the live site {}{url} on {}", site.id, context.service_name()?));
    context.ui.detail(&format!("restores {scope} from snapshot {}{}", snapshot.id, snapshot.taken()));
    match snapshot.taken_at.map(age) {
        Some(Some(age)) => context.ui.detail(&format!("everything that changed there in the last {age} is lost")),
        Some(None) => context.ui.detail("the snapshot is dated in the future: how much is lost is not known"),
        None => context.ui.detail("when the snapshot was taken is not known: everything newer is lost"),
    }
    Ok(())
}

/// The site's URL, where the list of sites can be read and shows one.
async fn url_of(api: &Api, site_id: &str) -> Option<String> {
    let sites = api.all_sites().await.ok()?;
    let site = sites.iter().find(|site| site.id().as_deref() == Some(site_id))?;
    addresses(site).into_iter().next()
}
