//! `sitectl clients`.

mod apply;
mod changes;
mod client_input;
mod columns;
mod compare;
mod create;
mod delete;
mod moving;
mod plan;
mod show;
mod site_args;
mod site_lock;
mod update;

use crate::commands::choose::require_prompt;
use crate::commands::context::Context;
use crate::commands::find_clients;
use crate::commands::list::{self, ListArgs};
use crate::config::NameOf;
use crate::error::Result;
use crate::resources::{CLIENTS, Clients};

pub const EXAMPLES: &str = "\
Examples:
  sitectl clients list --search smith
  sitectl clients show client-0001
  sitectl clients update client-0001 --add-site site-0036
  sitectl clients list -o csv | sitectl clients apply - --dry-run";

const SHOW_EXAMPLES: &str = "\
Examples:
  sitectl clients show client-0001
  sitectl clients show client-0001 --json

The email must match completely, in any letter case.";

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Apply(apply::Args),
    #[command(alias = "add")]
    Create(create::Args),
    #[command(visible_alias = "rm", alias = "remove")]
    Delete(delete::Args),
    #[command(visible_alias = "ls")]
    List(ListArgs<Clients>),
    /// Show a client
    #[command(visible_alias = "get", after_help = SHOW_EXAMPLES)]
    Show {
        /// Id or email of the client; omit for a menu
        #[arg(value_name = "CLIENT_ID|EMAIL")]
        client: Option<NameOf<Clients>>,
    },
    #[command(alias = "edit")]
    Update(update::Args),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        let output = context.output();
        // A wrong name in `--fields` is an error before the change, not after it.
        if matches!(self, Self::Create(_)) {
            output.check_fields(&CLIENTS, &[])?;
        }
        match self {
            Self::Apply(args) => apply::run(context, args).await,
            Self::Create(args) => create::run(context, args).await,
            Self::Delete(args) => delete::run(context, args).await,
            Self::List(args) => list::run(context, args).await,
            Self::Show { client } => {
                if client.is_none() {
                    require_prompt(context, &CLIENTS)?;
                }
                let api = context.api().await?;
                let id_or_email =
                    find_clients::client_or_choice(context, &api, client.as_deref()).await?;
                let client = find_clients::find_client(&api, &id_or_email).await?;
                // A field that only this record has is allowed, too.
                output.check_fields(&CLIENTS, std::slice::from_ref(&client))?;
                output.print_record(&client)
            }
            Self::Update(args) => update::run(context, args).await,
        }
    }
}
