//! Sends requests: rate limit, retries, and reports. All HTTP traffic passes here.

use super::body::read_body;
use super::envelope::UnexpectedResponse;
use super::failure::{error_from_status, final_error, rate_limit_refusal};
use super::http::{Connection, build_client, failed_attempt};
use super::observer::Exchange;
use super::rate_limit::{Admission, RateLimit, RateLimitHeaders, requested_wait};
use super::request::{Effect, Request, Response};
use super::retry::{FailedAttempt, Failure, retry_delay};
use crate::error::{Error, Kind, Result};
use crate::signal::{signal_arrived, wait_for_signal};
use reqwest::Client;
use reqwest::header::{ACCEPT, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE};
use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::time::{sleep_until, timeout};

/// Why requests wait if the rate limit is used up.
const RATE_LIMIT: &str = "rate limit reached";

/// How long a signal leaves to the response of a change that was sent.
const LAST_RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);

/// A step of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendStep {
    /// It is about to be sent: nothing is left to wait for.
    Sending,
    /// It failed, and will be sent again after a wait. A change was surely not processed.
    Repeating,
}

/// Sends all requests to the service.
pub struct Transport {
    pub connection: Connection,
    /// The HTTP client of reads, which reuses connections.
    client_for_reads: OnceCell<Client>,
    /// The HTTP client of changes, which opens a connection for each.
    client_for_changes: OnceCell<Client>,
    pub rate_limit: RefCell<RateLimit>,
    /// Wakes the requests that wait for a permit.
    permit_dropped: Notify,
}

impl Transport {
    pub fn new(connection: Connection) -> Self {
        Self {
            connection,
            client_for_reads: OnceCell::new(),
            client_for_changes: OnceCell::new(),
            rate_limit: RefCell::default(),
            permit_dropped: Notify::new(),
        }
    }

    /// Sends the request until an attempt succeeds or must not be retried. `decode` reads the
    /// response.
    ///
    /// # Errors
    /// As the spec's error table; `UnknownOutcome` if a change may have been made; `Interrupted` on
    /// Ctrl-C during a change.
    pub async fn call<T>(
        &self,
        request: &Request,
        decode: impl Fn(Response) -> Result<T, UnexpectedResponse>,
    ) -> Result<T> {
        let decode_complete = |response: Response| match content_problem(&response) {
            Some(problem) => Err(problem),
            None => decode(response),
        };
        self.call_recorded(request, async |_| Ok(()), decode_complete)
            .await
    }

    /// Sends the request as [`Self::call`] does, and tells `record` of each step. If it fails,
    /// nothing more is sent, and its error is returned. `decode` also reads partial content.
    pub async fn call_recorded<T>(
        &self,
        request: &Request,
        record: impl AsyncFn(SendStep) -> Result<()>,
        decode: impl Fn(Response) -> Result<T, UnexpectedResponse>,
    ) -> Result<T> {
        let attempts = Attempts {
            transport: self,
            request,
            is_in_flight: Cell::new(false),
            is_stopped: Cell::new(false),
        };
        let response = attempts.send_with_retries(record, decode);
        if request.effect == Effect::Read {
            return response.await;
        }
        if signal_arrived() {
            // The `select!` below would poll the request first and send it.
            return Err(attempts.interrupted_change());
        }
        let mut response = pin!(response);
        tokio::select! {
            biased;
            response = &mut response => return response,
            () = wait_for_signal() => {}
        }
        attempts.is_stopped.set(true);
        if !(request.waits_after_signal && attempts.is_in_flight.get()) {
            return Err(attempts.interrupted_change());
        }
        let response = timeout(LAST_RESPONSE_TIMEOUT, response).await;
        response.unwrap_or_else(|_| Err(attempts.interrupted_change()))
    }

    /// Waits until the rate limit allows a request. Without `may_wait`, it waits for the responses
    /// to other requests, but not for the end of the window.
    ///
    /// # Errors
    /// `RateLimited` without `may_wait`, if no request is allowed until the window ends.
    async fn wait_for_permit(&self, may_wait: bool) -> Result<Permit<'_>, FailedAttempt> {
        loop {
            // Created before the check, so that a permit dropped meanwhile is noticed.
            let permit_dropped = self.permit_dropped.notified();
            let now = Instant::now();
            let admission = self.rate_limit.borrow_mut().admit(now);
            let wake_at = match admission {
                Admission::Granted => {
                    return Ok(Permit {
                        transport: self,
                        reported: None,
                    });
                }
                Admission::AfterResponse(window_end) => window_end,
                Admission::At(_) if !may_wait => return Err(rate_limit_refusal()),
                Admission::At(window_end) => {
                    let wait = window_end - now;
                    self.connection.observer.on_wait(RATE_LIMIT, wait);
                    Some(window_end)
                }
            };
            tokio::select! {
                () = permit_dropped => {}
                () = sleep_until(wake_at.unwrap_or(now).into()), if wake_at.is_some() => {}
            }
        }
    }

    /// Sends a request and reads the response, whatever its status is.
    async fn round_trip(
        &self,
        client: &Client,
        request: reqwest::Request,
        mut permit: Permit<'_>,
    ) -> Result<Response, FailedAttempt> {
        let describe_error = |error: &reqwest::Error| failed_attempt(error, &self.connection);
        let response = client
            .execute(request)
            .await
            .map_err(|error| describe_error(&error))?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        // The permit ends before the body is read, because that can take long.
        permit.reported = RateLimitHeaders::read(status, &headers);
        drop(permit);
        let body = match read_body(response, describe_error).await {
            // The status is enough to know that the service rejected the request.
            Err(_) if (400..500).contains(&status) => Vec::new(),
            body => body?,
        };
        Ok(Response {
            status,
            headers,
            body,
        })
    }

    /// Returns a body without the token, for the errors that quote a part of it. In a part, a token
    /// may be cut and would not be recognized.
    pub fn masked(&self, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body);
        self.connection.token.mask(&text).into_owned()
    }

    /// Returns the HTTP client of reads or changes, which its first request creates.
    fn client_for(&self, effect: Effect) -> Result<&Client, FailedAttempt> {
        let cell = match effect {
            Effect::Read => &self.client_for_reads,
            Effect::Change => &self.client_for_changes,
        };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let client = build_client(&self.connection, effect)?;
        Ok(cell.get_or_init(|| client))
    }

    fn build_request(
        &self,
        client: &Client,
        request: &Request,
    ) -> reqwest::Result<reqwest::Request> {
        const JSON: &str = "application/json";
        let url = format!("{}{}", self.connection.base_url.as_str(), request.target);
        let builder = client
            .request(request.method.clone(), url)
            .header(ACCEPT, JSON)
            .bearer_auth(self.connection.token.expose());
        let builder = match &request.body {
            Some(body) => builder.header(CONTENT_TYPE, JSON).body(body.clone()),
            // Some services wait for a body, or reject the request, if a change has no length.
            None if request.effect == Effect::Change => builder.header(CONTENT_LENGTH, 0),
            None => builder,
        };
        builder.build()
    }
}

/// Counts a request against the rate limit, until the headers of its response are known or it
/// fails.
struct Permit<'t> {
    transport: &'t Transport,
    /// The headers of the response; None until they arrive, or if it has none.
    reported: Option<RateLimitHeaders>,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let rate_limit = &self.transport.rate_limit;
        rate_limit
            .borrow_mut()
            .finish(self.reported, Instant::now());
        self.transport.permit_dropped.notify_waiters();
    }
}

/// The attempts to send one request.
struct Attempts<'c> {
    transport: &'c Transport,
    request: &'c Request,
    /// Whether an attempt was sent and has no response yet, so that it can have been processed.
    is_in_flight: Cell<bool>,
    /// Whether a signal has arrived, after which nothing more is sent.
    is_stopped: Cell<bool>,
}

impl Attempts<'_> {
    /// Sends the request until it has a usable response or must not be retried. Retries after 429
    /// are counted separately, because their maximum is higher.
    async fn send_with_retries<T>(
        &self,
        record: impl AsyncFn(SendStep) -> Result<()>,
        decode: impl Fn(Response) -> Result<T, UnexpectedResponse>,
    ) -> Result<T> {
        let connection = &self.transport.connection;
        let effect = self.request.effect;
        let max_retries = self.max_retries();
        // `--retries 0` also turns off the wait, except for requests that the caller repeats.
        let may_wait = self.request.send_once || max_retries > 0;
        let mut attempt = 0;
        let mut rate_limit_retry = 0;
        let mut other_retry = 0;
        loop {
            attempt += 1;
            let permit = self.transport.wait_for_permit(may_wait).await;
            let permit =
                permit.map_err(|failed| final_error(failed, effect, &connection.changes))?;
            if self.is_stopped.get() {
                return Err(self.interrupted_change());
            }
            record(SendStep::Sending).await?;
            let failed = match self.attempt(attempt, permit, &decode).await {
                Ok(value) => return Ok(value),
                Err(failed) => failed,
            };
            let (retry, reason) = match failed.failure {
                Failure::Status(429) => (&mut rate_limit_retry, format!("{RATE_LIMIT} (429)")),
                Failure::Status(status) => (
                    &mut other_retry,
                    format!("the service responded with {status}"),
                ),
                _ => (&mut other_retry, "request failed".into()),
            };
            *retry += 1;
            let delay = retry_delay(effect, &failed, *retry, max_retries, random_jitter());
            let Some(delay) = delay else {
                return Err(final_error(failed, effect, &connection.changes));
            };
            record(SendStep::Repeating).await?;
            connection.observer.on_wait(&reason, delay);
            tokio::time::sleep(delay).await;
        }
    }

    /// Returns the most retries of the request. 0 also turns off retries after 429.
    fn max_retries(&self) -> u32 {
        if self.request.send_once {
            0
        } else {
            self.transport.connection.retries
        }
    }

    /// Sends the request once, and reads the response if its status is a success. `number` is the
    /// number of the attempt, from 1.
    async fn attempt<T>(
        &self,
        number: u32,
        permit: Permit<'_>,
        decode: &impl Fn(Response) -> Result<T, UnexpectedResponse>,
    ) -> Result<T, FailedAttempt> {
        let response = self.exchange(number, permit).await?;
        let status = response.status;
        if !(200..300).contains(&status) {
            let error = error_from_status(status, self.transport.masked(&response.body).as_bytes());
            return Err(FailedAttempt {
                failure: Failure::Status(status),
                error: error.with_retry_after(requested_wait(status, &response.headers)),
            });
        }
        decode(response).map_err(|problem| {
            let message = format!("unexpected API response ({status}): {problem}");
            FailedAttempt {
                failure: Failure::Unreadable,
                error: Error::new(Kind::Unavailable, message).with_status(status, None),
            }
        })
    }

    /// Sends the request once, and reports the exchange to the observer.
    async fn exchange(&self, attempt: u32, permit: Permit<'_>) -> Result<Response, FailedAttempt> {
        let transport = self.transport;
        let effect = self.request.effect;
        let client = transport.client_for(effect)?;
        let request = transport
            .build_request(client, self.request)
            .map_err(|error| failed_attempt(&error, &transport.connection))?;
        let url = request.url().to_string();
        let request_headers = request.headers().clone();
        let start = Instant::now();
        self.is_in_flight.set(true);
        let changes = &transport.connection.changes;
        if effect == Effect::Change {
            changes.add();
        }
        let result = transport.round_trip(client, request, permit).await;
        self.is_in_flight.set(false);
        let failure = match &result {
            Ok(response) => Failure::Status(response.status),
            Err(failed) => failed.failure,
        };
        if effect == Effect::Change && failure.surely_not_processed() {
            changes.remove();
        }
        transport.connection.observer.on_exchange(&Exchange {
            request: self.request,
            url: &url,
            request_headers: &request_headers,
            result: result.as_ref(),
            elapsed: start.elapsed(),
            attempt,
        });
        result
    }

    /// Returns the error of a change that a signal interrupted.
    fn interrupted_change(&self) -> Error {
        let is_in_flight = self.is_in_flight.get();
        let message = if is_in_flight {
            "interrupted before the response arrived; the outcome is unknown".into()
        } else {
            format!(
                "interrupted; {}",
                self.transport.connection.changes.not_made()
            )
        };
        Error::new(Kind::Interrupted, message).with_possibly_processed(is_in_flight)
    }
}

/// Returns the problem of a response whose content is not the requested one: only a part of it, or
/// compressed in a way that no request allows.
pub fn content_problem(response: &Response) -> Option<UnexpectedResponse> {
    let header = |name| {
        response
            .headers
            .get(name)
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
    };
    if let Some(encoding) = header(CONTENT_ENCODING).filter(|encoding| encoding != "identity") {
        return Some(format!(
            "the response has the unsupported Content-Encoding '{encoding}'"
        ));
    }
    let range = header(CONTENT_RANGE);
    if response.status != 206 && range.is_none() {
        return None;
    }
    let range = range.map(|range| format!(" ({range})")).unwrap_or_default();
    Some(format!("the response is only a part of the content{range}"))
}

/// Returns a random number from 0 to 1.
fn random_jitter() -> f64 {
    f64::from(RandomState::new().hash_one(0) as u32) / f64::from(u32::MAX)
}
