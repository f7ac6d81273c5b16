//! The result of watching, on stdout and as an exit code.

use super::follow::FollowArgs;
use super::followed::{End, Followed, Report};
use super::target::{Target, resume};

use crate::commands::context::Context;
use crate::commands::sites::known_urls;
use crate::config::Format;
use crate::config::duration::describe;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resources::WATCHED;
use crate::terminal::arguments;

/// The most names in a message.
const NAMES: usize = 8;
/// The most commands in a hint.
const COMMANDS: usize = 3;

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
    if context.settings.format == Format::Ndjson {
        return Ok(());
    }
    let mut reports: Vec<Report<'_>> = followed.iter().map(Followed::report).collect();
    if context.settings.format != Format::Table {
        let ids: Vec<String> = followed.iter().filter_map(|one| one.target.task_id.clone()).collect();
        return output::result(&reports, &ids, context.shape());
    }
    let urls = known_urls(context);
    for (report, one) in reports.iter_mut().zip(followed) {
        report.url = one.target.site_id.as_ref().and_then(|site| urls.get(site)).map(String::as_str);
        report.took = one.took();
    }
    output::table(&WATCHED, &reports, context.shape())
}

/// Returns the error with the exit code: a failed task comes first, then a timeout, then an unknown outcome.
fn verdict(context: &Context, args: &FollowArgs, followed: &[Followed]) -> Result<()> {
    let those =
        |end: End| -> Vec<&Target> { followed.iter().filter(|one| one.end == end).map(|one| &one.target).collect() };
    let (failed, timed_out, unknown) = (those(End::Failed), those(End::TimedOut), those(End::Unknown));
    if !failed.is_empty() {
        return Err(failure(context, &failed));
    }
    if !timed_out.is_empty() {
        let mut late = followed.iter().filter(|one| one.end == End::TimedOut);
        let continues = match (late.all(Followed::was_seen), timed_out.len()) {
            (true, 1) => "; the restore continues on the server",
            (true, _) => "; the restores continue on the server",
            // A task without any response may not exist.
            (false, _) => "",
        };
        let message = format!("not finished within {}: {}{continues}", describe(args.timeout), names(&timed_out));
        let hint = format!("resume watching: {}", resume(context, &timed_out));
        return Err(Error::new(Kind::TimedOut, message).hint(hint));
    }
    if !unknown.is_empty() {
        let message = format!("the outcome is unknown: {}", names(&unknown));
        let hint =
            format!("check the site before you use --force: {} restore history --outcome unknown", context.program());
        return Err(Error::new(Kind::UnknownOutcome, message).hint(hint));
    }
    Ok(())
}

fn failure(context: &Context, failed: &[&Target]) -> Error {
    let message = format!("restore failed: {}", names(failed));
    let program = context.program();
    let shows = failed.iter().filter_map(|target| target.task_id.as_ref());
    let shows: Vec<String> = shows.map(|id| format!("{program} tasks show {}", arguments(&[id]))).collect();
    Error::new(Kind::RestoreFailed, message).hint(format!("show the steps: {}", some(&shows, COMMANDS, "; ")))
}

fn names(targets: &[&Target]) -> String {
    some(&targets.iter().map(|target| target.name()).collect::<Vec<_>>(), NAMES, ", ")
}

/// Returns the first items, and the number of the others.
fn some(items: &[String], most: usize, separator: &str) -> String {
    let shown = items[..items.len().min(most)].join(separator);
    match items.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown}{separator}and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let items = |count: usize| (1..=count).map(|number| number.to_string()).collect::<Vec<_>>();
        assert_eq!(some(&items(0), 3, ", "), "");
        assert_eq!(some(&items(3), 3, ", "), "1, 2, 3");
        assert_eq!(some(&items(15), 3, "; "), "1; 2; 3; and 12 more");
    }
}
