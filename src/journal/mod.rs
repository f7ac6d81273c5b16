//! The record of restores: what was intended, what was started, what came of it. An intent is on disk before its
//! request is sent, so that nothing that was started is ever forgotten.

mod entry;
mod file;
mod known;
mod run;

pub use entry::{Entry, Intent, Outcome, unfinished};
pub use file::Journal;
pub use run::Run;

#[cfg(test)]
mod tests;
