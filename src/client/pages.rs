//! Reads a complete list, page by page. [`Reading`] decides if it is complete.

use super::page::Page;
use super::reading::{Next, Reading};
use super::{Api, Path, Request};
use crate::error::{Error, Kind, Result};
use crate::resources::query::{PageRequest, Query, wire};
use crate::resources::{Record, Resource};
use futures_util::stream::{FuturesOrdered, StreamExt};
use std::collections::VecDeque;
use std::pin::Pin;
use std::time::Duration;

/// Rows to request in one page, because the rate limit counts requests (the maximum is not specified).
const MOST_ROWS: u32 = 1000;
/// The hint for an incomplete list.
const RETRY: &str = "retry when the list stops changing; see the causes with: sitectl explain incomplete";
/// Requests in flight.
pub const IN_FLIGHT: usize = 8;
/// The rows of all pages in flight, which take a few MiB.
const ROWS_IN_FLIGHT: u64 = 3000;

/// A list of the service.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The resource of its records.
    pub resource: &'static Resource,
    /// Its path.
    pub path: Path,
}

impl Listing {
    /// Declares a list.
    pub fn new(resource: &'static Resource, path: Path) -> Self {
        Self { resource, path }
    }
}

/// The options of reading a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plan {
    /// The most records that are needed.
    pub limit: Option<u64>,
    /// Rows to request in a page; without a number, as many as are needed.
    pub per_page: Option<u32>,
    /// Reads until two passes match.
    pub verify: bool,
}

impl Plan {
    /// Returns the rows to request in the first page.
    pub fn rows_at_first(&self) -> u32 {
        let needed = || self.limit.and_then(|limit| u32::try_from(limit).ok()).map_or(MOST_ROWS, |n| n.min(MOST_ROWS));
        self.per_page.unwrap_or_else(needed)
    }
}

impl Api {
    /// Requests one page.
    ///
    /// # Errors
    /// `Unavailable` if the response is not a list of this resource.
    pub async fn page(&self, listing: &Listing, query: &Query, page: PageRequest) -> Result<Page> {
        let request = Request::get(&listing.path, &wire::parameters(query, page));
        self.transport.call(&request, async |response| Page::read(response, listing.resource, &self.keys).await).await
    }

    /// Reads all records of a list that is not printed, such as to choose the object of a change.
    ///
    /// # Errors
    /// As [`Walk::next`].
    pub async fn all(&self, listing: &Listing, query: &Query) -> Result<Vec<Record>> {
        let mut walk = Walk::new(self, listing, query, Plan::default());
        let mut records = Vec::new();
        while let Some(more) = walk.next().await? {
            records.extend(more);
        }
        Ok(records)
    }
}

/// A page in flight.
type Coming<'w> = Pin<Box<dyn Future<Output = Result<Page>> + 'w>>;

/// A walk over the pages of a list, several at a time. It returns every record once, in the service's order, and
/// succeeds only if the list is complete.
pub struct Walk<'w> {
    api: &'w Api,
    listing: &'w Listing,
    query: &'w Query,
    plan: Plan,
    /// Rows to request; none is the default of the service.
    rows: Option<u32>,
    reading: Reading,
    /// The last page of this pass that was requested.
    asked: u64,
    coming: FuturesOrdered<Coming<'w>>,
    /// Pages that arrived before they were needed.
    come: VecDeque<Result<Page>>,
    /// The end of the walk.
    end: Option<Result<()>>,
}

impl<'w> Walk<'w> {
    /// Begins a walk.
    pub fn new(api: &'w Api, listing: &'w Listing, query: &'w Query, plan: Plan) -> Self {
        Self {
            api,
            listing,
            query,
            plan,
            rows: Some(plan.rows_at_first()),
            reading: Reading::new(plan.verify, plan.limit),
            asked: 0,
            coming: FuturesOrdered::new(),
            come: VecDeque::new(),
            end: None,
        }
    }

    /// Returns the resource of the list.
    pub fn resource(&self) -> &'static Resource {
        self.listing.resource
    }

    /// Returns the progress of the walk.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Whether the service has refused the default number of rows.
    pub fn has_refused_rows(&self) -> bool {
        self.rows.is_none()
    }

    /// Returns the new records of the next page; none at the end of a complete list.
    ///
    /// # Errors
    /// `Incomplete` if the list kept changing or a page is missing; else the error of the response.
    pub async fn next(&mut self) -> Result<Option<Vec<Record>>> {
        if let Some(end) = self.end.take() {
            return end.map(|()| None);
        }
        let first = self.reading.pages() == 0;
        let page = if first { self.first_page().await } else { self.following_page().await }?;
        let (fresh, next) = self.reading.take(page);
        match next {
            Next::Page => {}
            Next::Complete => self.finish(Ok(())),
            Next::Never => self.finish(Err(self.incomplete())),
            Next::Again => self.begin_again().await,
        }
        self.api.saw(self.listing, &fresh);
        Ok(Some(fresh))
    }

    /// Drives `other` while pages arrive, because a page that is not read would time out.
    pub async fn meanwhile<T>(&mut self, other: impl Future<Output = T>) -> T {
        let mut other = std::pin::pin!(other);
        loop {
            tokio::select! {
                biased;
                done = &mut other => return done,
                Some(page) = self.coming.next() => self.come.push_back(page),
            }
        }
    }

    /// Requests page 1 alone, because it shows the total, and if the service accepts the number of rows.
    async fn first_page(&mut self) -> Result<Page> {
        self.asked = 1;
        let response = self.fetch(1).await;
        let refused = response.as_ref().is_err_and(|error| matches!(error.status, Some(400 | 422)));
        if !refused || self.plan.per_page.is_some() || self.rows.is_none() {
            return response;
        }
        // The default of the service is always accepted.
        self.rows = None;
        self.fetch(1).await
    }

    /// Returns the most pages in flight: fewer if they are large.
    fn in_flight(&self) -> usize {
        let fitting = usize::try_from(ROWS_IN_FLIGHT / self.reading.fullest().max(1)).unwrap_or(IN_FLIGHT);
        fitting.clamp(1, IN_FLIGHT)
    }

    /// Returns the next page, while later pages are in flight. An error never ends a list, because a refused page may
    /// have records.
    async fn following_page(&mut self) -> Result<Page> {
        let room = |walk: &Self| walk.coming.len() + walk.come.len() < walk.in_flight();
        while room(self) && self.asked < self.reading.horizon() {
            self.asked += 1;
            let page = self.fetch(self.asked);
            self.coming.push_back(page);
        }
        let page = match self.come.pop_front() {
            None => self.coming.next().await,
            come => come,
        };
        page.unwrap_or_else(|| Err(self.incomplete())).map_err(|error| match error.kind {
            Kind::Auth | Kind::RateLimited | Kind::Interrupted => error,
            _ => error.kind(Kind::Incomplete).context(self.missing_page()).hint(RETRY),
        })
    }

    fn missing_page(&self) -> String {
        let (plural, number) = (self.listing.resource.plural, self.reading.pages() + 1);
        format!("the list of {plural} is incomplete because page {number} could not be read")
    }

    fn fetch(&self, number: u64) -> Coming<'w> {
        let (api, listing, query) = (self.api, self.listing, self.query);
        let wanted = PageRequest { number, per_page: self.rows };
        Box::pin(async move { api.page(listing, query, wanted).await })
    }

    fn finish(&mut self, end: Result<()>) {
        self.abandon();
        self.end = Some(end);
    }

    /// Abandons the pages in flight.
    fn abandon(&mut self) {
        self.coming = FuturesOrdered::new();
        self.come.clear();
    }

    async fn begin_again(&mut self) {
        self.abandon();
        tokio::time::sleep(Duration::from_millis(100) * (self.reading.pass() - 1)).await;
    }

    fn incomplete(&self) -> Error {
        let (plural, met) = (self.listing.resource.plural, self.reading.met());
        let total = self.reading.total().filter(|total| *total != met as u64);
        let what = match total {
            Some(total) => format!("is incomplete: received {met} of {total} records"),
            None if self.reading.has_more() => {
                format!("is incomplete: the service reports more records than the {met} that it sent")
            }
            None => "kept changing while it was read".into(),
        };
        Error::new(Kind::Incomplete, format!("the list of {plural} {what}")).hint(RETRY)
    }
}
