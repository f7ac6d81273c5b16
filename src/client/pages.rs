//! Reads a complete list page by page. All pagination is here.

use super::page::Page;
use super::reading::{Next, Reading};
use super::{Api, Path, Request};
use crate::error::{Error, Kind, Result};
use crate::resources::query::{PageRequest, Query};
use crate::resources::{Record, Resource};
use futures_util::future::{FutureExt, LocalBoxFuture};
use futures_util::stream::{FuturesOrdered, StreamExt};
use std::collections::VecDeque;
use std::time::Duration;

/// Rows to request per page, because the service limits requests, not rows (spec, "perPage": maximum not shown).
const MOST_ROWS: u32 = 1000;
/// The hint for an incomplete list.
const RETRY: &str =
    "retry when the list stops changing, or show the causes: sitectl explain incomplete";
/// Requests in flight.
pub const IN_FLIGHT: usize = 8;
/// Rows of all pages in flight, which take a few MiB.
const ROWS_IN_FLIGHT: u64 = 3000;

/// A list of the service.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The declaration of its records.
    pub resource: &'static Resource,
    /// Its path.
    pub path: Path,
}

/// How a list is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListOptions {
    /// Reads at most this many records.
    pub limit: Option<u64>,
    /// Rows to request per page; none requests as many as needed.
    pub per_page: Option<u32>,
    /// Reads until two passes match.
    pub verify: bool,
}

impl ListOptions {
    /// Returns the rows to request for the first page.
    pub fn rows_at_first(&self) -> u32 {
        let needed = self
            .limit
            .map_or(MOST_ROWS, |limit| limit.min(MOST_ROWS.into()) as u32);
        self.per_page.unwrap_or(needed)
    }
}

impl Api {
    /// Reads one page.
    ///
    /// # Errors
    /// `Unavailable` if the response is not a list of this resource.
    pub async fn page(&self, listing: &Listing, query: &Query, page: PageRequest) -> Result<Page> {
        let request = Request::get(&listing.path, &page.parameters(query));
        self.transport
            .call(&request, async |response| {
                Page::read(response, listing.resource, &self.keys).await
            })
            .await
    }

    /// Reads all records of a list that selects the target of a change.
    ///
    /// # Errors
    /// As [`Walk::next`].
    pub async fn all(&self, listing: &Listing, query: &Query) -> Result<Vec<Record>> {
        let mut walk = Walk::new(self, listing, query, ListOptions::default());
        let mut records = Vec::new();
        while let Some(more) = walk.next().await? {
            records.extend(more);
        }
        Ok(records)
    }
}

/// Reads the pages of a list, several at a time. Returns every record once, in the service's order. Ends without an error
/// only if [`Reading`] proves that no record is missing.
pub struct Walk<'w> {
    api: &'w Api,
    /// The list.
    pub listing: &'w Listing,
    query: &'w Query,
    plan: ListOptions,
    /// Rows to request per page; none leaves the number to the service, which rejected the default.
    pub rows: Option<u32>,
    /// The progress.
    pub reading: Reading,
    /// The last page of this pass that was requested.
    asked: u64,
    /// Pages in flight.
    coming: FuturesOrdered<LocalBoxFuture<'w, Result<Page>>>,
    /// Pages that arrived early.
    come: VecDeque<Result<Page>>,
    /// The result, once all pages were read.
    end: Option<Result<()>>,
}

impl<'w> Walk<'w> {
    /// Prepares to read a list.
    pub fn new(api: &'w Api, listing: &'w Listing, query: &'w Query, plan: ListOptions) -> Self {
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

    /// Returns the new records of the next page; none at the end.
    ///
    /// # Errors
    /// `Incomplete` if the list kept changing or a page is missing; else as any request.
    pub async fn next(&mut self) -> Result<Option<Vec<Record>>> {
        if let Some(end) = self.end.take() {
            return end.map(|()| None);
        }
        let first = self.reading.pass.page == 0;
        let page = if first {
            self.first_page().await
        } else {
            self.following_page().await
        }?;
        let (fresh, next) = self.reading.take(page);
        match next {
            Next::Page => {}
            Next::Complete => self.end = Some(Ok(())),
            Next::Never => self.end = Some(Err(self.incomplete())),
            Next::Again => {
                self.coming = FuturesOrdered::new();
                self.come.clear();
                tokio::time::sleep(Duration::from_millis(100) * (self.reading.pass.number - 1))
                    .await;
            }
        }
        self.api.report_records(self.listing, &fresh);
        Ok(Some(fresh))
    }

    /// Does other work while pages in flight arrive, so that they don't time out.
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

    /// Reads page 1 before the others, because it has the total and shows whether the service accepts the number of rows.
    async fn first_page(&mut self) -> Result<Page> {
        self.asked = 1;
        let response = self.fetch(1).await;
        let refused = response
            .as_ref()
            .is_err_and(|error| matches!(error.status, Some(400 | 422)));
        if !refused || self.plan.per_page.is_some() || self.rows.is_none() {
            return response;
        }
        // Without perPage, the service uses its own number.
        self.rows = None;
        self.fetch(1).await
    }

    /// Returns the next page, and requests those after it. An error never ends a list, because the rejected page can
    /// contain records.
    async fn following_page(&mut self) -> Result<Page> {
        // Fewer pages, if they are large.
        let most =
            (ROWS_IN_FLIGHT / self.reading.pass.fullest.max(1)).clamp(1, IN_FLIGHT as u64) as usize;
        while self.coming.len() + self.come.len() < most && self.asked < self.reading.horizon() {
            self.asked += 1;
            let page = self.fetch(self.asked);
            self.coming.push_back(page);
        }
        let page = match self.come.pop_front() {
            None => self.coming.next().await,
            come => come,
        };
        let (plural, number) = (self.listing.resource.plural, self.reading.pass.page + 1);
        let missing =
            format!("the list of {plural} is incomplete because page {number} could not be read");
        page.unwrap_or_else(|| Err(self.incomplete()))
            .map_err(|error| match error.kind {
                Kind::Auth | Kind::RateLimited | Kind::Interrupted => error,
                _ => error
                    .with_kind(Kind::Incomplete)
                    .context(missing)
                    .with_hint(RETRY),
            })
    }

    fn fetch(&self, number: u64) -> LocalBoxFuture<'w, Result<Page>> {
        let (api, listing, query) = (self.api, self.listing, self.query);
        let wanted = PageRequest {
            number,
            per_page: self.rows,
        };
        async move { api.page(listing, query, wanted).await }.boxed_local()
    }

    fn incomplete(&self) -> Error {
        let (plural, met) = (self.listing.resource.plural, self.reading.met.len());
        let of = self
            .reading
            .pass
            .total
            .map(|total| format!(" of {total}"))
            .unwrap_or_default();
        let what = format!("is incomplete or kept changing: received {met}{of} records");
        Error::new(Kind::Incomplete, format!("the list of {plural} {what}")).with_hint(RETRY)
    }
}
