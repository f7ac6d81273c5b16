//! `sitectl profiles list`.

use crate::commands::context::Context;
use crate::config::{BaseUrl, Profile};
use crate::error::Result;
use crate::output::ResultShape;
use crate::resources::PROFILES;
use serde_json::{Value, json};

const EXAMPLES: &str = "\
Examples:
  sitectl profiles list
  sitectl profiles list -o ids
  sitectl profiles list --jq '.[] | select(.current).name'

--profile and SITECTL_PROFILE override the current profile. token_source is profile or
token_command, or null without a token. The output does not contain tokens.";

/// List profiles
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

pub fn run(context: &Context) -> Result<()> {
    context.output().check_fields(&PROFILES, &[])?;
    let file = &context.file;
    let current = file.current_profile.as_deref();
    let rows: Vec<Value> = file
        .profiles
        .iter()
        .map(|(name, profile)| row(name, profile, current))
        .collect();
    context
        .output()
        .print_rows(&PROFILES, &rows, ResultShape::List)?;
    if file.profiles.is_empty() {
        context.ui.note("no profiles found");
        context.ui.hint("save a profile: sitectl auth login");
    }
    Ok(())
}

fn row(name: &str, profile: &Profile, current: Option<&str>) -> Value {
    let token = profile.token.as_ref().map(|_| "profile");
    json!({
        "name": name,
        "current": current == Some(name),
        "base_url": profile.base_url.as_deref().and_then(BaseUrl::parse_for_display),
        "token_source": token.or_else(|| profile.token_command.as_ref().map(|_| "token_command")),
        "protected": profile.protected,
        "read_only": profile.read_only,
        "output": profile.output,
        "per_page": profile.per_page,
    })
}
