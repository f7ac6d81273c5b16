//! The plan for a person to read, and the one question about it.

use super::{Standing, Step};
use crate::config::Format;
use crate::consent::{Asking, Consent, Question};
use crate::context::Context;
use crate::duration::ago;
use crate::error::Result;
use crate::input::Document;
use crate::output;
use crate::ui::count;
use serde::Serialize;

/// A row of the plan as it is shown.
#[derive(Serialize)]
struct Line<'s> {
    site_id: &'s str,
    snapshot_id: &'s str,
    taken: Option<String>,
    plan: String,
    restores: &'s str,
}

impl<'s> Line<'s> {
    fn of(step: &'s Step) -> Self {
        let plan = match &step.standing {
            Standing::Start => "start".into(),
            Standing::Started(entry) => format!("started {:.0}", entry.intent.started_at),
            Standing::Blocked(_) => "in the way".into(),
        };
        let (site_id, snapshot_id) = (&*step.order.site_id, &*step.order.snapshot_id);
        Self { site_id, snapshot_id, taken: step.taken_at.map(ago), plan, restores: &step.what }
    }
}

/// Shows the plan, and asks for the number of restores. Nothing comes of it where there is nothing to start.
///
/// # Errors
/// Where it is not confirmed.
pub async fn confirm(
    context: &Context,
    asking: &Asking<'_>,
    document: &Document,
    steps: &[Step],
) -> Result<Option<Consent>> {
    let starts = steps.iter().filter(|step| matches!(step.standing, Standing::Start)).count();
    let asked = asking.asks() && starts > 0;
    if !steps.is_empty() && (asked || (context.settings.format == Format::Table && !context.ui.quiet)) {
        let lines: Vec<Line<'_>> = steps.iter().map(Line::of).collect();
        context.ui.say(output::preview(&lines, &context.ui)?.trim_end());
    }
    tell_started(context, steps);
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

/// What is left out is said, also where nobody reads the table.
fn tell_started(context: &Context, steps: &[Step]) {
    let started = steps.iter().filter(|step| matches!(step.standing, Standing::Started(_))).count();
    if started > 0 {
        let rows = count(started, "restore");
        context.ui.announce(&format!("{rows} of this plan started before: not started again without --force"));
    }
}
