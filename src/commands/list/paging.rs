//! How a list is read, as flags: of lists that a command knows, and of those by hand.

use crate::client::{PAGES_IN_FLIGHT, Plan};
use crate::config::PER_PAGE;
use crate::config::number;
use clap::builder::TypedValueParser;

/// The flags of every list that is read page after page.
#[derive(Debug, clap::Args)]
pub struct Paging {
    /// Stop after N records
    #[arg(long, value_name = "N", value_parser = number::at_least(1_u64))]
    limit: Option<u64>,
    /// Rows in a page [default: as many as are needed, up to 1000]
    #[arg(long, value_name = "N", value_parser = number::within(PER_PAGE))]
    pub per_page: Option<u32>,
    /// Read until two readings are alike; slower, also notices one record that replaced another
    #[arg(long, conflicts_with = "limit")]
    verify: bool,
    #[arg(
        long,
        value_name = "N",
        help = format!("Pages that are fetched at a time [default: {PAGES_IN_FLIGHT}]"),
        value_parser = number::within(1_u8..=64).map(usize::from)
    )]
    concurrency: Option<usize>,
}

impl Paging {
    /// What they come to; `usual` is the number of rows where none is given.
    pub fn plan(&self, usual: Option<u32>) -> Plan {
        Plan {
            limit: self.limit,
            per_page: self.per_page.or(usual),
            verify: self.verify,
            in_flight: self.concurrency.unwrap_or(PAGES_IN_FLIGHT),
        }
    }
}
