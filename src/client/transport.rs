//! Sends requests: rate limit, retries, and reports. All HTTP traffic passes here.

use super::body;
use super::failure;
use super::http::{Connection, Connections, FailedAttempt, client, failed_attempt};
use super::observer::Exchange;
use super::rate_limit::{Admission, RateLimit, Reported, named_wait};
use super::redact;
use super::request::{Effect, Request};
use super::retry::{Failure, Failures};
use crate::error::{Error, Kind, Result};
use crate::signal::{is_stopped, stopped};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, StatusCode};
use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore};

/// Whether this process has sent a change.
static CHANGE_SENT: AtomicBool = AtomicBool::new(false);

/// Whether this process has sent a change.
pub fn change_was_sent() -> bool {
    CHANGE_SENT.load(Ordering::Relaxed)
}

/// Why requests wait if the rate limit is used up.
const RATE_LIMIT: &str = "rate limit reached";

/// The only way to the service.
pub struct Transport {
    reads: Client,
    /// Created for the first change, because most commands make none.
    changes: OnceCell<Client>,
    pub(super) to: Connection,
    authorization: HeaderValue,
    large_bodies: Semaphore,
    pub(super) rate_limit: RefCell<RateLimit>,
    /// Notified when a request ends.
    ended: Notify,
}

/// A response.
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// A request in flight, until it is dropped.
struct InFlight<'t> {
    transport: &'t Transport,
    reported: Option<Reported>,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.transport.rate_limit.borrow_mut().finish(self.reported, Instant::now());
        self.transport.ended.notify_waiters();
    }
}

/// A failed attempt: the reason, the error, and the wait that the service requests.
struct Failed {
    failure: Failure,
    error: Error,
    wait: Option<Duration>,
}

impl Transport {
    /// Prepares HTTP clients, and sends nothing.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(to: Connection) -> Result<Self> {
        let broken = |error: &dyn std::fmt::Display| {
            Error::new(Kind::Error, format!("could not set up HTTPS: {error}"))
                .hint("specify a file of trusted certificates: sitectl clients list --ca-cert FILE")
        };
        // An error means that the provider is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        body::keep_freed_memory();
        let reads = client(&to, Connections::Kept).map_err(|error| broken(&error))?;
        let mut authorization =
            HeaderValue::from_str(&format!("Bearer {}", to.token.expose())).map_err(|error| broken(&error))?;
        authorization.set_sensitive(true);
        let (rate_limit, ended) = (RefCell::default(), Notify::new());
        Ok(Self { reads, changes: OnceCell::new(), to, authorization, large_bodies: body::turns(), rate_limit, ended })
    }

    /// Sends the request and reads the response with `decode`, which reports a missing part of the response.
    ///
    /// # Errors
    /// As the spec's error table; `UnknownOutcome` if a change may have been made; `Interrupted` on Ctrl-C during a change.
    pub async fn call<T>(&self, request: &Request, decode: impl AsyncFn(Response) -> Result<T, String>) -> Result<T> {
        let is_out = Cell::new(false);
        let response = self.send_with_retries(request, decode, &is_out);
        if request.effect == Effect::Read {
            return response.await;
        }
        if is_stopped() {
            return Err(interrupted(false));
        }
        tokio::select! {
            biased;
            response = response => response,
            () = stopped() => Err(interrupted(is_out.get())),
        }
    }

    /// Sends the request until it has a usable response or must not be retried. `is_out` shows whether it is in flight,
    /// and so can have been processed.
    async fn send_with_retries<T>(
        &self,
        request: &Request,
        decode: impl AsyncFn(Response) -> Result<T, String>,
        is_out: &Cell<bool>,
    ) -> Result<T> {
        let retries = if request.once { 0 } else { self.to.retries };
        let (mut failures, mut attempt) = (Failures::default(), 0);
        loop {
            attempt += 1;
            let failed = match self.attempt(request, &decode, is_out, attempt).await {
                Ok(value) => return Ok(value),
                Err(failed) => failed,
            };
            let Some(wait) = failures.wait(request.effect, failed.failure, failed.wait, retries, random_share()) else {
                return Err(failed.error.map_text(|text| redact::words(text, &self.to.token)));
            };
            let why = if failed.failure == Failure::Status(429) { RATE_LIMIT } else { "request failed" };
            self.to.observer.pausing(why, wait);
            tokio::time::sleep(wait).await;
        }
    }

    async fn attempt<T>(
        &self,
        request: &Request,
        decode: &impl AsyncFn(Response) -> Result<T, String>,
        is_out: &Cell<bool>,
        attempt: u32,
    ) -> Result<T, Failed> {
        let failed = |attempt: FailedAttempt| {
            let failure = attempt.failure;
            Failed { failure, error: failure::from_attempt(attempt, request.effect), wait: None }
        };
        let response = self.exchange(request, is_out, attempt).await.map_err(failed)?;
        if !(200..300).contains(&response.status) {
            return Err(Failed {
                failure: Failure::Status(response.status),
                error: failure::from_status(response.status, &response.body, request.effect),
                wait: named_wait(response.status, &response.headers),
            });
        }
        let status = response.status;
        decode(response).await.map_err(|missing| {
            let what = format!("unexpected API response ({status}): {missing}");
            let failed = failed(FailedAttempt::new(Failure::Unreadable, what));
            Failed { error: failed.error.status(status, None), ..failed }
        })
    }

    /// Sends the request once and reports the result to the observer.
    async fn exchange(&self, request: &Request, is_out: &Cell<bool>, attempt: u32) -> Result<Response, FailedAttempt> {
        let in_flight = self.admitted().await;
        let url = format!("{}{}", self.to.base_url.as_str(), request.target);
        let start = Instant::now();
        is_out.set(true);
        CHANGE_SENT.fetch_or(request.effect == Effect::Change, Ordering::Relaxed);
        let result = self.round_trip(request, &url, in_flight).await;
        is_out.set(false);
        self.report(request, &url, &result, start.elapsed(), attempt);
        result
    }

    /// Waits until the rate limit allows a request.
    async fn admitted(&self) -> InFlight<'_> {
        loop {
            // Created first, so that no notification is lost.
            let (ended, now) = (self.ended.notified(), Instant::now());
            let admission = self.rate_limit.borrow_mut().admit(now);
            let at = match admission {
                Admission::Granted => return InFlight { transport: self, reported: None },
                Admission::AfterResponse(at) => at,
                Admission::At(at) => {
                    self.to.observer.pausing(RATE_LIMIT, at - now);
                    Some(at)
                }
            };
            tokio::select! {
                () = ended => {}
                () = tokio::time::sleep_until(at.unwrap_or(now).into()), if at.is_some() => {}
            }
        }
    }

    async fn round_trip(
        &self,
        request: &Request,
        url: &str,
        mut in_flight: InFlight<'_>,
    ) -> Result<Response, FailedAttempt> {
        let http = self.client_for(request)?;
        let mut builder = http.request(request.method.clone(), url).headers(self.headers(request));
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        let response = builder.send().await.map_err(|error| failed_attempt(&error, &self.to))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        // The headers count now, because the body can take long.
        in_flight.reported = Reported::read(status, &headers);
        drop(in_flight);
        let body = match body::read(&self.large_bodies, response, |error| failed_attempt(error, &self.to)).await {
            // The status is enough to reject the request.
            Err(_) if (400..500).contains(&status) => Vec::new(),
            body => body?,
        };
        Ok(Response { status, headers, body })
    }

    /// Returns the client for the request. A change uses a new connection, because a service that has just closed an idle
    /// one looks like a lost response.
    fn client_for(&self, request: &Request) -> Result<&Client, FailedAttempt> {
        if request.effect == Effect::Read {
            return Ok(&self.reads);
        }
        if let Some(changes) = self.changes.get() {
            return Ok(changes);
        }
        let made =
            client(&self.to, Connections::OfOneUse).map_err(|error| FailedAttempt::new(Failure::NotSent, error))?;
        Ok(self.changes.get_or_init(|| made))
    }

    fn headers(&self, request: &Request) -> HeaderMap {
        let json = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(ACCEPT, json.clone()), (AUTHORIZATION, self.authorization.clone())]);
        match request.body {
            Some(_) => drop(headers.insert(CONTENT_TYPE, json)),
            // Some services wait for a body, or reject the request, if a change has no length.
            None if request.effect == Effect::Change => drop(headers.insert(CONTENT_LENGTH, HeaderValue::from(0))),
            None => {}
        }
        headers
    }

    fn report(
        &self,
        request: &Request,
        url: &str,
        result: &Result<Response, FailedAttempt>,
        elapsed: Duration,
        attempt: u32,
    ) {
        let (token, observer) = (&self.to.token, &self.to.observer);
        let response = result.as_ref().ok();
        let mut details = Vec::new();
        if observer.wants_details() {
            let body = request.body.as_deref().map(str::as_bytes);
            details = redact::lines("> ", &self.headers(request), body, token);
            details.extend(response.into_iter().flat_map(|it| redact::lines("< ", &it.headers, Some(&it.body), token)));
        }
        let head = |response: &Response| {
            let status = StatusCode::from_u16(response.status).map(|status| format!("HTTP {status}"));
            status.into_iter().chain(redact::lines("", &response.headers, None, token)).collect()
        };
        observer.exchanged(&Exchange {
            request: format!("{} {}", request.method, token.mask(url)),
            outcome: match result {
                Ok(response) => response.status.to_string(),
                Err(failed) => token.mask(&failed.what).into_owned(),
            },
            elapsed,
            attempt,
            remaining: self.rate_limit.borrow().remaining,
            limit: self.rate_limit.borrow().limit,
            head: response.map(head).unwrap_or_default(),
            details,
        });
    }
}

/// Returns the error of an interrupted change.
fn interrupted(in_flight: bool) -> Error {
    let what = match in_flight {
        true => "interrupted before the response arrived; the outcome is unknown",
        false => "interrupted; no changes were made",
    };
    Error::new(Kind::Interrupted, what).in_flight(in_flight)
}

/// Returns a random number from 0 to 1 for the jitter.
pub fn random_share() -> f64 {
    f64::from(RandomState::new().hash_one(0) as u32) / f64::from(u32::MAX)
}
