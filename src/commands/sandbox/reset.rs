//! `sitectl sandbox reset`.

#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args) -> anyhow::Result<()> {
    anyhow::bail!("the sandbox has no rooms yet")
}
