//! The sandbox inside the process, for `--sandbox`.

use crate::config::{BaseUrl, Secret};
use crate::error::{Error, Kind, Result};
use crate::sandbox::{Options, Sandbox, TOKEN};
use crate::shell::set_variable;
use std::path::PathBuf;

/// Starts the sandbox on a free port, and returns its base URL and token.
pub fn start(database: PathBuf) -> Result<(BaseUrl, Secret)> {
    let options = Options {
        database,
        ..Options::default()
    };
    let base_url = spawn_sandbox(options).map_err(|error| sandbox_error("start", &error))?;
    let token = Secret::new(TOKEN, "the sandbox")?;
    Ok((BaseUrl::parse(&base_url, "the sandbox")?, token))
}

fn spawn_sandbox(options: Options) -> anyhow::Result<String> {
    let sandbox = Sandbox::bind(options)?;
    let base_url = sandbox.base_url();
    sandbox.spawn()?;
    Ok(base_url)
}

/// Creates an error of the sandbox itself.
pub fn sandbox_error(operation: &str, error: &anyhow::Error) -> Error {
    let message = format!("could not {operation} the sandbox: {error:#}");
    Error::new(Kind::Error, message).with_hint(format!(
        "use another state directory: {}",
        set_variable("SITECTL_STATE_DIR", "DIR")
    ))
}
