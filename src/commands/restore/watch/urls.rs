//! The URLs of sites that lists have shown on this machine, for tables: no request is sent for them.

use crate::client::Path;
use crate::commands::context::Context;
use std::collections::HashMap;

/// Returns the URL of each known site.
pub fn site_urls(context: &Context) -> HashMap<String, String> {
    let path = Path::template(&context.settings.endpoints.sites);
    let sites = context.id_cache().map(|cache| cache.records(path.as_str())).unwrap_or_default();
    sites.into_iter().filter(|(_, url)| !url.is_empty()).collect()
}
