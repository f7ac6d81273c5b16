//! The sandbox: a local mock of the site-management service, over SQLite.
//!
//! It shares no code with the client, because two independent implementations that agree prove
//! more. Start reading at `router.rs`, which lists the endpoints.

mod account;
mod clients;
mod database;
mod fault;
mod filter;
mod list;
mod middleware;
mod rate_limit;
mod request;
mod resource;
mod resources;
mod response;
mod restores;
mod router;
mod seed;
mod server;
mod tasks;
mod time;

pub use database::{MEMORY, reset};
pub use fault::Fault;
pub use server::Sandbox;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// The token of the first account, which owns the first data.
pub const TOKEN: &str = "sandbox-token";

/// The default address of `sandbox serve`.
pub const DEFAULT_ADDRESS: &str = "127.0.0.1:8640";

/// Returns the base URL of a sandbox at the default address.
pub fn default_base_url() -> String {
    format!("http://{DEFAULT_ADDRESS}{}", router::PREFIX)
}

/// The options of a sandbox. By default, the database is in memory, and the port is a free one.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address to listen on; port 0 selects a free port.
    pub listen: SocketAddr,
    /// The file, which several processes can share, or `MEMORY`.
    pub database: PathBuf,
    /// Requests allowed per account and window (spec, "Limits": 200).
    pub rate_limit: u32,
    /// Length of the window (spec, "Limits": a minute).
    pub rate_window: Duration,
    /// Delay before each request is processed.
    pub latency: Duration,
    /// Duration of a restore.
    pub restore_time: Duration,
    /// Maximum number of clients per account (`max_quota`); `None` for no limit.
    pub max_clients: Option<u32>,
    /// Maximum number of records per page. The default number is never larger.
    pub max_per_page: u32,
    /// Simulated faults, each for a share of the requests.
    pub faults: Vec<Fault>,
    /// Makes the sequence of faults the same every time; `None` for a random sequence.
    pub fault_seed: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            database: PathBuf::from(MEMORY),
            rate_limit: 200,
            rate_window: Duration::from_secs(60),
            latency: Duration::ZERO,
            restore_time: Duration::from_secs(5),
            max_clients: None,
            max_per_page: 100,
            faults: Vec::new(),
            fault_seed: None,
        }
    }
}
