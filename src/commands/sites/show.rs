//! `sitectl sites show`.

use super::check::shown_problems;
use crate::commands::choose::require_prompt;
use crate::commands::context::Context;
use crate::commands::find_sites::{AccountSites, choose_site};
use crate::config::NameOf;
use crate::config::duration::{format_ago, format_local};
use crate::error::{Hint, Result};
use crate::resources::{
    Record, SITES, ServiceTime, Sites, is_scanner_off, scanner_finding, tags_of,
};
use serde_json::Value;

const EXAMPLES: &str = "\
Examples:
  sitectl sites show site-0005
  sitectl sites show site-0005.example.com --json";

/// Show a site.
///
/// On a terminal, a summary; with -o json or -o yaml, all fields.
#[derive(Debug, clap::Args)]
#[command(visible_alias = "get", after_help = EXAMPLES)]
pub struct Args {
    /// Id, URL or host name of the site; omit for a menu
    #[arg(value_name = "SITE")]
    site: Option<NameOf<Sites>>,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    if args.site.is_none() {
        require_prompt(context, &SITES)?;
    }
    let api = context.api().await?;
    let (sites, id) = match &args.site {
        Some(site) => {
            let sites = AccountSites::read_for(context, &api, &[site]).await?;
            (sites, site.to_string())
        }
        None => {
            let sites = AccountSites::read(context, &api).await?;
            let id = choose_site(context, &sites).await?;
            (sites, id)
        }
    };
    let site = sites.find(&id)?;
    let output = context.output();
    if !(output.is_for_people() && context.ui.stdout_terminal) {
        return output.print_record(site);
    }
    output.print_record(&summary_of(site))?;
    let hint = Hint::command("show all fields", "sites show").ids(&[&id]);
    context.ui.hint(hint.words("-o yaml"));
    Ok(())
}

/// Returns what a person wants to know of a site first, with empty values left out.
fn summary_of(site: &Record) -> Record {
    let at = |path: &str| site.text_at(path).unwrap_or_default();
    let time_at = |path: &str| match ServiceTime::parse(&at(path)) {
        Some(time) => format!(
            "{} ({})",
            format_local(time.instant),
            format_ago(time.instant)
        ),
        None => at(path),
    };
    let joined = |parts: &[String]| {
        let parts = parts.iter().filter(|part| !part.is_empty());
        parts.cloned().collect::<Vec<_>>().join(", ")
    };
    let no_finding = if is_scanner_off(site) { "off" } else { "" };
    let scanner = scanner_finding(site).unwrap_or_else(|| no_finding.into());
    let updates = ["plugins", "themes"].map(|kind| {
        let available = at(&format!("wp.updates.{kind}.available"));
        match available.as_str() {
            "" | "0" => String::new(),
            number => format!("{kind} {number}"),
        }
    });
    let rows = [
        ("site", at("url")),
        ("title", at("title")),
        ("id", at("id")),
        (
            "client",
            joined(&["name", "email", "id"].map(|name| at(&format!("client.{name}")))),
        ),
        ("tags", tags_of(site).unwrap_or_default().join(", ")),
        ("problems", shown_problems(site)),
        (
            "health",
            joined(&["status", "score"].map(|name| at(&format!("health.{name}")))),
        ),
        ("connection", at("connection.status")),
        ("scanner", scanner),
        (
            "hacked since",
            time_at("security.scanner.malware_detected_at"),
        ),
        ("last check", time_at("security.scanner.last_check_at")),
        ("last backup", time_at("backups.latest_snapshot.created_at")),
        ("backup status", at("backups.latest_snapshot.status")),
        ("last sync", time_at("sync.last_sync_at")),
        ("uptime", at("uptime.status")),
        ("WordPress", at("wp.core.current_version")),
        ("updates", joined(&updates)),
        ("PHP", at("server.php_version")),
    ];
    let rows = rows.into_iter().filter(|(_, text)| !text.is_empty());
    let members: Vec<String> = rows
        .map(|(name, text)| format!("{}:{}", Value::from(name), Value::from(text)))
        .collect();
    Record::from_json(format!("{{{}}}", members.join(",")))
}
