//! Sends a request until it has a usable answer or may not be sent again. Everything over HTTP passes here once.

use super::body::{self, Bodies};
use super::failure;
use super::http::{Connection, Connections, Missed, client, missed};
use super::observer::{Exchange, Pause};
use super::rate_limit::{Admission, RateLimit, Reported, named_wait};
use super::redact;
use super::request::{Effect, Request};
use super::retry::{Failures, Miss};
use crate::error::{Error, Kind, Result};
use crate::signal::{is_stopped, stopped};
use reqwest::Client;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

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
    bodies: Bodies,
    pub(super) rate_limit: RefCell<RateLimit>,
    /// A request has ended.
    ended: Notify,
}

/// An answer as it came.
struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
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
        Ok(Self { reads, changes: OnceCell::new(), to, authorization, bodies: Bodies::default(), rate_limit, ended })
    }

    /// Sends the request and reads the answer with `decode`, which says what is missing where it is not what the
    /// interface promises.
    ///
    /// # Errors
    /// By the error table of the spec; `UnknownOutcome` for a change that may or may not have been made.
    pub async fn call<T>(&self, request: &Request, decode: impl AsyncFn(Vec<u8>) -> Result<T, String>) -> Result<T> {
        self.call_with_headers(request, async |body, _: &HeaderMap| decode(body).await).await
    }

    /// Does the same for a response whose headers matter, too.
    ///
    /// # Errors
    /// As `call`.
    pub async fn call_with_headers<T>(
        &self,
        request: &Request,
        decode: impl AsyncFn(Vec<u8>, &HeaderMap) -> Result<T, String>,
    ) -> Result<T> {
        match request.effect {
            Effect::Read => self.persist(request, decode, &Course::default()).await,
            Effect::Change => self.change(request, decode).await,
        }
    }

    /// Sends a change, and tells a Ctrl-C that came before it from one that came while it was under way.
    async fn change<T>(
        &self,
        request: &Request,
        decode: impl AsyncFn(Vec<u8>, &HeaderMap) -> Result<T, String>,
    ) -> Result<T> {
        let interrupted = |what: &str| Error::new(Kind::Interrupted, what);
        let course = Course::default();
        if is_stopped() {
            return Err(interrupted("interrupted; nothing was changed"));
        }
        tokio::select! {
            biased;
            answer = self.persist(request, decode, &course) => answer,
            () = stopped() => Err(match course.out.get() {
                true => interrupted("interrupted before the answer came; the change may have been made").in_flight(true),
                false => interrupted("interrupted; nothing was changed"),
            }),
        }
    }

    /// `course` says at any time how far the request has come.
    async fn persist<T>(
        &self,
        request: &Request,
        decode: impl AsyncFn(Vec<u8>, &HeaderMap) -> Result<T, String>,
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
        decode: &impl AsyncFn(Vec<u8>, &HeaderMap) -> Result<T, String>,
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
        decode(answer.body, &answer.headers).await.map_err(|missing| {
            let what = format!("the answer ({}) is not what the interface promises: {missing}", answer.status);
            let missed = Missed::new(Miss::Unreadable, what);
            let error = failure::from_miss(missed, request.effect).status(answer.status, None);
            Failed { miss: Miss::Unreadable, error, wait: None }
        })
    }

    /// One attempt, told to the observer however it ends.
    async fn exchange(&self, request: &Request, course: &Course) -> Result<Answer, Missed> {
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

    async fn round_trip(&self, request: &Request, url: &str, mut in_flight: InFlight<'_>) -> Result<Answer, Missed> {
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
        let body = match self.bodies.read(response, |error| missed(error, &self.to)).await {
            // A refusal is one, whether or not its words arrive.
            Err(_) if (400..500).contains(&status) => Vec::new(),
            body => body?,
        };
        Ok(Answer { status, headers, body })
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

    fn tell(&self, request: &Request, url: &str, result: &Result<Answer, Missed>, elapsed: Duration, attempt: u32) {
        let token = &self.to.token;
        let bodies = self.to.observer.wants_bodies();
        let headers = bodies || self.to.observer.wants_headers();
        let list =
            |wanted: bool, headers: &HeaderMap| if wanted { redact::headers(headers, token) } else { Vec::new() };
        let request_headers = list(bodies, &self.headers(request));
        let request_body = request.body.as_deref().filter(|_| bodies).map(|body| redact::text(body.as_bytes(), token));
        let answer_headers = result.as_ref().map(|answer| list(headers, &answer.headers)).unwrap_or_default();
        let outcome = match result {
            Ok(answer) if bodies => redact::text(&answer.body, token),
            Ok(_) => String::new(),
            Err(missed) => token.mask(&missed.what).into_owned(),
        };
        self.to.observer.exchanged(&Exchange {
            method: request.method.as_str(),
            url: &token.mask(url),
            request_headers: &request_headers,
            request_body: request_body.as_deref(),
            answer: result.as_ref().ok().map(|answer| (answer.status, answer_headers.as_slice())),
            outcome: &outcome,
            elapsed,
            attempt,
            remaining: self.rate_limit.borrow().remaining(),
            limit: self.rate_limit.borrow().limit(),
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

/// A random number from 0 to 1, good enough to keep clients from knocking in step.
pub fn random_share() -> f64 {
    f64::from(RandomState::new().hash_one(0) as u32) / f64::from(u32::MAX)
}
