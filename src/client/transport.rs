//! Sends a request until it has a usable answer or may not be sent again. Everything over HTTP passes here once.

use super::body;
use super::failure;
use super::http::{Connection, Connections, Missed, client, missed};
use super::observer::{Exchange, Pause};
use super::rate_limit::{Admission, RateLimit, Reported, named_wait};
use super::redact;
use super::request::{Effect, Request};
use super::retry::{Failures, Miss};
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

/// The one way to the service.
pub struct Transport {
    reads: Client,
    /// Made for the first change: most invocations make none.
    changes: OnceCell<Client>,
    to: Connection,
    authorization: HeaderValue,
    large_bodies: Semaphore,
    pub(super) rate_limit: RefCell<RateLimit>,
    /// A request has ended.
    ended: Notify,
}

/// A response as it came.
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// How far a request has come.
#[derive(Default)]
struct Course {
    /// Whether it is on its way, and so perhaps at work.
    out: Cell<bool>,
    /// How often it has been sent.
    attempts: Cell<u32>,
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

/// Why an attempt has no usable answer: the miss, what happened in words, and how long the service asks to wait.
struct Failed {
    miss: Miss,
    error: Error,
    wait: Option<Duration>,
}

impl Transport {
    /// Prepares the way; nothing is sent yet.
    ///
    /// # Errors
    /// Where TLS cannot be set up.
    pub fn new(to: Connection) -> Result<Self> {
        let broken = |error: &dyn std::fmt::Display| {
            Error::new(Kind::Error, format!("could not set up HTTPS: {error}"))
                .hint("where the system has no certificates, --ca-cert FILE names those to trust")
        };
        // A second call in one process finds the provider installed already: that is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        body::keep_freed_memory();
        let reads = client(&to, Connections::Kept).map_err(|error| broken(&error))?;
        let mut authorization =
            HeaderValue::from_str(&format!("Bearer {}", to.token.expose())).map_err(|error| broken(&error))?;
        authorization.set_sensitive(true);
        let (rate_limit, ended) = (RefCell::default(), Notify::new());
        Ok(Self { reads, changes: OnceCell::new(), to, authorization, large_bodies: body::turns(), rate_limit, ended })
    }

    /// Sends the request and reads the response with `decode`, which says what the response lacks.
    ///
    /// # Errors
    /// By the error table of the spec; `UnknownOutcome` for a change that may or may not have been made; `Interrupted` for
    /// a change that Ctrl-C came before.
    pub async fn call<T>(&self, request: &Request, decode: impl AsyncFn(Response) -> Result<T, String>) -> Result<T> {
        let course = Course::default();
        let response = self.persist(request, decode, &course);
        if request.effect == Effect::Read {
            return response.await;
        }
        if is_stopped() {
            return Err(interrupted(false));
        }
        tokio::select! {
            biased;
            response = response => response,
            () = stopped() => Err(interrupted(course.out.get())),
        }
    }

    /// `course` says at any time how far the request has come.
    async fn persist<T>(
        &self,
        request: &Request,
        decode: impl AsyncFn(Response) -> Result<T, String>,
        course: &Course,
    ) -> Result<T> {
        let retries = if request.once { 0 } else { self.to.retries };
        let mut failures = Failures::default();
        loop {
            let failed = match self.attempt(request, &decode, course).await {
                Ok(value) => return Ok(value),
                Err(failed) => failed,
            };
            let Some(wait) = failures.wait(request.effect, failed.miss, failed.wait, retries, random_share()) else {
                return Err(self.masked(failed.error));
            };
            let pause = if failed.miss == Miss::Status(429) { Pause::RateLimit } else { Pause::Retry };
            self.to.observer.pausing(pause, wait);
            tokio::time::sleep(wait).await;
        }
    }

    async fn attempt<T>(
        &self,
        request: &Request,
        decode: &impl AsyncFn(Response) -> Result<T, String>,
        course: &Course,
    ) -> Result<T, Failed> {
        let answer = self.exchange(request, course).await.map_err(|missed| Failed {
            miss: missed.miss,
            error: failure::from_miss(missed, request.effect),
            wait: None,
        })?;
        if !(200..300).contains(&answer.status) {
            let points_to = redact::redirected(&answer.headers, &self.url_of(request), &self.to.token);
            return Err(Failed {
                miss: Miss::Status(answer.status),
                error: failure::from_status(answer.status, &answer.body, points_to.as_deref(), request.effect),
                wait: named_wait(answer.status, &answer.headers),
            });
        }
        let status = answer.status;
        decode(answer).await.map_err(|missing| {
            let what = format!("the answer ({status}) is not what the interface promises: {missing}");
            let error = failure::from_miss(Missed::new(Miss::Unreadable, what), request.effect).status(status, None);
            Failed { miss: Miss::Unreadable, error, wait: None }
        })
    }

    /// One attempt, told to the observer however it ends.
    async fn exchange(&self, request: &Request, course: &Course) -> Result<Response, Missed> {
        let in_flight = self.admitted().await;
        let url = self.url_of(request);
        let start = Instant::now();
        course.attempts.update(|attempts| attempts + 1);
        course.out.set(true);
        CHANGE_SENT.fetch_or(request.effect == Effect::Change, Ordering::Relaxed);
        let result = self.round_trip(request, &url, in_flight).await;
        course.out.set(false);
        self.tell(request, &url, &result, start.elapsed(), course.attempts.get());
        result
    }

    /// Waits until the rate limit allows a request.
    async fn admitted(&self) -> InFlight<'_> {
        loop {
            // From here on, no end of a request is missed.
            let (ended, now) = (self.ended.notified(), Instant::now());
            let admission = self.rate_limit.borrow_mut().admit(now);
            let at = match admission {
                Admission::Granted => return InFlight { transport: self, reported: None },
                Admission::AfterResponse(at) => at,
                Admission::At(at) => {
                    self.to.observer.pausing(Pause::RateLimit, at - now);
                    Some(at)
                }
            };
            tokio::select! {
                () = ended => {}
                () = tokio::time::sleep_until(at.unwrap_or(now).into()), if at.is_some() => {}
            }
        }
    }

    async fn round_trip(&self, request: &Request, url: &str, mut in_flight: InFlight<'_>) -> Result<Response, Missed> {
        let http = self.client_for(request)?;
        let mut builder = http.request(request.method.clone(), url).headers(self.headers(request));
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        let response = builder.send().await.map_err(|error| missed(&error, &self.to))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        // The body may take its time: what the headers say of the limit is said now.
        in_flight.reported = Reported::read(status, &headers);
        drop(in_flight);
        let body = match body::read(&self.large_bodies, response, |error| missed(error, &self.to)).await {
            // A refusal is one, whether or not its words arrive.
            Err(_) if (400..500).contains(&status) => Vec::new(),
            body => body?,
        };
        Ok(Response { status, headers, body })
    }

    fn url_of(&self, request: &Request) -> String {
        format!("{}{}", self.to.base_url.as_str(), request.target)
    }

    /// A change gets a connection of its own: on one that lay idle, a service that has just closed it looks like a
    /// lost answer.
    fn client_for(&self, request: &Request) -> Result<&Client, Missed> {
        if request.effect == Effect::Read {
            return Ok(&self.reads);
        }
        if let Some(changes) = self.changes.get() {
            return Ok(changes);
        }
        let made = client(&self.to, Connections::OfOneUse).map_err(|error| Missed::new(Miss::NotSent, error))?;
        Ok(self.changes.get_or_init(|| made))
    }

    fn headers(&self, request: &Request) -> HeaderMap {
        let json = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(ACCEPT, json.clone()), (AUTHORIZATION, self.authorization.clone())]);
        match request.body {
            Some(_) => drop(headers.insert(CONTENT_TYPE, json)),
            // Some services wait for a body, or refuse, where a change does not say that it has none.
            None if request.effect == Effect::Change => drop(headers.insert(CONTENT_LENGTH, HeaderValue::from(0))),
            None => {}
        }
        headers
    }

    fn tell(&self, request: &Request, url: &str, result: &Result<Response, Missed>, elapsed: Duration, attempt: u32) {
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
                Err(missed) => token.mask(&missed.what).into_owned(),
            },
            elapsed,
            attempt,
            remaining: self.rate_limit.borrow().remaining(),
            limit: self.rate_limit.borrow().limit(),
            head: response.filter(|_| observer.wants_heads()).map(head).unwrap_or_default(),
            details,
        });
    }

    /// A service that echoes the token back must not make sitectl print it, nor one that never ends fill a screen.
    fn masked(&self, error: Error) -> Error {
        error.map_text(|text| redact::words(text, &self.to.token))
    }

    /// Whether a text contains the token.
    pub(super) fn tells_token(&self, text: &str) -> bool {
        self.to.token.is_in(text)
    }

    /// Masks the token in a text of the service.
    pub(super) fn mask(&self, text: &str) -> String {
        self.to.token.mask(text).into_owned()
    }
}

/// Returns the error of a change that was interrupted, while it was on its way or not.
fn interrupted(in_flight: bool) -> Error {
    let what = match in_flight {
        true => "interrupted before the answer came; the change may have been made",
        false => "interrupted; nothing was changed",
    };
    Error::new(Kind::Interrupted, what).in_flight(in_flight)
}

/// A random number from 0 to 1, good enough to keep clients from knocking in step.
pub fn random_share() -> f64 {
    f64::from(RandomState::new().hash_one(0) as u32) / f64::from(u32::MAX)
}
