//! Reads a list whole, page after page, and proves that it did: the one place that knows about paging.

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

/// Rows to ask for in one page: requests are what the service rations (its own maximum is not shown).
const MOST_ROWS: u32 = 1000;
/// What to do about an incomplete list.
const RETRY: &str = "retry when the list stops changing; see the causes with: sitectl explain incomplete";
/// Requests in flight.
pub const IN_FLIGHT: usize = 8;
/// Rows of pages in flight: with their text they take a few MiB.
const ROWS_IN_FLIGHT: u64 = 3000;

/// A list that the service offers.
#[derive(Debug, Clone)]
pub struct Listing {
    /// What its records are.
    pub resource: &'static Resource,
    /// Where it is.
    pub path: Path,
}

impl Listing {
    /// A list that a command knows.
    pub fn new(resource: &'static Resource, path: Path) -> Self {
        Self { resource, path }
    }
}

/// How a list is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plan {
    /// Needs this many records at most.
    pub limit: Option<u64>,
    /// Rows to ask for in a page, and no other number; without it, as many as are needed.
    pub per_page: Option<u32>,
    /// Reads until two readings agree.
    pub verify: bool,
}

impl Plan {
    /// Rows to ask for in the first page, where the list has not refused that.
    pub fn rows_at_first(&self) -> u32 {
        let needed = || self.limit.and_then(|limit| u32::try_from(limit).ok()).map_or(MOST_ROWS, |n| n.min(MOST_ROWS));
        self.per_page.unwrap_or_else(needed)
    }
}

impl Api {
    /// One page, as the service has it now.
    ///
    /// # Errors
    /// `Unavailable` where the answer is not a list of this resource.
    pub async fn page(&self, listing: &Listing, query: &Query, page: PageRequest) -> Result<Page> {
        let request = Request::get(&listing.path, &wire::parameters(query, page));
        self.transport.call(&request, async |response| Page::read(response, listing.resource, &self.keys).await).await
    }

    /// All records of a list that is not printed as it is read, but may choose what a change acts on.
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

/// A page on its way.
type Coming<'w> = Pin<Box<dyn Future<Output = Result<Page>> + 'w>>;

/// A walk over the pages of a list, several of them at a time. Every record comes once, in the service's order, and the
/// walk ends well only where [`Reading`] finds that nothing is missing.
pub struct Walk<'w> {
    api: &'w Api,
    listing: &'w Listing,
    query: &'w Query,
    plan: Plan,
    /// Rows to ask for; none leaves it to the service.
    rows: Option<u32>,
    reading: Reading,
    /// The last page of this pass that was asked for.
    asked: u64,
    coming: FuturesOrdered<Coming<'w>>,
    /// Pages that came while nobody asked for the next.
    come: VecDeque<Result<Page>>,
    /// How the walk ended, once it has.
    end: Option<Result<()>>,
}

impl<'w> Walk<'w> {
    /// A walk that has not begun.
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

    /// Returns the resource that the list is of.
    pub fn resource(&self) -> &'static Resource {
        self.listing.resource
    }

    /// Where the walk stands.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Whether the service has refused the number of rows that is asked for by default.
    pub fn has_refused_rows(&self) -> bool {
        self.rows.is_none()
    }

    /// The records of the next page that have not come before; none at the proven end.
    ///
    /// # Errors
    /// `Incomplete` where the list would not hold still or pages went missing; else what the service answered.
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

    /// Does something else while the pages that are on their way arrive: one that nobody looks after times out.
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

    /// Page 1 comes alone: it says how many there are, and whether the number of rows is one that the service takes.
    async fn first_page(&mut self) -> Result<Page> {
        self.asked = 1;
        let answer = self.fetch(1).await;
        let refused = answer.as_ref().is_err_and(|error| matches!(error.status, Some(400 | 422)));
        if !refused || self.plan.per_page.is_some() || self.rows.is_none() {
            return answer;
        }
        // Its own number of rows is always allowed.
        self.rows = None;
        self.fetch(1).await
    }

    /// Pages that may be in flight: fewer if they are large.
    fn in_flight(&self) -> usize {
        let fitting = usize::try_from(ROWS_IN_FLIGHT / self.reading.fullest().max(1)).unwrap_or(IN_FLIGHT);
        fitting.clamp(1, IN_FLIGHT)
    }

    /// The page after those that were taken in, while those behind it are on their way. An error never ends a list,
    /// because a page that the service refuses may hold records.
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
        self.forget();
        self.end = Some(end);
    }

    /// Pages that are still on their way are of no use any more.
    fn forget(&mut self) {
        self.coming = FuturesOrdered::new();
        self.come.clear();
    }

    async fn begin_again(&mut self) {
        self.forget();
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
