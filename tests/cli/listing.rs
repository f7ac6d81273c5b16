//! A service with a list of ids. It serves pages of any size on any number of connections, records the requests, and
//! deviates from a correct service as a test specifies.

use crate::common::World;
use crate::service::{Reply, Service};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The default number of rows per page.
const DEFAULT_ROWS: usize = 25;

/// Changes the list before the response to a request, counted from 1.
pub type Mutation = Box<dyn FnMut(usize, &mut Vec<String>) + Send>;

/// How the service deviates from a correct one.
#[derive(Default)]
pub struct Quirks {
    /// The most rows per page. A request for more is rejected with 400.
    pub largest: Option<usize>,
    /// Faults of single pages. The first that applies is used.
    pub faults: Vec<Fault>,
    /// The reported total.
    pub total_items: Option<usize>,
    /// The delay of each response.
    pub latency: Duration,
    pub mutation: Option<Mutation>,
}

/// A fault that a page has this many times.
#[derive(Clone, Copy)]
pub struct Fault {
    pub page: usize,
    pub times: usize,
    pub trouble: Trouble,
}

#[derive(Clone, Copy)]
pub enum Trouble {
    /// The response has this status.
    Status(u16),
    /// The rows are those of another page.
    Repeats(usize),
    /// The response is delayed.
    Late(Duration),
}

/// A request and its response.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Such as `GET /api/v6/clients?page=1`.
    pub line: String,
    /// The number of other requests in flight when it arrived.
    pub beside: usize,
    /// When its response is sent.
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
}

/// The status and the body of a response.
type Response = (u16, String);

impl Listing {
    pub fn start(ids: Vec<String>, quirks: Quirks) -> Self {
        let state = Arc::new(Mutex::new(State {
            ids,
            quirks,
            asked: Vec::new(),
        }));
        let shared = Arc::clone(&state);
        Self {
            service: Service::start(move |request| shared.lock().unwrap().take(request.line)),
            state,
        }
    }

    pub fn world(&self) -> World {
        self.service.world()
    }

    pub fn base_url(&self) -> &str {
        &self.service.base_url
    }

    /// Returns the requests in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    /// Returns the lines of the requests, sorted by page.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.asked().into_iter().map(|asked| asked.line).collect();
        lines.sort_by_key(|line| number(&parameters(line), "page"));
        lines
    }

    /// Returns the most requests in flight at the same time.
    pub fn most_in_flight(&self) -> usize {
        self.asked()
            .iter()
            .map(|asked| asked.beside + 1)
            .max()
            .unwrap_or(0)
    }

    pub fn connections(&self) -> usize {
        self.service.connections()
    }

    /// Returns the current list.
    pub fn ids(&self) -> Vec<String> {
        self.state().ids.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl State {
    /// Records a request and returns the response.
    fn take(&mut self, line: String) -> Reply {
        if let Some(mutation) = &mut self.quirks.mutation {
            mutation(self.asked.len() + 1, &mut self.ids);
        }
        let query = parameters(&line);
        let page = number(&query, "page").unwrap_or(1);
        let trouble = self.trouble(page);
        let (status, body) = self.answer(
            page,
            number(&query, "perPage").unwrap_or(DEFAULT_ROWS),
            trouble,
        );
        let late = match trouble {
            Some(Trouble::Late(late)) => self.quirks.latency + late,
            _ => self.quirks.latency,
        };
        let now = Instant::now();
        let beside = self.asked.iter().filter(|asked| asked.until > now).count();
        self.asked.push(Asked {
            line,
            beside,
            until: now + late,
        });
        Reply::Late(
            late,
            Box::new(Reply::KeepAlive(status, String::new(), body)),
        )
    }

    fn answer(&self, page: usize, rows: usize, trouble: Option<Trouble>) -> Response {
        if self.quirks.largest.is_some_and(|largest| rows > largest) {
            return refusal(400);
        }
        match trouble {
            Some(Trouble::Status(status)) => refusal(status),
            Some(Trouble::Repeats(other)) => self.page(page, rows, self.rows(other, rows)),
            None | Some(Trouble::Late(_)) => self.page(page, rows, self.rows(page, rows)),
        }
    }

    /// Returns the fault of this page.
    fn trouble(&mut self, page: usize) -> Option<Trouble> {
        let fault = self
            .quirks
            .faults
            .iter_mut()
            .find(|fault| fault.page == page && fault.times > 0)?;
        fault.times -= 1;
        Some(fault.trouble)
    }

    /// Returns the records of a page.
    fn rows(&self, page: usize, rows: usize) -> &[String] {
        let start = ((page - 1) * rows).min(self.ids.len());
        &self.ids[start..(start + rows).min(self.ids.len())]
    }

    /// Returns a page of these records in an envelope that reports `rows` rows per page.
    fn page(&self, page: usize, rows: usize, ids: &[String]) -> Response {
        let records: Vec<String> = ids.iter().map(|id| format!(r#"{{"id":"{id}"}}"#)).collect();
        let total_items = self.quirks.total_items.unwrap_or(self.ids.len());
        let total_pages = total_items.div_ceil(rows);
        let body = format!(
            r#"{{"clients":[{}],"meta":{{"pagination":{{"page":{page},"perPage":{rows},"totalPages":{total_pages},"totalItems":{total_items}}}}}}}"#,
            records.join(",")
        );
        (200, body)
    }
}

fn refusal(status: u16) -> Response {
    (
        status,
        r#"{"error":{"code":"c","message":"No.","details":[]}}"#.into(),
    )
}

fn parameters(line: &str) -> HashMap<&str, &str> {
    let query = line.split_once('?').map_or("", |(_, query)| query);
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .collect()
}

fn number(parameters: &HashMap<&str, &str>, name: &str) -> Option<usize> {
    parameters.get(name).and_then(|value| value.parse().ok())
}

/// Returns one id for each letter.
pub fn letters(text: &str) -> Vec<String> {
    text.chars().map(String::from).collect()
}

/// Returns this many ids.
pub fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("c{number:05}")).collect()
}
