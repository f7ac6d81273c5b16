//! The record of restores. An intent is on disk before its request is sent, so that no restore is
//! lost.

mod entry;
mod file;
#[cfg(test)]
mod tests;

pub use entry::{Entry, Intent, Outcome, PlanRun, unfinished_restores};
pub use file::Journal;
