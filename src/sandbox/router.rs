//! The endpoints of the sandbox (spec, "Endpoints").

use super::request::{ApiRequest, Server};
use super::resources::RESOURCES;
use super::response::{self, ApiError, ApiResult};
use super::{clients, list, middleware, restores};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use std::future::{Ready, ready};
use std::sync::Arc;

/// The prefix of all paths (spec, "Versioning").
pub(super) const PREFIX: &str = "/api/v6";

/// Returns the sandbox as an HTTP service.
pub(super) fn router(server: Arc<Server>) -> Router {
    let mut endpoints = Router::new()
        .route(
            "/clients",
            post(respond(StatusCode::CREATED, clients::create)),
        )
        .route(
            "/clients/delete",
            post(respond(StatusCode::OK, clients::delete)),
        )
        .route(
            "/clients/{id}/update",
            post(respond(StatusCode::OK, clients::update)),
        )
        .route(
            "/sites/{site_id}/backups/{snapshot_id}/restore",
            post(respond(StatusCode::CREATED, restores::start)),
        )
        .route(
            "/tasks/{id}",
            get(respond(StatusCode::OK, restores::show_task)),
        );
    for resource in RESOURCES {
        let list = respond(StatusCode::OK, |request| list::list(request, resource));
        endpoints = endpoints.route(resource.path, get(list));
        if resource.shown {
            let show = respond(StatusCode::OK, |request| list::show(request, resource));
            endpoints = endpoints.route(&format!("{}/{{id}}", resource.path), get(show));
        }
    }
    Router::new()
        .nest(PREFIX, endpoints)
        .fallback(async || ApiError::not_found("Path"))
        .method_not_allowed_fallback(async || {
            let message = "The path does not support this method.";
            ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                message,
            )
        })
        .layer(from_fn_with_state(Arc::clone(&server), middleware::gate))
        .with_state(server)
}

/// Returns a handler whose response has this status, unless the endpoint fails.
fn respond(
    status: StatusCode,
    endpoint: impl Fn(&ApiRequest) -> ApiResult + Clone + Send + Sync + 'static,
) -> impl Fn(ApiRequest) -> Ready<Result<Response, ApiError>> + Clone + Send + Sync + 'static {
    move |request| ready(endpoint(&request).map(|body| response::json(status, &body)))
}
