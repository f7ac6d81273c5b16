//! What became of the tasks that were followed, on stdout and as an exit code.

use super::follow::FollowArgs;
use super::followed::{End, Followed, Report};
use super::target::{Target, resume};
use crate::commands::context::Context;
use crate::config::Format;
use crate::config::duration::describe;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::terminal::arguments;

/// So many names are read; the rest is counted.
const NAMES: usize = 8;
/// So many commands are worth showing.
const COMMANDS: usize = 3;

/// Prints what became of the tasks.
///
/// # Errors
/// `RestoreFailed`, `TimedOut`, `UnknownOutcome` by how they ended.
pub fn conclude(context: &Context, args: &FollowArgs, followed: &[Followed]) -> Result<()> {
    let printed = print(context, followed);
    // How the tasks ended is said also where stdout does not take it.
    verdict(context, args, followed).and(printed)
}

fn print(context: &Context, followed: &[Followed]) -> Result<()> {
    if context.settings.format == Format::Ndjson {
        return Ok(());
    }
    let reports: Vec<Report<'_>> = followed.iter().map(Followed::report).collect();
    let ids: Vec<String> = followed.iter().filter_map(|one| one.target.task_id.clone()).collect();
    output::result(&reports, &ids, context.shape())
}

/// What the exit code says: any that failed, else any that timed out, else any that is unknown.
fn verdict(context: &Context, args: &FollowArgs, followed: &[Followed]) -> Result<()> {
    let those =
        |end: End| -> Vec<&Target> { followed.iter().filter(|one| one.end == end).map(|one| &one.target).collect() };
    let (failed, timed_out, unknown) = (those(End::Failed), those(End::TimedOut), those(End::Unknown));
    let unseen = followed.iter().filter(|one| one.end == End::TimedOut && !one.was_seen());
    let unseen: Vec<&Target> = unseen.map(|one| &one.target).collect();
    let refused_all = followed.iter().all(|one| one.trouble() == Some(Kind::Auth));
    let never_seen = followed.iter().all(|one| !one.was_seen());
    match () {
        () if !failed.is_empty() => Err(failure(context, &failed)),
        () if !timed_out.is_empty() => {
            let error = time_is_up(context, args, &timed_out, &unseen);
            Err(if refused_all && never_seen { not_let_in(context, error) } else { error })
        }
        () if !unknown.is_empty() && refused_all => Err(refusal(context, &unknown)),
        () if !unknown.is_empty() => {
            let message = format!("it is not known what became of: {}", names(&unknown));
            let hint = "look at the site itself; another restore of it wants --force";
            Err(Error::new(Kind::UnknownOutcome, message).hint(hint))
        }
        () => Ok(()),
    }
}

fn failure(context: &Context, failed: &[&Target]) -> Error {
    let message = format!("the restore failed: {}", names(failed));
    let program = context.program();
    let shows = failed.iter().filter_map(|target| target.task_id.as_ref());
    let shows: Vec<String> = shows.map(|id| format!("{program} tasks show {}", arguments(&[id]))).collect();
    Error::new(Kind::RestoreFailed, message).hint(format!("see its steps with: {}", some(&shows, COMMANDS, "; ")))
}

/// Of what was never seen, nobody can say that it goes on.
fn time_is_up(context: &Context, args: &FollowArgs, timed_out: &[&Target], unseen: &[&Target]) -> Error {
    let within = describe(args.timeout);
    let message = match (timed_out.len() - unseen.len(), timed_out.len()) {
        (0, _) => format!("nothing was heard within {within} of: {}", names(timed_out)),
        (1, 1) => format!("not finished within {within}: {}; it goes on", names(timed_out)),
        (seen, all) if seen == all => format!("not finished within {within}: {}; they go on", names(timed_out)),
        _ => format!("not finished within {within}: {}; nothing was heard of: {}", names(timed_out), names(unseen)),
    };
    Error::new(Kind::TimedOut, message).hint(format!("go on watching with: {}", resume(context, timed_out)))
}

/// Nothing was heard since the service says no.
fn not_let_in(context: &Context, error: Error) -> Error {
    let cause = format!("{}; the service does not accept the token (401, 403)", error.message);
    let go_on = error.hint.as_deref().unwrap_or_default().to_string();
    Error::new(error.kind, cause).hint(format!("see: {} auth status; then {go_on}", context.program()))
}

fn refusal(context: &Context, unknown: &[&Target]) -> Error {
    let resume = resume(context, unknown);
    Error::new(Kind::Auth, "the service does not accept the token (401, 403)")
        .hint(format!("check SITECTL_TOKEN or the profile's token; what was started goes on, watch it with: {resume}"))
}

fn names(targets: &[&Target]) -> String {
    some(&targets.iter().map(|target| target.name()).collect::<Vec<_>>(), NAMES, ", ")
}

/// The first of these, and how many more there are.
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
