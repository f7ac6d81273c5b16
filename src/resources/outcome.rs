//! The outcome of a restore: in the journal, in output, and as a color.

use serde::{Deserialize, Serialize};

/// The outcome of a restore, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was not sent, or the service surely did not process it.
    NotSent,
    /// The service rejected its values.
    Rejected,
    Running,
    Succeeded,
    Failed,
    /// It was sent, and may have been started.
    Unknown,
}

/// The names of the outcomes.
pub const OUTCOMES: &[&str] = &[
    "not_sent",
    "rejected",
    "running",
    "succeeded",
    "failed",
    "unknown",
];

impl Outcome {
    /// Returns the name in output, such as `not_sent`.
    pub fn name(self) -> &'static str {
        OUTCOMES[self as usize]
    }

    /// Whether the task has ended.
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }

    /// Whether nothing replaces it.
    pub fn is_final(self) -> bool {
        self.has_ended() || self == Self::Rejected
    }

    /// Whether the service has accepted the restore, as far as this shows.
    pub fn was_accepted(self) -> bool {
        self == Self::Running || self.has_ended()
    }

    /// Whether the restore may still overwrite the site.
    pub fn is_unfinished(self) -> bool {
        matches!(self, Self::Running | Self::Unknown)
    }

    /// Returns the ANSI color of the outcome with this name; None if it has none.
    pub fn color(name: &str) -> Option<&'static str> {
        match name {
            "succeeded" => Some("32"),
            "failed" | "rejected" => Some("31"),
            "unknown" => Some("33"),
            _ => None,
        }
    }
}
