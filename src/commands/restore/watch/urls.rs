//! The URLs of sites that lists have shown on this machine, for tables: no request is sent for them.

use crate::client::Path;
use crate::commands::context::Context;
use std::collections::HashMap;

/// Returns the URL of each known site, without `https://`.
pub fn site_urls(context: &Context) -> HashMap<String, String> {
    let path = Path::new(&context.settings.endpoints.sites);
    let sites = context.id_cache().map(|cache| cache.records(path.as_str())).unwrap_or_default();
    let short = |url: String| url.trim_start_matches("https://").trim_end_matches('/').to_string();
    sites.into_iter().map(|(id, url)| (id, short(url))).filter(|(_, url)| !url.is_empty()).collect()
}
