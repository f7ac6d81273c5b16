//! The methods that may change something: each takes consent, and is sent again only where it was surely not processed.

use super::call::Call;
use super::shown;
use super::wrong;
use crate::client::Changing;
use crate::commands::consent::{Asking, Question};
use crate::commands::context::{Context, Heads};
use crate::error::{Error, Kind, Result};

pub async fn run(context: &Context, heads: Heads, asking: &Asking<'_>, call: &Call, changing: Changing) -> Result<()> {
    let question = format!("Send {} {}", call.method.name(), call.place.target());
    asking.require_person(&question)?;
    let api = context.api_showing(heads)?;
    wrong::refuse_token(&api, call)?;
    let consent = asking.ask(&[Question::new(question)]).await?;
    let found = api.change_by_hand(&consent, changing, &call.place, call.body.clone(), &call.wanted).await?;
    shown::print(context, found, &call.wanted).await.map(drop).map_err(made)
}

/// What went wrong after the change was made, which is no reason to send it again: neither the message nor the kind may
/// say so, and what would help with the output alone would send it again.
fn made(error: Error) -> Error {
    match error.kind {
        Kind::OutputClosed | Kind::Interrupted => error,
        _ => error
            .after("the request was answered with success, but ")
            .kind(Kind::Error)
            .hint("do not send it again for what it prints: a GET shows what there is now"),
    }
}

/// A restore that is started by hand is one that the journal does not know, which guards against a second.
pub fn warn_of_restore(context: &Context, call: &Call) {
    let segments = call.place.segments();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    if let ["sites", site, "backups", snapshot, "restore"] = segments[..]
        && !call.method.reads()
    {
        let ids = crate::terminal::arguments(&[site, snapshot]);
        context.ui.warn(&format!(
            "a restore by hand is not in the journal, and nothing keeps it from being started twice; {} restore start {ids} \
             keeps it there and watches it",
            context.program()
        ));
    }
}
