//! The preview of a plan, and its confirmation.

use super::row::{Row, State};
use crate::client::Consent;
use crate::commands::consent::{Asking, Question};
use crate::commands::context::Context;
use crate::config::Format;
use crate::config::duration::ago;
use crate::error::Result;
use crate::input::Document;
use crate::output;
use crate::resources::Scope;
use crate::terminal::count;
use serde::Serialize;

/// A row of the plan as it is shown.
#[derive(Serialize)]
struct Line<'s> {
    site_id: &'s str,
    snapshot_id: &'s str,
    taken: Option<String>,
    plan: String,
    restores: String,
}

impl<'s> Line<'s> {
    fn of(row: &'s Row) -> Self {
        let plan = match &row.state {
            State::Waiting => "start".into(),
            State::Resumed(entry, _) => format!("started {:.0}", entry.intent.started_at),
            State::Started(_) | State::Failed(_) | State::NotTried(_) => "in the way".into(),
        };
        let (site_id, snapshot_id) = (&*row.order.site_id, &*row.order.snapshot_id);
        Self { site_id, snapshot_id, taken: row.taken_at.map(ago), plan, restores: Scope::describe(&row.order.scope) }
    }
}

/// Shows the plan, and asks for the number of restores. Returns nothing if there is nothing to start.
///
/// # Errors
/// If it is not confirmed.
pub async fn confirm(
    context: &Context,
    asking: &Asking<'_>,
    document: &Document,
    rows: &[Row],
) -> Result<Option<Consent>> {
    let starts = rows.iter().filter(|row| row.is_waiting()).count();
    let asked = asking.asks() && starts > 0;
    if !rows.is_empty() && (asked || (context.settings.format == Format::Table && !context.ui.quiet)) {
        let lines: Vec<Line<'_>> = rows.iter().map(Line::of).collect();
        context.ui.say(output::preview(&lines, &context.ui)?.trim_end());
    }
    let resumed = rows.iter().filter(|row| row.is_resumed()).count();
    if resumed > 0 {
        let resumed = count(resumed, "restore");
        context.ui.announce(&format!("{resumed} of this plan already started: not sent again without --force"));
    }
    if starts == 0 {
        context.ui.note(&format!("nothing to start in {}", document.name));
        return Ok(None);
    }
    if asked {
        let sites = count(starts, "live site");
        context.ui.warn(&format!("this overwrites {sites} on {}", context.service_name()?));
        context.ui.detail("everything that changed there since the snapshots were taken is lost");
    }
    let question = Question::typed(format!("Restore {}", count(starts, "site")), starts.to_string());
    asking.ask(&[question]).await.map(Some)
}
