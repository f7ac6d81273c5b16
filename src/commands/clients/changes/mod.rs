//! Changes to clients, each to its end: where an answer is lost, the service is asked what became of it. The commands
//! for one client and for many make their changes here.

mod create;
mod delete;
mod difference;
mod kept;
mod shown;
mod update;

pub use create::create;
pub use delete::{UNREPORTED, delete};
pub use difference::{Change, differences};
pub use update::{Updated, update};

/// How long a service that broke off gets to finish what it may have begun, before it is believed to have done nothing.
const SETTLING: std::time::Duration = std::time::Duration::from_millis(1500);
