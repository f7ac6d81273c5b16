//! The endpoints of the sandbox (spec, "Endpoints").

use super::request::{ApiRequest, SharedState};
use super::resources::{CONTENT, RESOURCES};
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
pub const PREFIX: &str = "/api/v6";

/// Returns the sandbox as an HTTP service.
pub fn new_router(state: Arc<SharedState>) -> Router {
    let mut endpoints = Router::new()
        .route(
            "/clients",
            post(handler(StatusCode::CREATED, clients::create_client)),
        )
        .route(
            "/clients/delete",
            post(handler(StatusCode::OK, clients::delete_clients)),
        )
        .route(
            "/clients/{id}/update",
            post(handler(StatusCode::OK, clients::update_client)),
        )
        .route(
            "/sites/{site_id}/backups/{snapshot_id}/restore",
            post(handler(StatusCode::CREATED, restores::start_restore)),
        )
        .route(
            "/sites/{site_id}/sync",
            post(handler(StatusCode::CREATED, restores::start_sync)),
        )
        .route(
            "/tasks/{id}/cancel",
            post(handler(StatusCode::OK, restores::cancel_task)),
        );
    for resource in RESOURCES.iter().chain(&CONTENT) {
        let list = handler(StatusCode::OK, |request| {
            list::list_records(request, resource)
        });
        endpoints = endpoints.route(resource.path, get(list));
        if resource.parent.is_none() {
            let path = format!("{}/{{id}}", resource.path);
            let show = handler(StatusCode::OK, |request| {
                list::show_record(request, resource)
            });
            endpoints = endpoints.route(&path, get(show));
        }
    }
    Router::new()
        .nest(PREFIX, endpoints)
        .fallback(async || ApiError::not_found("Path"))
        .method_not_allowed_fallback(async || {
            let message = "The path does not support this method.";
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
        })
        .layer(from_fn_with_state(
            Arc::clone(&state),
            middleware::check_request,
        ))
        .with_state(state)
}

/// Returns a handler whose response has this status, unless the endpoint fails. Endpoints never
/// wait, except for the database, so their result is ready at once.
fn handler(
    status: StatusCode,
    endpoint: impl Fn(&ApiRequest) -> ApiResult + Clone + Send + Sync + 'static,
) -> impl Fn(ApiRequest) -> Ready<Result<Response, ApiError>> + Clone + Send + Sync + 'static {
    move |request| {
        let result = endpoint(&request);
        ready(result.map(|body| response::json_response(status, &body)))
    }
}
