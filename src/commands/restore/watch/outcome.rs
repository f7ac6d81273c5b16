//! The result of watching, on stdout and as an exit code.

use super::follow::FollowArgs;
use super::followed::{End, Followed};
use super::target::{Target, resume};

use crate::commands::context::Context;
use crate::commands::sites::known_urls;
use crate::config::OutputFormat;
use crate::config::duration::describe;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resources::WATCHED;
use crate::terminal::shell_arguments;
use serde::Serialize;

/// The most names in a message.
const NAMES: usize = 8;

/// Prints the outcomes of the tasks.
///
/// # Errors
/// `RestoreFailed`, `TimedOut`, `Auth`, `UnknownOutcome` by how they ended.
pub fn conclude(context: &Context, args: &FollowArgs, followed: &[Followed]) -> Result<()> {
    let printed = print(context, followed);
    // The exit code reports how the tasks ended even if stdout cannot be written.
    verdict(context, args, followed).and(printed)
}

fn print(context: &Context, followed: &[Followed]) -> Result<()> {
    if context.settings.format == OutputFormat::Ndjson {
        return Ok(());
    }
    if context.settings.format == OutputFormat::Table {
        let urls = known_urls(context);
        let url = |one: &Followed| urls.get(one.target.site_id.as_ref()?).cloned();
        let lines: Vec<_> = followed
            .iter()
            .map(|one| Line {
                followed: one,
                url: url(one),
                took: one.took(),
            })
            .collect();
        return output::print_list(&WATCHED, &lines, context.output_options());
    }
    let ids: Vec<String> = followed
        .iter()
        .filter_map(|one| one.target.task_id.clone())
        .collect();
    output::print_result(&followed, &ids, context.output_options())
}

/// A row of the table.
#[derive(Serialize)]
struct Line<'f> {
    #[serde(flatten)]
    followed: &'f Followed,
    url: Option<String>,
    took: Option<String>,
}

/// Returns the error with the exit code: a failed task comes first, then a timeout, then an unknown outcome.
fn verdict(context: &Context, args: &FollowArgs, followed: &[Followed]) -> Result<()> {
    let program = context.program();
    let those = |end: End| -> Vec<&Target> {
        followed
            .iter()
            .filter(|one| one.end == end)
            .map(|one| &one.target)
            .collect()
    };
    let (failed, timed_out, unknown) = (
        those(End::Failed),
        those(End::TimedOut),
        those(End::Unknown),
    );
    if let Some(first) = failed.first() {
        let id = first.task_id.as_deref().unwrap_or_default();
        return Err(Error::new(
            Kind::RestoreFailed,
            format!("restore failed: {}", names(&failed)),
        )
        .with_hint(format!(
            "show the steps: {program} tasks show {}",
            shell_arguments(&[id])
        )));
    }
    if !timed_out.is_empty() {
        // A task without any response may not exist.
        let continues = match followed
            .iter()
            .all(|one| one.end != End::TimedOut || one.was_seen())
        {
            true if timed_out.len() == 1 => "; the restore continues on the server",
            true => "; the restores continue on the server",
            false => "",
        };
        let message = format!(
            "not finished within {}: {}{continues}",
            describe(args.timeout),
            names(&timed_out)
        );
        let hint = format!("resume watching: {}", resume(context, &timed_out));
        return Err(Error::new(Kind::TimedOut, message).with_hint(hint));
    }
    if !unknown.is_empty() {
        let message = format!("the outcome is unknown: {}", names(&unknown));
        let hint = format!(
            "check the site before you use --force: {program} restore history --outcome unknown"
        );
        return Err(Error::new(Kind::UnknownOutcome, message).with_hint(hint));
    }
    Ok(())
}

/// Returns the first names, and the number of the others.
fn names(targets: &[&Target]) -> String {
    let shown: Vec<String> = targets
        .iter()
        .take(NAMES)
        .map(|target| target.name())
        .collect();
    match targets.len().saturating_sub(NAMES) {
        0 => shown.join(", "),
        more => format!("{}, and {more} more", shown.join(", ")),
    }
}
