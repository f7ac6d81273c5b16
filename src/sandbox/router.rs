//! The endpoints of the sandbox (spec, "Endpoints").

use super::request::{ApiRequest, Server};
use super::resources::RESOURCES;
use super::response::{ApiError, ApiResult};
use super::{clients, list, middleware, restores};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use std::sync::Arc;

/// The prefix of all paths (spec, "Versioning").
pub(super) const PREFIX: &str = "/api/v6";

/// Returns the sandbox as an HTTP service.
pub(super) fn router(server: Arc<Server>) -> Router {
    let mut endpoints = Router::new()
        .route("/clients", change(clients::create))
        .route("/clients/delete", change(clients::delete))
        .route("/clients/{id}/update", change(clients::update))
        .route("/sites/{site_id}/backups/{snapshot_id}/restore", change(restores::start))
        .route("/tasks/{id}", get(async |request: ApiRequest| restores::show_task(&request)));
    for resource in RESOURCES {
        endpoints = endpoints
            .route(resource.path, get(move |request: ApiRequest| async move { list::list(&request, resource) }));
        if resource.shown {
            let path = format!("{}/{{id}}", resource.path);
            endpoints =
                endpoints.route(&path, get(move |request: ApiRequest| async move { list::show(&request, resource) }));
        }
    }
    Router::new()
        .nest(PREFIX, endpoints)
        .fallback(async || ApiError::not_found("Path"))
        .method_not_allowed_fallback(async || {
            let message = "The path does not support this method.";
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
        })
        .layer(from_fn_with_state(Arc::clone(&server), middleware::gate))
        .with_state(server)
}

fn change(endpoint: fn(&ApiRequest) -> ApiResult) -> MethodRouter<Arc<Server>> {
    post(move |request: ApiRequest| async move { endpoint(&request) })
}
