//! Sends a request until it has a usable answer or may not be sent again. Everything over HTTP passes here once.

use super::body::{self, Bodies};
use super::budget::{Budget, Ticket, asked_wait};
use super::failure;
use super::http::{client, innermost, is_tls};
use super::observer::{Exchange, Observer, Pause};
use super::request::{Effect, Request};
use super::retry::{self, Miss};
use crate::config::{BaseUrl, Secret};
use crate::error::{Error, Kind, Result};
use crate::ledger::Ledger;
use reqwest::Client;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use std::cell::{Cell, OnceCell};
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// How to reach the service.
pub struct Connection {
    /// Its address.
    pub base_url: BaseUrl,
    /// The token: without one there is no connection.
    pub token: Secret,
    /// The longest that one request may take.
    pub request_timeout: Duration,
    /// How often a request that may be repeated is tried again.
    pub retries: u32,
    /// What other processes that use the same account tell of it.
    pub ledger: Option<Ledger>,
    /// Who is told what happens.
    pub observer: Box<dyn Observer>,
}

/// The one way to the service.
pub struct Transport {
    reads: Client,
    /// Made for the first change: most invocations make none.
    changes: OnceCell<Client>,
    to: Connection,
    authorization: HeaderValue,
    bodies: Bodies,
    pub(super) budget: Budget,
}

/// An answer as it came.
struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
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
    pub fn new(mut to: Connection) -> Result<Self> {
        let broken =
            |error: &dyn std::fmt::Display| Error::new(Kind::Error, format!("could not set up HTTPS: {error}"));
        // A second call in one process finds the provider installed already: that is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        body::keep_freed_memory();
        let reads = client(&to).build().map_err(|error| broken(&innermost(&error)))?;
        let mut authorization =
            HeaderValue::from_str(&format!("Bearer {}", to.token.expose())).map_err(|error| broken(&error))?;
        authorization.set_sensitive(true);
        let budget = Budget::new(to.ledger.take(), to.request_timeout);
        Ok(Self { reads, changes: OnceCell::new(), to, authorization, bodies: Bodies::default(), budget })
    }

    /// Sends the request and reads the answer with `decode`, which says what is missing where it is not what the
    /// interface promises.
    ///
    /// # Errors
    /// By the error table of the spec; `UnknownOutcome` for a change that may or may not have been made.
    pub async fn call<T>(&self, request: &Request, decode: impl AsyncFn(Vec<u8>) -> Result<T, String>) -> Result<T> {
        match request.effect {
            Effect::Read => self.persist(request, decode, &Cell::default()).await,
            Effect::Change => self.change(request, decode).await,
        }
    }

    /// Sends a change, and tells a Ctrl-C that came before it from one that came while it was under way.
    async fn change<T>(&self, request: &Request, decode: impl AsyncFn(Vec<u8>) -> Result<T, String>) -> Result<T> {
        let stopped = |what: &str| Error::new(Kind::Interrupted, what);
        let out = Cell::default();
        // While a person or a lock was waited for, nobody looked at signals: one that came then is seen here.
        tokio::select! {
            biased;
            _ = tokio::signal::ctrl_c() => return Err(stopped("interrupted; nothing was changed")),
            () = tokio::time::sleep(Duration::from_millis(1)) => {}
        }
        tokio::select! {
            biased;
            answer = self.persist(request, decode, &out) => answer,
            _ = tokio::signal::ctrl_c() => Err(match out.get() {
                true => stopped("interrupted before the answer came; the change may have been made").in_flight(true),
                false => stopped("interrupted; nothing was changed"),
            }),
        }
    }

    /// `out` says at any time whether the request is on its way, and so perhaps at work.
    async fn persist<T>(
        &self,
        request: &Request,
        decode: impl AsyncFn(Vec<u8>) -> Result<T, String>,
        out: &Cell<bool>,
    ) -> Result<T> {
        let retries = if request.once { 0 } else { self.to.retries };
        let mut attempt = 0;
        loop {
            let failed = match self.attempt(request, &decode, out).await {
                Ok(value) => return Ok(value),
                Err(failed) => failed,
            };
            attempt += 1;
            if attempt > retries || !retry::may_repeat(request.effect, failed.miss) {
                return Err(self.masked(failed.error));
            }
            let wait = failed.wait.unwrap_or_else(|| retry::backoff(attempt, random_share()));
            let pause = if failed.miss == Miss::Status(429) { Pause::RateLimit } else { Pause::Retry };
            self.pause(pause, wait).await;
        }
    }

    async fn attempt<T>(
        &self,
        request: &Request,
        decode: &impl AsyncFn(Vec<u8>) -> Result<T, String>,
        out: &Cell<bool>,
    ) -> Result<T, Failed> {
        let answer = self.exchange(request, out).await.map_err(|(miss, what)| Failed {
            miss,
            error: failure::from_miss(miss, request.effect, &what),
            wait: None,
        })?;
        if !(200..300).contains(&answer.status) {
            return Err(Failed {
                miss: Miss::Status(answer.status),
                error: failure::from_status(answer.status, &answer.body, request.effect),
                wait: if matches!(answer.status, 429 | 503) { asked_wait(&answer.headers) } else { None },
            });
        }
        decode(answer.body).await.map_err(|missing| {
            let what = format!("the answer ({}) is not what the interface promises: {missing}", answer.status);
            let error = failure::from_miss(Miss::Unreadable, request.effect, &what).status(answer.status, None);
            Failed { miss: Miss::Unreadable, error, wait: None }
        })
    }

    /// One attempt, told to the observer however it ends.
    async fn exchange(&self, request: &Request, out: &Cell<bool>) -> Result<Answer, (Miss, String)> {
        let ticket = self.budget.ticket(|wait| self.to.observer.pausing(Pause::RateLimit, wait)).await;
        let url = format!("{}{}", self.to.base_url.as_str(), request.target);
        let start = Instant::now();
        out.set(true);
        let result = self.round_trip(request, &url, ticket).await;
        out.set(false);
        self.tell(request, &url, &result, start.elapsed());
        result
    }

    async fn round_trip(&self, request: &Request, url: &str, ticket: Ticket<'_>) -> Result<Answer, (Miss, String)> {
        let http = self.client_for(request)?;
        let mut builder = http.request(request.method.clone(), url).headers(self.headers(request));
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        let response = builder.send().await.map_err(|error| self.describe(&error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        // The body may take its time: what the headers say of the limit is said now.
        ticket.answered(status, &headers);
        let body = match self.bodies.read(response, |error| self.describe(error)).await {
            // A refusal is one, whether or not its words arrive.
            Err(_) if (400..500).contains(&status) => Vec::new(),
            body => body?,
        };
        Ok(Answer { status, headers, body })
    }

    /// A change gets a connection of its own: on one that lay idle, a service that has just closed it looks like a
    /// lost answer. A client that keeps no idle connection has no pool at all (hyper-util's `Config::is_enabled`): it
    /// opens one for each request, also where HTTP/2 was agreed on.
    fn client_for(&self, request: &Request) -> Result<&Client, (Miss, String)> {
        if request.effect == Effect::Read {
            return Ok(&self.reads);
        }
        if let Some(changes) = self.changes.get() {
            return Ok(changes);
        }
        let made = client(&self.to).pool_max_idle_per_host(0).build();
        let made = made.map_err(|error| (Miss::NotSent, innermost(&error)))?;
        Ok(self.changes.get_or_init(|| made))
    }

    fn headers(&self, request: &Request) -> HeaderMap {
        let json = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(ACCEPT, json.clone()), (AUTHORIZATION, self.authorization.clone())]);
        if request.body.is_some() {
            headers.insert(CONTENT_TYPE, json);
        }
        headers
    }

    /// What a failed attempt means, and the same in words that name the address.
    fn describe(&self, error: &reqwest::Error) -> (Miss, String) {
        let address = self.to.base_url.as_str();
        let cause = innermost(error);
        if error.is_connect() || error.is_builder() {
            let miss = if is_tls(error) { Miss::Refused } else { Miss::NotSent };
            (miss, format!("could not connect to {address}: {cause}"))
        } else if error.is_timeout() {
            (Miss::TimedOut, format!("no answer from {address} within {:?}", self.to.request_timeout))
        } else {
            (Miss::Lost, format!("the connection to {address} broke off: {cause}"))
        }
    }

    async fn pause(&self, pause: Pause, duration: Duration) {
        if !duration.is_zero() {
            self.to.observer.pausing(pause, duration);
            tokio::time::sleep(duration).await;
        }
    }

    fn tell(&self, request: &Request, url: &str, result: &Result<Answer, (Miss, String)>, elapsed: Duration) {
        let bodies = self.to.observer.wants_bodies();
        let list = |headers: &HeaderMap| if bodies { self.shown(headers) } else { Vec::new() };
        let request_headers = list(&self.headers(request));
        let answer_headers = result.as_ref().map(|answer| list(&answer.headers)).unwrap_or_default();
        let outcome = match result {
            Ok(answer) if bodies => self.to.token.mask(&String::from_utf8_lossy(&answer.body)).into_owned(),
            Ok(_) => String::new(),
            Err((_, what)) => what.clone(),
        };
        self.to.observer.exchanged(&Exchange {
            method: request.method.as_str(),
            url: &self.to.token.mask(url),
            request_headers: &request_headers,
            request_body: request.body.as_deref().map(|body| self.to.token.mask(body)).as_deref(),
            answer: result.as_ref().ok().map(|answer| (answer.status, answer_headers.as_slice())),
            outcome: &outcome,
            elapsed,
            remaining: self.budget.remaining(),
        });
    }

    fn shown(&self, headers: &HeaderMap) -> Vec<(String, String)> {
        let value = |value: &HeaderValue| match value.is_sensitive() {
            true => "***".to_string(),
            false => self.to.token.mask(&String::from_utf8_lossy(value.as_bytes())).into_owned(),
        };
        headers.iter().map(|(name, text)| (name.to_string(), value(text))).collect()
    }

    /// A service that echoes the token back must not make sitectl print it.
    fn masked(&self, error: Error) -> Error {
        error.map_text(|text| self.to.token.mask(text).into_owned())
    }
}

/// A random number from 0 to 1, good enough to keep clients from knocking in step.
pub fn random_share() -> f64 {
    f64::from(RandomState::new().hash_one(0) as u32) / f64::from(u32::MAX)
}
