//! What became of a restore: in the journal, while it is watched, in output, and as a color.

use serde::{Deserialize, Serialize};

/// What became of a restore, as far as is known.
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
    /// It was not sent, or its outcome is unknown, and the site was restored again later.
    Superseded,
    /// It was still running when the time to watch it ended.
    TimedOut,
}

/// The names of the outcomes in the journal. While watching, `timed_out` is possible too.
pub const OUTCOMES: &[&str] = &[
    "not_sent",
    "rejected",
    "running",
    "succeeded",
    "failed",
    "unknown",
    "superseded",
];

impl Outcome {
    /// Returns the name in output, such as `not_sent`.
    pub fn name(self) -> &'static str {
        OUTCOMES.get(self as usize).unwrap_or(&"timed_out")
    }

    /// Whether the task has ended.
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }

    /// Whether the service has accepted the restore, as far as this shows.
    pub fn was_accepted(self) -> bool {
        self == Self::Running || self.has_ended()
    }

    /// Whether the service may have started the restore, and no later restore has settled that.
    pub fn may_have_started(self) -> bool {
        !matches!(self, Self::NotSent | Self::Rejected | Self::Superseded)
    }

    /// Returns the outcomes that have a color, each with its ANSI code.
    pub fn with_colors() -> [(Self, &'static str); 5] {
        [
            (Self::Succeeded, "32"),
            (Self::Failed, "31"),
            (Self::Rejected, "31"),
            (Self::Unknown, "33"),
            (Self::TimedOut, "33"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_journal() {
        for outcome in [
            Outcome::NotSent,
            Outcome::Rejected,
            Outcome::Running,
            Outcome::Succeeded,
            Outcome::Failed,
            Outcome::Unknown,
            Outcome::Superseded,
            Outcome::TimedOut,
        ] {
            let json = serde_json::to_string(&outcome).unwrap_or_default();
            assert_eq!(json, format!("{:?}", outcome.name()));
        }
    }
}
