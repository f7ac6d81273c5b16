//! The record of restores on this machine. A run is on disk with all its restores before its first
//! request is sent, so that no restore is lost and none is decided twice.

mod file;
mod run;
#[cfg(test)]
mod tests;

pub use file::Journal;
pub use run::current_time;
pub use run::{DecidedRestore, Entry, Observation, RestoreError, RestoreId, Run, RunDetails, Runs};
