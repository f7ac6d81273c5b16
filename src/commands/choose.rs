//! Prompts for a record whose id was not specified.

use crate::commands::context::Context;
use crate::error::{Error, Hint, Kind, Result};
use crate::resources::{Record, Resource};
use crate::terminal::with_first_letter;

/// Fails if the user can't be prompted for a record. Commands check this before any request.
///
/// # Errors
/// `Usage` without a terminal or with `--no-input`.
pub fn require_prompt(context: &Context, resource: &Resource) -> Result<()> {
    if context.ui.may_choose() {
        return Ok(());
    }
    let argument = resource.id_parameter().to_uppercase();
    let purpose = format!("list the {}", resource.plural);
    let list = format!("{} list", resource.command_name());
    Err(Error::usage(format!(
        "{argument} is required when not running interactively"
    ))
    .with_hint(Hint::command(purpose, list)))
}

/// Prompts for a record with a menu, and returns its id. `columns` returns the menu row of a
/// record.
///
/// # Errors
/// `NotFound` if there are no records; `Interrupted` if the user cancels.
pub async fn choose_record(
    context: &Context,
    resource: &Resource,
    records: &[Record],
    columns: impl Fn(&Record) -> Vec<Option<String>>,
) -> Result<String> {
    if records.is_empty() {
        let message = format!("the account has no {}", resource.plural);
        let hint = Hint::command("check the account", "auth status");
        return Err(Error::new(Kind::NotFound, message).with_hint(hint));
    }
    let mut menu: Vec<Vec<String>> = Vec::new();
    for record in records {
        let cells = columns(record).into_iter();
        menu.push(cells.map(Option::unwrap_or_default).collect());
    }
    let prompt = with_first_letter(resource.singular, str::to_uppercase);
    let index = context.ui.choose(&prompt, &menu, 0).await?;
    Ok(records[index].id().unwrap_or_default())
}
