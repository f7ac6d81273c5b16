//! A list service over real ids, for what only shows when a whole list is read: it answers any page of any size on as
//! many connections as it is asked on, writes down how it was asked, and departs from a good service in just the ways
//! that a test names.

use crate::service::{Reply, Service, Window};
use crate::support::World;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Rows of a page that does not say how many it wants.
pub const DEFAULT_ROWS: usize = 25;

/// What happens to the list before a request, counted from 1, is answered.
pub type Mutation = Box<dyn FnMut(usize, &mut Vec<String>) + Send>;

/// How a service departs from a good one; by default it does not.
#[derive(Default)]
pub struct Quirks {
    /// What it does about pages of more rows than it gives.
    pub largest: Option<Largest>,
    /// What befalls single pages, the first that applies.
    pub faults: Vec<Fault>,
    /// Rows that its pages really have, whatever it says and was asked for.
    pub rows: Option<usize>,
    /// The record that it counts and never sends.
    pub hidden: Option<&'static str>,
    /// How many pages it says there are.
    pub total_pages: Option<usize>,
    /// How many records it says there are.
    pub total_items: Option<usize>,
    /// The status of a page past the end, which a good service answers without rows.
    pub past_the_end: Option<u16>,
    /// How long each answer takes.
    pub latency: Duration,
    pub rate: Option<Rate>,
    pub mutation: Option<Mutation>,
}

/// More rows a page than this are cut down to it, or refused.
#[derive(Clone, Copy)]
pub enum Largest {
    Clamped(usize),
    Refused(usize),
}

/// What befalls a page, so many times.
#[derive(Clone, Copy)]
pub struct Fault {
    pub page: usize,
    pub times: usize,
    pub trouble: Trouble,
}

#[derive(Clone, Copy)]
pub enum Trouble {
    /// The answer is this status.
    Status(u16),
    /// The rows are those of another page.
    Repeats(usize),
    /// Rows are missing from its start.
    Short(usize),
    /// The answer is decided at once, and takes so long.
    Late(Duration),
}

/// So many requests in a window, and 429 after that.
#[derive(Clone, Copy)]
pub struct Rate {
    pub requests: usize,
    pub window: Duration,
}

/// A request, and what it met.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Such as `GET /api/v6/clients?page=1`.
    pub line: String,
    /// How many others were waiting for their answers when it came.
    pub beside: usize,
    pub status: u16,
    /// When its answer is sent.
    until: Instant,
}

/// The service of one test.
pub struct Listing {
    service: Service,
    state: Arc<Mutex<State>>,
}

struct State {
    ids: Vec<String>,
    quirks: Quirks,
    asked: Vec<Asked>,
    window: Option<Window>,
}

/// A decided answer.
struct Answer {
    status: u16,
    body: String,
    late: Duration,
}

impl Listing {
    pub fn start(ids: Vec<String>, quirks: Quirks) -> Self {
        let window = quirks.rate.map(|rate| Window::new(rate.requests, rate.window));
        let state = Arc::new(Mutex::new(State { ids, quirks, asked: Vec::new(), window }));
        let shared = Arc::clone(&state);
        Self { service: Service::start(move |request| shared.lock().unwrap().take(request.line)), state }
    }

    pub fn world(&self) -> World {
        self.service.world()
    }

    /// What was asked, in the order in which the answers were decided.
    pub fn asked(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    /// The lines of the requests, sorted by page where they came at once.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.asked().into_iter().map(|asked| asked.line).collect();
        lines.sort_by_key(|line| number(&parameters(line), "page"));
        lines
    }

    /// The greatest number of requests that waited for their answers at once.
    pub fn most_in_flight(&self) -> usize {
        self.asked().iter().map(|asked| asked.beside + 1).max().unwrap_or(0)
    }

    /// Requests whose answers were sent.
    pub fn answered(&self) -> usize {
        self.asked().iter().filter(|asked| asked.until <= Instant::now()).count()
    }

    pub fn connections(&self) -> usize {
        self.service.connections()
    }

    /// The list as it is now.
    pub fn ids(&self) -> Vec<String> {
        self.state().ids.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl State {
    /// Decides about a request, and writes it down.
    fn take(&mut self, line: String) -> Reply {
        if let Some(mutation) = &mut self.quirks.mutation {
            mutation(self.asked.len() + 1, &mut self.ids);
        }
        let (allowed, headers) = self.window.as_mut().map_or_else(|| (true, String::new()), Window::count);
        let Answer { status, body, late } = if allowed { self.answer(&line) } else { Answer::refusal(429) };
        let now = Instant::now();
        let beside = self.asked.iter().filter(|asked| asked.until > now).count();
        self.asked.push(Asked { line, beside, status, until: now + late });
        Reply::Late(late, Box::new(Reply::KeepAlive(status, headers, body)))
    }

    fn answer(&mut self, line: &str) -> Answer {
        let query = parameters(line);
        let page = number(&query, "page").unwrap_or(1);
        let wanted = number(&query, "perPage").unwrap_or(DEFAULT_ROWS);
        let rows = match self.quirks.largest {
            Some(Largest::Refused(most)) if wanted > most => return Answer::refusal(400),
            Some(Largest::Clamped(most)) => wanted.min(most),
            _ => wanted,
        };
        let list = list_name(line);
        let answer = match self.trouble(page) {
            None => self.page(list, page, rows, self.rows(page, rows)),
            Some(Trouble::Status(status)) => Answer::refusal(status),
            Some(Trouble::Repeats(other)) => self.page(list, page, rows, self.rows(other, rows)),
            Some(Trouble::Short(missing)) => self.page(list, page, rows, &self.rows(page, rows)[missing..]),
            Some(Trouble::Late(late)) => Answer { late, ..self.page(list, page, rows, self.rows(page, rows)) },
        };
        Answer { late: answer.late + self.quirks.latency, ..answer }
    }

    /// What befalls this page now.
    fn trouble(&mut self, page: usize) -> Option<Trouble> {
        let fault = self.quirks.faults.iter_mut().find(|fault| fault.page == page && fault.times > 0)?;
        fault.times -= 1;
        Some(fault.trouble)
    }

    /// The records of a page.
    fn rows(&self, page: usize, rows: usize) -> &[String] {
        let rows = self.quirks.rows.unwrap_or(rows);
        let start = ((page - 1) * rows).min(self.ids.len());
        &self.ids[start..(start + rows).min(self.ids.len())]
    }

    /// A page of these records in an envelope that speaks of `rows` a page.
    fn page(&self, list: &str, page: usize, rows: usize, ids: &[String]) -> Answer {
        if let Some(status) = self.quirks.past_the_end.filter(|_| page > 1 && ids.is_empty()) {
            return Answer::refusal(status);
        }
        let sent = ids.iter().filter(|id| self.quirks.hidden.is_none_or(|hidden| hidden != id.as_str()));
        let records: Vec<String> = sent.map(|id| format!(r#"{{"id":"{id}"}}"#)).collect();
        let total_items = self.quirks.total_items.unwrap_or(self.ids.len());
        let total_pages = self.quirks.total_pages.unwrap_or(total_items.div_ceil(rows));
        Answer::ok(format!(
            r#"{{"{list}":[{}],"meta":{{"pagination":{{"page":{page},"perPage":{rows},"totalPages":{total_pages},"totalItems":{total_items}}}}}}}"#,
            records.join(",")
        ))
    }
}

impl Answer {
    fn ok(body: String) -> Self {
        Self { status: 200, body, late: Duration::ZERO }
    }

    fn refusal(status: u16) -> Self {
        let message = if status == 400 { "Invalid parameters." } else { "No." };
        let body = format!(r#"{{"error":{{"status":{status},"code":"c","message":"{message}","details":[]}}}}"#);
        Self { status, ..Self::ok(body) }
    }
}

/// What the envelope calls a list: the last word of its path.
fn list_name(line: &str) -> &str {
    let path = line.split_once('?').map_or(line, |(path, _)| path);
    path.rsplit('/').next().unwrap()
}

fn parameters(line: &str) -> HashMap<&str, &str> {
    let query = line.split_once('?').map_or("", |(_, query)| query);
    query.split('&').filter_map(|pair| pair.split_once('=')).collect()
}

fn number(parameters: &HashMap<&str, &str>, name: &str) -> Option<usize> {
    parameters.get(name).and_then(|value| value.parse().ok())
}

/// One id for each letter.
pub fn letters(text: &str) -> Vec<String> {
    text.chars().map(String::from).collect()
}

/// So many ids.
pub fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("c{number:05}")).collect()
}
