//! `sitectl restore watch`.

mod follow;
mod followed;
mod outcome;
mod target;
mod urls;

pub(super) use follow::{FollowArgs, follow};
pub(super) use followed::{End, Followed, took};
pub(super) use outcome::conclude;
pub(super) use target::Target;
pub(super) use urls::site_urls;

use crate::client::{Api, is_url};
use crate::commands::context::Context;
use crate::commands::sites::Sites;
use crate::error::{Kind, Result};
use crate::journal::Entry;
use crate::output;
use target::{Wanted, named, open_ones};

const EXAMPLES: &str = "\
Examples:
  sitectl restore watch
  TASK=$(sitectl restore start site-0003 latest --full --yes -o ids)
  sitectl restore watch $TASK
  sitectl restore start site-0004 latest --files --yes
  sitectl restore watch site-0004 --timeout 30m --json

The exit code is 0 if all restores succeeded, 10 if one failed, 11 after --timeout and 12 if an outcome is unknown.";

/// Watch running restores
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Tasks, or sites by id, URL or host name [default: all unfinished restores of this profile]
    #[arg(value_name = "TASK_ID|SITE")]
    tasks: Vec<String>,
    #[command(flatten)]
    follow: FollowArgs,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let journal = context.journal()?;
    let entries = match journal.entries() {
        // A task can be watched without the journal.
        Err(error) if !args.tasks.is_empty() => {
            context.ui.warn(&error.message);
            Vec::new()
        }
        entries => entries?,
    };
    let (service, api) = (context.service()?, context.api().await?);
    let targets = match args.tasks.as_slice() {
        [] => open_ones(context, &service, &entries),
        words => named(&wanted(context, &api, words, &entries).await?, &service, &entries),
    };
    if targets.is_empty() {
        context.ui.note("no unfinished restores found in the journal");
        return output::result(&Vec::<()>::new(), &[], context.shape());
    }
    let followed = follow(context, &api, &journal, &args.follow, targets).await?;
    conclude(context, &args.follow, &followed)
}

/// Returns the tasks and sites. The list of sites is read only for a URL or a host name.
async fn wanted(context: &Context, api: &Api, words: &[String], entries: &[Entry]) -> Result<Vec<Wanted>> {
    let is_known = |word: &String| entries.iter().any(|entry| entry.task_id.as_ref() == Some(word));
    let is_address = |word: &String| (is_url(word) || word.contains('.')) && !is_known(word);
    if !words.iter().any(is_address) {
        return Ok(words.iter().cloned().map(Wanted::Any).collect());
    }
    let sites = Sites::read(context, api).await;
    let wanted = |word: &String| match sites.find(word) {
        _ if !is_address(word) => Ok(Wanted::Any(word.clone())),
        Ok(site) => Ok(Wanted::Site(site.id)),
        // A task's id may contain a dot.
        Err(error) if error.kind == Kind::NotFound && !is_url(word) => Ok(Wanted::Any(word.clone())),
        Err(error) => Err(error),
    };
    words.iter().map(wanted).collect()
}
