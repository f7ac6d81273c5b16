//! `sitectl sandbox serve`.

use crate::commands::context::Context;
use crate::commands::embedded_sandbox::sandbox_error;
use crate::commands::{MANY, up_to};
use crate::config::{duration, positive_duration};
use crate::error::Result;
use crate::output;
use crate::sandbox::{DEFAULT_ADDRESS, Fault, Options, Sandbox, TOKEN};
use crate::signal::wait_for_signal;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

/// Serve the sandbox over HTTP until interrupted.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Listen on this loopback address; port 0 selects a free port
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = DEFAULT_ADDRESS,
        value_parser = listen_address,
    )]
    listen: SocketAddr,
    /// Store data in this file or :memory: [default: in the state directory]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Set the number of requests per window and account
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = up_to::<u32>(MANY))]
    rate_limit: u32,
    /// Set the length of the rate-limit window
    #[arg(long, value_name = "DUR", default_value = "60s", value_parser = positive_duration)]
    rate_window: Duration,
    /// Delay each response
    #[arg(long, value_name = "DUR", default_value = "0s", value_parser = duration::parse)]
    latency: Duration,
    /// Set the duration of a restore
    #[arg(long, value_name = "DUR", default_value = "5s", value_parser = duration::parse)]
    restore_time: Duration,
    /// Limit the number of clients per account [default: no limit]
    #[arg(long, value_name = "N")]
    max_clients: Option<u32>,
    /// Limit the number of records per page
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = up_to::<u32>(MANY))]
    max_per_page: u32,
    /// Make a share of requests fail or wait, such as 500:0.1; repeatable
    #[arg(long, value_name = "KIND:SHARE")]
    fault: Vec<Fault>,
    /// Repeat the same sequence of faults for the same number
    #[arg(long, value_name = "N")]
    fault_seed: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  sitectl sandbox serve
  sitectl sandbox serve --listen 127.0.0.1:0 --db :memory: \\
    --restore-time 30s
  sitectl sandbox serve --latency 200ms \\
    --fault 500:0.1 --fault drop:0.05 --fault-seed 7

Faults are KIND:SHARE, with a share from 0 to 1:
  500, 502, 503, 429   return this status without processing the request
  drop-before          close the connection without processing the request
  drop-after           process the request, then close the connection
  drop                 drop-before or drop-after, at random
  truncate             send half of the response
  slow                 delay the response by two seconds
  html                 return an HTML page, like a broken proxy

The command prints two lines. Run them in a POSIX shell to use the sandbox there.";

/// Serves until Ctrl-C. Stdout contains only the two lines that set up a shell.
pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let database = match &args.db {
        Some(path) => path.clone(),
        None => context.env.sandbox_database()?,
    };
    let options = Options {
        listen: args.listen,
        database,
        rate_limit: args.rate_limit,
        rate_window: args.rate_window,
        latency: args.latency,
        restore_time: args.restore_time,
        max_clients: args.max_clients,
        max_per_page: args.max_per_page,
        faults: args.fault.clone(),
        fault_seed: args.fault_seed,
    };
    let sandbox = Sandbox::bind(options).map_err(|error| {
        sandbox_error("serve", &error).with_hint(
            "use a free port or another file: sitectl sandbox serve --listen 127.0.0.1:0 --db FILE",
        )
    })?;
    let lines = format!(
        "export SITECTL_BASE_URL={}\nexport SITECTL_TOKEN={TOKEN}\n",
        sandbox.base_url()
    );
    output::write_stdout(&lines)?;
    tokio::select! {
        served = sandbox.serve() => served.map_err(|error| sandbox_error("serve", &error)),
        () = wait_for_signal() => Ok(()),
    }
}

/// Parses a loopback address with a port. No other machine may reach the sandbox, because its
/// tokens are public.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let addresses = text
        .to_socket_addrs()
        .map_err(|error| format!("{error}; expected HOST:PORT, such as 127.0.0.1:0"))?;
    addresses
        .filter(|address| address.ip().is_loopback())
        .min_by_key(|address| address.is_ipv6())
        .ok_or_else(|| "expected a loopback address, such as 127.0.0.1:0".to_owned())
}
