//! A sandbox that listens: the HTTP server.

use super::fault::Faults;
use super::rate_limit::Windows;
use super::request::Server;
use super::{Options, database, router};
use anyhow::Context;
use axum::serve::ListenerExt;
use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

/// A bound sandbox: its database is open and holds data; connections queue until it runs.
pub struct Sandbox {
    listener: TcpListener,
    address: SocketAddr,
    server: Arc<Server>,
}

impl Sandbox {
    /// Opens the database and starts to listen.
    ///
    /// # Errors
    /// If the address can't be bound, or the database can't be opened.
    pub fn bind(options: Options) -> anyhow::Result<Sandbox> {
        let store = database::Store::open(&options.database)?;
        let faults = Mutex::new(Faults::new(options.faults.clone(), options.fault_seed));
        let listener =
            TcpListener::bind(options.listen).with_context(|| format!("can't listen on {}", options.listen))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (port, windows) = (address.port(), Windows::new(options.rate_limit, options.rate_window));
        Ok(Sandbox { listener, address, server: Arc::new(Server { options, port, store, faults, windows }) })
    }

    /// The base URL for clients, as in `http://127.0.0.1:8640/api/v6`.
    pub fn base_url(&self) -> String {
        format!("http://{}{}", self.address, router::PREFIX)
    }

    /// Serves on this thread until Ctrl-C or SIGTERM. Calls `announce` with the base URL once signals are handled.
    ///
    /// # Errors
    /// If the runtime can't be started, or `announce` fails.
    pub fn run(self, announce: impl FnOnce(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let runtime = runtime()?;
        // Inside the runtime, because signal handlers register with it.
        let interrupted = runtime.block_on(async { interrupted() })?;
        announce(&self.base_url())?;
        self.serve(&runtime, interrupted)
    }

    /// Serves on a thread of its own for as long as the process lives.
    ///
    /// # Errors
    /// If the runtime or the thread can't be started.
    pub fn spawn(self) -> anyhow::Result<()> {
        let runtime = runtime()?;
        let serve = move || self.serve(&runtime, std::future::pending());
        std::thread::Builder::new().name("sandbox".to_owned()).spawn(serve)?;
        Ok(())
    }

    fn serve(self, runtime: &tokio::runtime::Runtime, end: impl Future<Output = ()>) -> anyhow::Result<()> {
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            // Responses are small, so waiting for more to send saves nothing.
            let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
            tokio::select! {
                served = async { axum::serve(listener, router::router(self.server)).await } => Ok(served?),
                () = end => Ok(()),
            }
        })
    }
}

/// One thread is enough, because the database is the only work.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// Resolves on Ctrl-C or SIGTERM. Both handlers are registered before it returns.
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
