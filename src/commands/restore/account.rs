//! The account of a run: its service and its profile.

use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::Run;
use crate::shell::shell_option;

/// Refuses to resume or watch a run of another account.
///
/// # Errors
/// `Conflict` with the option that selects the account.
pub fn require_same_account(context: &Context, run: &Run) -> Result<()> {
    let profile = &run.details.profile;
    if *profile == context.settings.account.profile {
        return Ok(());
    }
    let run_id = &run.id;
    let error = |account: String| {
        Error::new(
            Kind::Conflict,
            format!("run {run_id} was started {account}"),
        )
    };
    Err(match profile {
        Some(name) => error(format!("with the profile '{name}'")).with_hint(format!(
            "use the same account: sitectl {} restore resume {run_id}",
            shell_option("--profile", name)
        )),
        None => error("without a profile".into())
            .with_hint("select its service and token with SITECTL_BASE_URL and SITECTL_TOKEN"),
    })
}
