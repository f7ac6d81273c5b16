//! A sandbox that listens: what all requests share, and the loop that serves them.

use super::deadline::Waits;
use super::fault::{Dice, Fate};
use super::limits::Limiter;
use super::line::{Fuse, Lines};
use super::store::Store;
use super::{Options, routes};
use anyhow::Context;
use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What all requests share.
pub(super) struct Server {
    pub(super) store: Store,
    /// The port that it listens on.
    pub(super) port: u16,
    pub(super) rate_limit: u32,
    pub(super) latency: Duration,
    pub(super) restore_time: Duration,
    pub(super) max_clients: Option<u32>,
    limiter: Mutex<Limiter>,
    dice: Mutex<Dice>,
}

impl Server {
    pub(super) fn roll(&self) -> Fate {
        self.dice.lock().unwrap_or_else(PoisonError::into_inner).roll()
    }

    pub(super) fn limiter(&self) -> MutexGuard<'_, Limiter> {
        self.limiter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A bound sandbox: its database is open and holds data; connections queue until it runs.
pub struct Sandbox {
    listener: TcpListener,
    address: SocketAddr,
    waits: Waits,
    server: Arc<Server>,
}

impl Sandbox {
    /// Opens the database and starts to listen.
    ///
    /// # Errors
    /// Where the address can't be had, the database can't be opened, or the faults add up to more than every request.
    pub fn bind(options: Options) -> anyhow::Result<Sandbox> {
        let store = Store::open(&options.database)?;
        let listener =
            TcpListener::bind(options.listen).with_context(|| format!("can't listen on {}", options.listen))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let server = Server {
            store,
            port: address.port(),
            rate_limit: options.rate_limit,
            latency: options.latency,
            restore_time: options.restore_time,
            max_clients: options.max_clients,
            limiter: Mutex::new(Limiter::new(options.rate_limit, options.rate_window)),
            dice: Mutex::new(Dice::new(options.faults, options.fault_seed)?),
        };
        Ok(Sandbox { listener, address, waits: options.waits, server: Arc::new(server) })
    }

    /// The address for clients, as in `http://127.0.0.1:8640/api/v6`.
    pub fn base_url(&self) -> String {
        format!("http://{}{}", self.address, routes::PREFIX)
    }

    /// Serves on this thread until the process is interrupted or terminated, then returns.
    ///
    /// # Errors
    /// Where no runtime can be had.
    pub fn run(self) -> anyhow::Result<()> {
        self.run_announced(|_| Ok(()))
    }

    /// The same, but says so first: `announce` gets the base URL when a signal already ends it in order.
    ///
    /// # Errors
    /// Where no runtime can be had, or it could not be announced.
    pub fn run_announced(self, announce: impl FnOnce(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let runtime = runtime()?;
        // Within the runtime: signals are its business.
        let end = runtime.block_on(async { interrupted() })?;
        announce(&self.base_url())?;
        let served = self.serve(&runtime, end);
        // Not to wait for who waits for the database: what is not committed is not answered either.
        runtime.shutdown_background();
        served
    }

    /// Serves on a thread of its own for as long as the process lives.
    ///
    /// # Errors
    /// Where no runtime or thread can be had.
    pub fn spawn(self) -> anyhow::Result<()> {
        let runtime = runtime()?;
        let serve = move || self.serve(&runtime, std::future::pending());
        std::thread::Builder::new().name("sandbox".to_owned()).spawn(serve)?;
        Ok(())
    }

    fn serve(self, runtime: &tokio::runtime::Runtime, end: impl Future<Output = ()>) -> anyhow::Result<()> {
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let lines = Lines { listener, waits: self.waits };
            let service = routes::router(self.server).into_make_service_with_connect_info::<Fuse>();
            tokio::select! {
                served = async { axum::serve(lines, service).await } => Ok(served?),
                () = end => Ok(()),
            }
        })
    }
}

/// One thread is enough: the database is the only work, and it is quick; who waits to write does so on another.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// Resolves on Ctrl-C or SIGTERM. Registers both at once, so that no signal is missed afterwards.
#[cfg(unix)]
fn interrupted() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Resolves on Ctrl-C.
#[cfg(not(unix))]
fn interrupted() -> std::io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        let _ = interrupt.recv().await;
    })
}
