//! `sitectl sandbox reset`.

use crate::commands::context::Context;
use crate::commands::embedded_sandbox::sandbox_error;
use crate::commands::id_cache::IdCache;
use crate::error::Result;
use crate::journal::Journal;
use crate::sandbox;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  sitectl sandbox reset
  sitectl sandbox reset --db test.db";

/// Reset the sandbox's data.
///
/// Without --db, this also deletes the sandbox's journal.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Reset this file [default: in the state directory]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
}

/// Resets the database, also while a process serves it. The journal and the cached ids belong to
/// the default database, so they stay with `--db`.
pub fn run(context: &Context, args: &Args) -> Result<()> {
    // The setting of a profile is not about the sandbox.
    if context.env.read_only.is_some() {
        context.settings.require_writable()?;
    }
    let database = match &args.db {
        Some(path) => path.clone(),
        None => context.env.sandbox_database()?,
    };
    sandbox::reset(&database).map_err(|error| sandbox_error("reset", &error))?;
    if args.db.is_none() {
        let directory = context.env.sandbox_dir()?;
        Journal::new(&directory, String::new(), Box::new(|_| {})).clear()?;
        IdCache::clear(&directory);
    }
    context
        .ui
        .note(&format!("Reset the sandbox in {}", database.display()));
    Ok(())
}
