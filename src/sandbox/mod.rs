//! The sandbox: a faithful local implementation of the site-management service over SQLite.
//!
//! It shares nothing with the client: its reading of the interface specification is its own, so that a
//! test of one against the other proves something. Start at `routes.rs`: it lists every endpoint.

mod accounts;
mod answer;
mod body;
mod call;
mod clients;
mod clock;
mod deadline;
mod fault;
mod filter;
mod format;
mod framing;
mod gate;
mod instant;
mod limits;
mod line;
mod list;
mod managed_accounts;
mod openapi;
mod page;
mod query;
mod resource;
mod restore;
mod routes;
mod seed;
mod server;
mod sites;
mod snapshots;
mod store;
mod tasks;
mod totals;

pub use deadline::Waits;
pub use fault::Fault;
pub use server::Sandbox;
pub use store::{Database, reset};

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// The token of the first account, the one that owns the first data.
pub const TOKEN: &str = "sandbox-token";

/// Where a sandbox listens that is served by itself, unless told otherwise.
pub const USUAL_ADDRESS: &str = "127.0.0.1:8640";

/// The address of such a sandbox for clients.
pub fn usual_base_url() -> String {
    format!("http://{USUAL_ADDRESS}{}", routes::PREFIX)
}

/// How a sandbox is served; the default is a quiet one in memory on a free port of this machine.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where the data lives.
    pub database: Database,
    /// Requests allowed per account and window (spec, "Limits": 200).
    pub rate_limit: u32,
    /// Length of the window (spec, "Limits": a minute).
    pub rate_window: Duration,
    /// How long a connection may keep the sandbox waiting.
    pub waits: Waits,
    /// Wait before each request is looked at.
    pub latency: Duration,
    /// How long a restore takes from its start to its end.
    pub restore_time: Duration,
    /// Most clients that an account may have before `max_quota`; `None` for no limit.
    pub max_clients: Option<u32>,
    /// Faults to practise with, each for a share of the requests.
    pub faults: Vec<Fault>,
    /// Makes the sequence of faults the same every time.
    pub fault_seed: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            database: Database::Memory,
            rate_limit: 200,
            rate_window: Duration::from_secs(60),
            waits: Waits::default(),
            latency: Duration::ZERO,
            restore_time: Duration::from_secs(5),
            max_clients: None,
            faults: Vec::new(),
            fault_seed: None,
        }
    }
}
