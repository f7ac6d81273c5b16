//! Reads a complete list page by page. All pagination is here.

use super::page::{Page, record_key};
use super::reading::{Decision, Pass, Reading};
use super::{Api, Path, Request, Response};
use crate::error::{Error, Kind, Result};
use crate::resources::query::{PageRequest, Query, wire};
use crate::resources::{Record, Resource};
use futures_util::future::{FutureExt, LocalBoxFuture};
use futures_util::stream::{FuturesOrdered, StreamExt};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::Mutex;

/// The records to request per page (spec, "perPage": bounds and default not shown).
const DEFAULT_PER_PAGE: u32 = 100;
const INCOMPLETE_HINT: &str = "retry later, or show the causes: sitectl explain incomplete";
/// The most requests for lists, sites or tasks that a command has in flight.
pub const MAX_REQUESTS_IN_FLIGHT: usize = 8;
/// The wait before the second pass. It grows with each pass.
const PASS_DELAY: Duration = Duration::from_millis(100);

/// The endpoint of a list.
#[derive(Debug, Clone)]
pub struct ListEndpoint {
    /// The declaration of the list's records.
    pub resource: &'static Resource,
    pub path: Path,
}

/// How a list is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListOptions {
    /// Reads at most this many records; None reads all.
    pub limit: Option<u64>,
    /// The records to request per page, as the user typed it. The service may reject the number.
    pub per_page: Option<u32>,
}

/// Whether the service accepts `perPage` in each kind of list, by its plural. None until a response
/// shows it. The lock lets the first request of a kind go alone.
#[derive(Default)]
pub struct PerPageSupport(RefCell<HashMap<&'static str, Rc<Mutex<Option<bool>>>>>);

impl PerPageSupport {
    fn of(&self, resource: &Resource) -> Rc<Mutex<Option<bool>>> {
        let mut kinds = self.0.borrow_mut();
        Rc::clone(kinds.entry(resource.plural).or_default())
    }
}

impl Api {
    /// Reads one page. A service that rejects the number of records per page is asked once more
    /// without it, unless the user typed the number.
    ///
    /// # Errors
    /// `Unavailable` if the response is not a list of this resource.
    pub async fn read_page(
        &self,
        endpoint: &ListEndpoint,
        query: &Query,
        number: u64,
        options: ListOptions,
    ) -> Result<Page> {
        let page = |per_page| self.request_page(endpoint, query, PageRequest { number, per_page });
        if options.per_page.is_some() {
            return page(options.per_page).await;
        }
        let default = self.per_page.unwrap_or(DEFAULT_PER_PAGE);
        let limit = options.limit.unwrap_or(u64::MAX);
        let per_page = Some(limit.min(default.into()) as u32);
        let support = self.per_page_support.of(endpoint.resource);
        let mut is_supported = support.lock().await;
        if let Some(known) = *is_supported {
            drop(is_supported);
            return page(per_page.filter(|_| known)).await;
        }
        let first = page(per_page).await;
        match &first {
            Err(error) if rejects_per_page(error) => *is_supported = Some(false),
            Err(_) => return first,
            Ok(_) => {
                *is_supported = Some(true);
                return first;
            }
        }
        page(None).await
    }

    async fn request_page(
        &self,
        endpoint: &ListEndpoint,
        query: &Query,
        page: PageRequest,
    ) -> Result<Page> {
        let request = Request::get(endpoint.path.clone().with_query(&page.parameters(query)));
        let decode =
            |response: Response| Page::read(response.body, endpoint.resource, &self.key_hasher);
        self.transport
            .call(&request, decode)
            .await
            .map_err(|error| {
                let path = endpoint.path.as_str();
                endpoint.resource.name_assumed_path(error, path)
            })
    }

    /// Reads a complete list.
    ///
    /// # Errors
    /// Those of [`ListReader::next`].
    pub async fn all_records(&self, endpoint: &ListEndpoint, query: &Query) -> Result<Vec<Record>> {
        let reader = ListReader::new(self, endpoint, query, ListOptions::default());
        reader.records_until(|_| false).await
    }
}

/// Whether the service rejects the number of records per page: with a detail about it, or without
/// details.
fn rejects_per_page(error: &Error) -> bool {
    let mut details = error.details.iter();
    matches!(error.status, Some(400 | 422))
        && (error.details.is_empty() || details.any(|detail| detail.param == wire::PER_PAGE))
}

/// Reads the pages of a list, several at a time. Returns every record once, in the service's order.
/// Ends without an error only if [`Reading`] proves that no record is missing.
pub struct ListReader<'r> {
    api: &'r Api,
    pub endpoint: &'r ListEndpoint,
    query: &'r Query,
    options: ListOptions,
    reading: Reading,
    /// The last page of this pass that was requested.
    last_requested: u64,
    in_flight: FuturesOrdered<LocalBoxFuture<'r, Result<Page>>>,
    /// Pages that arrived before they were needed.
    arrived: VecDeque<Result<Page>>,
    /// How the list ended, which the next call of `next` returns; None while there are more pages.
    outcome: Option<Result<()>>,
}

impl<'r> ListReader<'r> {
    pub fn new(
        api: &'r Api,
        endpoint: &'r ListEndpoint,
        query: &'r Query,
        options: ListOptions,
    ) -> Self {
        Self {
            api,
            endpoint,
            query,
            options,
            reading: Reading::new(options.limit),
            last_requested: 0,
            in_flight: FuturesOrdered::new(),
            arrived: VecDeque::new(),
            outcome: None,
        }
    }

    /// Returns the current pass over the list.
    pub fn progress(&self) -> &Pass {
        &self.reading.pass
    }

    /// Returns the records of the next page that were not returned before, which may be an empty
    /// `Vec`, such as in another pass. Returns None at the end of the list.
    ///
    /// # Errors
    /// `Incomplete` if the list kept changing or a page is missing. Other errors are those of any
    /// request.
    pub async fn next(&mut self) -> Result<Option<Vec<Record>>> {
        if let Some(outcome) = self.outcome.take() {
            return outcome.map(|()| None);
        }
        let page = if self.reading.pass.pages_read == 0 {
            self.first_page().await?
        } else {
            self.later_page().await?
        };
        let (new_records, decision) = self.reading.add_page(page);
        match decision {
            Decision::NextPage => {}
            Decision::Done => self.outcome = Some(Ok(())),
            Decision::Incomplete => self.outcome = Some(Err(self.incomplete_error())),
            Decision::Restart => {
                // `last_requested` is set when the first page is requested again.
                self.in_flight = FuturesOrdered::new();
                self.arrived.clear();
                tokio::time::sleep(PASS_DELAY * u32::from(self.reading.pass.number - 1)).await;
            }
        }
        if self.query.parameters.is_empty() && self.options.limit.is_none() {
            let observer = &self.api.transport.connection.observer;
            observer.on_records(self.endpoint, &new_records);
        }
        Ok(Some(new_records))
    }

    /// Returns the records of the first page if they are enough, else those of the complete list.
    ///
    /// # Errors
    /// Those of [`Self::next`].
    pub async fn records_until(
        mut self,
        is_enough: impl Fn(&[Record]) -> bool,
    ) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        while let Some(new_records) = self.next().await? {
            records.extend(new_records);
            let is_first_page = self.reading.pass.number == 1 && self.reading.pass.pages_read == 1;
            if is_first_page && is_enough(&records) {
                return Ok(records);
            }
        }
        // Records of earlier passes may have been deleted since.
        records.retain(|record| {
            let key = record_key(&self.api.key_hasher, record);
            key.is_none_or(|key| self.reading.is_in_current_pass(key))
        });
        Ok(records)
    }

    /// Awaits `other`, and receives pages meanwhile, so that pages in flight don't time out.
    pub async fn receive_during<T>(&mut self, other: impl Future<Output = T>) -> T {
        let mut other = std::pin::pin!(other);
        loop {
            tokio::select! {
                biased;
                result = &mut other => return result,
                Some(page) = self.in_flight.next() => self.arrived.push_back(page),
            }
        }
    }

    /// Reads page 1 before the others, because it has the total.
    async fn first_page(&mut self) -> Result<Page> {
        self.last_requested = 1;
        self.request_page(1).await
    }

    /// Returns the next page, and requests pages after it. An error is never treated as the end of
    /// the list, because the page that could not be read can contain records.
    async fn later_page(&mut self) -> Result<Page> {
        self.request_pages();
        let page = match self.arrived.pop_front() {
            None => self.in_flight.next().await,
            arrived => arrived,
        };
        // The page was requested above, so that one is in flight.
        let page = page.unwrap_or_else(|| Err(self.incomplete_error()));
        page.map_err(|error| match error.kind {
            Kind::Auth | Kind::RateLimited | Kind::Interrupted => error,
            _ => error
                .with_kind(Kind::Incomplete)
                .context(format!(
                    "the list of {} is incomplete because page {} could not be read",
                    self.endpoint.resource.plural,
                    self.reading.pass.pages_read + 1
                ))
                .without_hints()
                .with_hint(INCOMPLETE_HINT),
        })
    }

    /// Requests pages until as many are in flight as allowed.
    fn request_pages(&mut self) {
        while self.in_flight.len() + self.arrived.len() < MAX_REQUESTS_IN_FLIGHT
            && self.last_requested < self.reading.last_page_to_request()
        {
            self.last_requested += 1;
            let page = self.request_page(self.last_requested);
            self.in_flight.push_back(page);
        }
    }

    fn request_page(&self, number: u64) -> LocalBoxFuture<'r, Result<Page>> {
        self.api
            .read_page(self.endpoint, self.query, number, self.options)
            .boxed_local()
    }

    fn incomplete_error(&self) -> Error {
        let plural = self.endpoint.resource.plural;
        let received = self.reading.returned;
        let of_total = match self.reading.pass.total_items {
            Some(total) => format!(" of {total}"),
            None => String::new(),
        };
        let message = format!(
            "the list of {plural} is incomplete or kept changing: \
             received {received}{of_total} records"
        );
        Error::new(Kind::Incomplete, message).with_hint(INCOMPLETE_HINT)
    }
}
