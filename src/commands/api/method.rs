//! The method of a request by hand, and so whether it only reads.

use crate::client::{Changing, Reading};

/// The methods that the service may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "UPPER")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
}

/// What a method does.
pub enum Deed {
    /// It changes nothing.
    Read(Reading),
    /// It may change something.
    Change(Changing),
}

impl Method {
    /// What it does.
    pub fn deed(self) -> Deed {
        match self {
            Self::Get => Deed::Read(Reading::Get),
            Self::Head => Deed::Read(Reading::Head),
            Self::Post => Deed::Change(Changing::Post),
            Self::Put => Deed::Change(Changing::Put),
            Self::Patch => Deed::Change(Changing::Patch),
            Self::Delete => Deed::Change(Changing::Delete),
        }
    }

    /// Whether it only reads.
    pub fn reads(self) -> bool {
        matches!(self.deed(), Deed::Read(_))
    }

    /// As it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}
