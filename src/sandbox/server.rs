//! The HTTP server.

use super::fault::FaultSequence;
use super::rate_limit::RateLimiter;
use super::request::SharedState;
use super::{Options, database, router};
use anyhow::Context;
use axum::serve::ListenerExt;
use std::net::TcpListener;
use std::sync::Arc;

/// A sandbox that listens. Connections wait until it serves.
pub struct Sandbox {
    listener: TcpListener,
    state: Arc<SharedState>,
}

impl Sandbox {
    /// Opens the database and starts to listen.
    ///
    /// # Errors
    /// If the address can't be bound, or the database can't be opened.
    pub fn bind(options: Options) -> anyhow::Result<Sandbox> {
        let store = database::Store::open(&options.database)?;
        let listener = TcpListener::bind(options.listen)
            .with_context(|| format!("could not listen on {}", options.listen))?;
        // tokio requires it.
        listener.set_nonblocking(true)?;
        let state = SharedState {
            address: listener.local_addr()?,
            store,
            faults: FaultSequence::new(options.faults.clone(), options.fault_seed),
            rate_limiter: RateLimiter::new(options.rate_limit, options.rate_window),
            options,
        };
        Ok(Sandbox {
            listener,
            state: Arc::new(state),
        })
    }

    /// Returns the base URL, such as `http://127.0.0.1:8640/api/v6`.
    pub fn base_url(&self) -> String {
        format!("http://{}{}", self.state.address, router::PREFIX)
    }

    /// Serves on a new thread until the process ends.
    ///
    /// # Errors
    /// If the runtime or the thread can't be started.
    pub fn spawn(self) -> anyhow::Result<()> {
        // One thread is enough, because the database is the only work.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        std::thread::Builder::new()
            .name("sandbox".to_owned())
            .spawn(move || runtime.block_on(self.serve()))?;
        Ok(())
    }

    /// Serves in this task.
    ///
    /// # Errors
    /// If the server can't be started.
    pub async fn serve(self) -> anyhow::Result<()> {
        // Responses are small, so buffering them only delays them. An error costs only time.
        let listener = tokio::net::TcpListener::from_std(self.listener)?
            .tap_io(|connection| drop(connection.set_nodelay(true)));
        Ok(axum::serve(listener, router::new_router(self.state)).await?)
    }
}
