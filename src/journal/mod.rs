//! The record of restores on this machine. The intent of a restore is on disk before its request is
//! sent, so that no restore is lost.

mod entry;
mod file;
#[cfg(test)]
mod tests;

pub use entry::{Entry, Intent, Outcome, PlanRun, unfinished_restores};
pub use file::Journal;
