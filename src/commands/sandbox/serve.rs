//! `sitectl sandbox serve`

use super::duration;
use crate::sandbox::{Database, Fault, Options, Sandbox, TOKEN};
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Serve the sandbox over HTTP until interrupted.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Listen on this address; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8640")]
    listen: SocketAddr,
    /// Keep the data in this file, or nowhere with `:memory:` [default: in the state directory]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Allow each account this many requests per window
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    rate_limit: u32,
    /// Make the window of the rate limit this long
    #[arg(long, value_name = "DUR", default_value = "60s", value_parser = positive)]
    rate_window: Duration,
    /// Wait this long before each request is looked at
    #[arg(long, value_name = "DUR", default_value = "0s", value_parser = duration::parse)]
    latency: Duration,
    /// Let a restore take this long
    #[arg(long, value_name = "DUR", default_value = "5s", value_parser = duration::parse)]
    restore_time: Duration,
    /// Refuse to create more clients than this per account (`max_quota`) [default: no limit]
    #[arg(long, value_name = "N")]
    max_clients: Option<u32>,
    /// Make a share of the requests go wrong, as in `500:0.1`; may be repeated
    ///
    /// KIND is 500, 502, 503 or 429 (that status, nothing is done), drop-before, drop-after or drop (the
    /// connection closes before the request is done, after it, or half and half), truncate (the answer breaks
    /// off), slow (the answer comes two seconds late) or html (a page as a broken proxy sends it). SHARE is
    /// a number from 0 to 1.
    #[arg(long, value_name = "KIND:SHARE")]
    fault: Vec<Fault>,
    /// Make the sequence of faults the same every time
    #[arg(long, value_name = "N")]
    fault_seed: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  sitectl sandbox serve
  sitectl sandbox serve --listen 127.0.0.1:0 --db :memory: --restore-time 30s
  sitectl sandbox serve --fault 500:0.1 --fault drop:0.05 --fault-seed 7 --latency 200ms

Run the two lines that it prints in another shell, and every command there talks to it.";

/// Serves until interrupted. Standard output carries the two lines that set up a shell, and nothing else.
pub(super) fn run(args: &Args, default_db: &Path) -> anyhow::Result<()> {
    let sandbox =
        Sandbox::bind(args.options(default_db)).map_err(|error| with_hint(error, args.listen))?;
    if !args.listen.ip().is_loopback() {
        let address = args.listen.ip();
        let warning = "warning: other machines can reach this sandbox, and its tokens are public";
        writeln!(std::io::stderr(), "{warning} (listening on {address})")?;
    }
    sandbox.run_announced(|base_url| {
        let mut stdout = std::io::stdout().lock();
        writeln!(
            stdout,
            "export SITECTL_BASE_URL={base_url}\nexport SITECTL_TOKEN={TOKEN}"
        )?;
        Ok(stdout.flush()?)
    })
}

impl Args {
    fn options(&self, default_db: &Path) -> Options {
        Options {
            listen: self.listen,
            database: match &self.db {
                Some(path) if path.as_os_str() == ":memory:" => Database::Memory,
                Some(path) => Database::File(path.clone()),
                None => Database::File(default_db.to_owned()),
            },
            rate_limit: self.rate_limit,
            rate_window: self.rate_window,
            latency: self.latency,
            restore_time: self.restore_time,
            max_clients: self.max_clients,
            faults: self.fault.clone(),
            fault_seed: self.fault_seed,
        }
    }
}

fn with_hint(error: anyhow::Error, listen: SocketAddr) -> anyhow::Error {
    let taken = error
        .root_cause()
        .downcast_ref::<std::io::Error>()
        .is_some_and(|io| io.kind() == std::io::ErrorKind::AddrInUse);
    if !taken {
        return error;
    }
    let ip = SocketAddr::new(listen.ip(), 0);
    anyhow::anyhow!(
        "can't listen on {listen}: the port is in use, perhaps by another sandbox; --listen {ip} takes a free one"
    )
}

fn positive(text: &str) -> Result<Duration, String> {
    duration::parse(text).and_then(|time| {
        if time.is_zero() {
            Err("must be longer than nothing".to_owned())
        } else {
            Ok(time)
        }
    })
}
