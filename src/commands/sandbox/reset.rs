//! `sitectl sandbox reset`.

use crate::commands::context::{Context, sandbox_error};
use crate::error::{Error, Result};
use crate::sandbox;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  sitectl sandbox reset
  sitectl sandbox reset --db test.db";

/// Reset the sandbox's data.
///
/// This also deletes the sandbox's journal.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Reset this file [default: in the state directory]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
}

/// Works even if a process serves the database.
pub(super) fn run(context: &Context, args: &Args) -> Result<()> {
    if args.db.as_deref().is_some_and(|path| path.as_os_str() == sandbox::MEMORY) {
        return Err(Error::usage("--db :memory: is not a file").hint("reset the default file: sitectl sandbox reset"));
    }
    let home = context.sandbox_dir()?;
    let database = args.db.clone().unwrap_or_else(|| home.database());
    sandbox::reset(&database).map_err(|error| sandbox_error("reset", &error))?;
    if args.db.is_none() {
        home.journal().clear()?;
        home.id_cache().clear();
    }
    context.ui.note(&format!("Reset the sandbox in {}", database.display()));
    Ok(())
}
