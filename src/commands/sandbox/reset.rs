//! `sitectl sandbox reset`

use std::path::{Path, PathBuf};

/// Put the sandbox's first data back.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Reset this file [default: the one in the state directory]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  sitectl sandbox reset
  sitectl sandbox reset --db practice.db";

/// Resets the database, also while sandboxes serve it.
pub(super) fn run(args: &Args, default_db: &Path) -> anyhow::Result<()> {
    crate::sandbox::reset(args.db.as_deref().unwrap_or(default_db))
}
