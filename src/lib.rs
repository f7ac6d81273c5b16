//! sitectl: the operator command line of a site-management service.

pub mod cli;
mod commands;
pub mod sandbox;
