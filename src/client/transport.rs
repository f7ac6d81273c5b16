//! Sends requests: rate limit, retries, and reports. All HTTP traffic passes here.

use super::body;
use super::failure::{final_error, from_status};
use super::http::{Connection, client, failed_attempt};
use super::observer::Exchange;
use super::rate_limit::{Admission, RateLimit, RateLimitHeaders, named_wait};
use super::request::{Effect, Request, Response};
use super::retry::{FailedAttempt, Failure, wait};
use crate::error::{Error, Kind, Result};
use crate::signal::{is_stopped, stopped};
use reqwest::Client;
use reqwest::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE};
use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio::sync::Notify;

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
    pub(super) to: Connection,
    reads: OnceCell<Client>,
    changes: OnceCell<Client>,
    pub(super) rate_limit: RefCell<RateLimit>,
    /// Notified when a request ends.
    ended: Notify,
}

/// A request in flight, until it is dropped.
struct InFlight<'t> {
    transport: &'t Transport,
    reported: Option<RateLimitHeaders>,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.transport
            .rate_limit
            .borrow_mut()
            .finish(self.reported, Instant::now());
        self.transport.ended.notify_waiters();
    }
}

impl Transport {
    /// Prepares to send requests.
    pub fn new(to: Connection) -> Self {
        body::keep_freed_memory();
        let (reads, changes) = (OnceCell::new(), OnceCell::new());
        let (rate_limit, ended) = (RefCell::default(), Notify::new());
        Self {
            to,
            reads,
            changes,
            rate_limit,
            ended,
        }
    }

    /// Sends the request and reads the response with `decode`, which reports a missing part of the response.
    ///
    /// # Errors
    /// As the spec's error table; `UnknownOutcome` if a change may have been made; `Interrupted` on Ctrl-C during a change.
    pub async fn call<T>(
        &self,
        request: &Request,
        decode: impl AsyncFn(Response) -> Result<T, String>,
    ) -> Result<T> {
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
        let (mut attempt, mut refusals) = (0, 0);
        loop {
            attempt += 1;
            let exchanged =
                async { read(self.exchange(request, is_out, attempt).await?, &decode).await };
            let failed = match exchanged.await {
                Ok(value) => return Ok(value),
                Err(failed) => failed,
            };
            let is_refusal = failed.failure == Failure::Status(429);
            refusals += u32::from(is_refusal);
            let retry = if is_refusal {
                refusals
            } else {
                attempt - refusals
            };
            let Some(wait) = wait(request.effect, &failed, retry, retries, random_share()) else {
                return Err(final_error(failed, request.effect)
                    .map_text(|text| self.to.token.mask(text).into_owned()));
            };
            let why = if is_refusal {
                RATE_LIMIT
            } else {
                "request failed"
            };
            self.to.observer.pausing(why, wait);
            tokio::time::sleep(wait).await;
        }
    }

    /// Sends the request once and reports the result to the observer.
    async fn exchange(
        &self,
        request: &Request,
        is_out: &Cell<bool>,
        attempt: u32,
    ) -> Result<Response, FailedAttempt> {
        let in_flight = self.admitted().await;
        let client = self.client_for(request.effect)?;
        let sent = self
            .build(client, request)
            .map_err(|error| failed_attempt(&error, &self.to))?;
        let (url, headers) = (sent.url().to_string(), sent.headers().clone());
        let start = Instant::now();
        is_out.set(true);
        CHANGE_SENT.fetch_or(request.effect == Effect::Change, Ordering::Relaxed);
        let result = self.round_trip(client, sent, in_flight).await;
        is_out.set(false);
        let (result_of, elapsed) = (result.as_ref(), start.elapsed());
        let exchange = Exchange {
            request,
            url: &url,
            headers: &headers,
            result: result_of,
            elapsed,
            attempt,
        };
        self.to.observer.exchanged(&exchange);
        result
    }

    /// Waits until the rate limit allows a request.
    async fn admitted(&self) -> InFlight<'_> {
        loop {
            // Created first, so that no notification is lost.
            let (ended, now) = (self.ended.notified(), Instant::now());
            let admission = self.rate_limit.borrow_mut().admit(now);
            let at = match admission {
                Admission::Granted => {
                    return InFlight {
                        transport: self,
                        reported: None,
                    };
                }
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
        client: &Client,
        sent: reqwest::Request,
        mut in_flight: InFlight<'_>,
    ) -> Result<Response, FailedAttempt> {
        let response = client
            .execute(sent)
            .await
            .map_err(|error| failed_attempt(&error, &self.to))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        // The headers count now, because the body can take long.
        in_flight.reported = RateLimitHeaders::read(status, &headers);
        drop(in_flight);
        let body = match body::read(response, |error| failed_attempt(error, &self.to)).await {
            // The status is enough to reject the request.
            Err(_) if (400..500).contains(&status) => Vec::new(),
            body => body?,
        };
        Ok(Response {
            status,
            headers,
            body,
        })
    }

    /// Returns the client, which is created for the first request.
    fn client_for(&self, effect: Effect) -> Result<&Client, FailedAttempt> {
        let cell = match effect {
            Effect::Read => &self.reads,
            Effect::Change => &self.changes,
        };
        match cell.get() {
            Some(client) => Ok(client),
            None => client(&self.to, effect).map(|client| cell.get_or_init(|| client)),
        }
    }

    fn build(&self, client: &Client, request: &Request) -> reqwest::Result<reqwest::Request> {
        const JSON: &str = "application/json";
        let url = format!("{}{}", self.to.base_url.as_str(), request.target);
        let builder = client
            .request(request.method.clone(), url)
            .header(ACCEPT, JSON);
        let builder = builder.bearer_auth(self.to.token.expose());
        match &request.body {
            Some(body) => builder.header(CONTENT_TYPE, JSON).body(body.clone()),
            // Some services wait for a body, or reject the request, if a change has no length.
            None if request.effect == Effect::Change => builder.header(CONTENT_LENGTH, 0),
            None => builder,
        }
        .build()
    }
}

/// Reads the response to a request that succeeded.
async fn read<T>(
    response: Response,
    decode: &impl AsyncFn(Response) -> Result<T, String>,
) -> Result<T, FailedAttempt> {
    let status = response.status;
    if !(200..300).contains(&status) {
        let wait = named_wait(status, &response.headers);
        return Err(FailedAttempt {
            failure: Failure::Status(status),
            error: from_status(status, &response.body),
            wait,
        });
    }
    decode(response).await.map_err(|missing| {
        let failed = FailedAttempt::new(
            Failure::Unreadable,
            format!("unexpected API response ({status}): {missing}"),
        );
        FailedAttempt {
            error: failed.error.with_status(status, None),
            ..failed
        }
    })
}

/// Returns the error of an interrupted change.
fn interrupted(in_flight: bool) -> Error {
    let what = match in_flight {
        true => "interrupted before the response arrived; the outcome is unknown",
        false => "interrupted; no changes were made",
    };
    Error::new(Kind::Interrupted, what).with_in_flight(in_flight)
}

/// Returns a random number from 0 to 1 for the jitter.
pub fn random_share() -> f64 {
    f64::from(RandomState::new().hash_one(0) as u32) / f64::from(u32::MAX)
}
