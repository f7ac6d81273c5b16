//! Every endpoint of the sandbox, on one page (spec, "Endpoints").

use super::answer::{Answered, Refusal};
use super::call::Call;
use super::server::Server;
use super::{clients, gate, managed_accounts, openapi, restore, sites, snapshots, tasks};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use std::sync::Arc;

/// The path segments that every address begins with (spec, "Versioning").
pub(super) const PREFIX: &str = "/api/v6";

/// The sandbox as a service.
pub(super) fn router(server: Arc<Server>) -> Router {
    let endpoints = Router::new()
        .route("/clients", reads(clients::list).merge(acts(clients::create)))
        .route("/clients/delete", acts(clients::delete))
        .route("/clients/{client_id}", reads(clients::show))
        .route("/clients/{client_id}/update", acts(clients::update))
        .route("/managed-accounts", reads(managed_accounts::list))
        .route("/managed-accounts/{managed_account_id}", reads(managed_accounts::show))
        .route("/sites", reads(sites::list))
        .route("/sites/{site_id}/snapshots", reads(snapshots::list))
        .route("/sites/{site_id}/backups/{snapshot_id}/restore", acts(restore::start))
        .route("/tasks", reads(tasks::list))
        .route("/tasks/{task_id}", reads(tasks::show));
    Router::new()
        .nest(PREFIX, endpoints)
        .fallback(async || Refusal::not_found("Path"))
        .method_not_allowed_fallback(async || method_not_allowed())
        .layer(from_fn_with_state(Arc::clone(&server), gate::pass))
        // The description is public, as are the docs of any service.
        .route("/api/v6/openapi.json", get(openapi::show).fallback(async || method_not_allowed()))
        .layer(from_fn_with_state(Arc::clone(&server), gate::refuse_web_pages))
        .with_state(server)
}

/// An endpoint of GET. Endpoints are plain functions: all that is asynchronous happens at the gate.
fn reads(endpoint: fn(&Call) -> Answered) -> MethodRouter<Arc<Server>> {
    get(move |call: Call| async move { endpoint(&call) })
}

/// An endpoint of POST. It may have to wait for other writers, so it does not keep the server's thread.
fn acts(endpoint: fn(&Call) -> Answered) -> MethodRouter<Arc<Server>> {
    post(move |call: Call| async move {
        let done = tokio::task::spawn_blocking(move || endpoint(&call)).await;
        done.unwrap_or_else(|_| Err(Refusal::internal("The sandbox gave up on the request.")))
    })
}

fn method_not_allowed() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "The path does not support this method.")
}
