//! When trouble while polling is believed: most of it passes. Pure: who calls it says what time it is.

use crate::error::Kind;
use std::time::{Duration, Instant};

/// A refusal, or a missing task, that has not come so often in a row is not believed.
const BELIEVED: u32 = 5;
/// So long a refusal of the token may pass, and so long a task that was never seen is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The trouble that came last, where no answer has come since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trouble {
    /// Of which kind.
    pub kind: Kind,
    /// How often in a row.
    count: u32,
    /// Since when there is nothing but this.
    since: Instant,
}

impl Trouble {
    /// One more after what was before.
    pub fn after(before: Option<Self>, kind: Kind, now: Instant) -> Self {
        match before.filter(|before| before.kind == kind) {
            Some(before) => Self { count: before.count + 1, ..before },
            None => Self { kind, count: 1, since: now },
        }
    }

    /// Whether a task is given up for it. A task is known where it was seen, or where the journal has it.
    pub fn is_believed(&self, known: bool, now: Instant) -> bool {
        match self.kind {
            Kind::Usage => true,
            Kind::NotFound | Kind::Auth if !known => true,
            Kind::NotFound => self.count >= BELIEVED,
            Kind::Auth => self.count >= BELIEVED && now - self.since >= PATIENCE,
            _ => !known && self.count >= BELIEVED && now - self.since >= PATIENCE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many of these, one each ten seconds, a task is given up; none where never.
    fn believed(known: bool, kinds: &[Kind]) -> Option<usize> {
        let begun = Instant::now();
        let mut trouble = None;
        let given_up = kinds.iter().enumerate().position(|(number, kind)| {
            let now = begun + Duration::from_secs(10) * number as u32;
            trouble.insert(Trouble::after(trouble, *kind, now)).is_believed(known, now)
        });
        given_up.map(|place| place + 1)
    }

    #[test]
    fn a_task_that_is_known_is_missed_five_times() {
        assert_eq!(believed(true, &[Kind::NotFound; 9]), Some(5));
        assert_eq!(believed(false, &[Kind::NotFound; 9]), Some(1));
        let passing = [[Kind::NotFound; 4].as_slice(), &[Kind::Unavailable], &[Kind::NotFound; 4]].concat();
        assert_eq!(believed(true, &passing), None);
    }

    #[test]
    fn a_refused_token_is_believed_after_a_minute() {
        assert_eq!(believed(true, &[Kind::Auth; 9]), Some(7));
        assert_eq!(believed(false, &[Kind::Auth; 9]), Some(1));
        let passing = [[Kind::Auth; 6].as_slice(), &[Kind::Unavailable], &[Kind::Auth; 6]].concat();
        assert_eq!(believed(true, &passing), None);
        let start = Instant::now();
        let later = start + PATIENCE;
        let rare = Trouble::after(Some(Trouble::after(None, Kind::Auth, start)), Kind::Auth, later);
        assert!(!rare.is_believed(true, later), "two are too few, however long apart");
    }

    #[test]
    fn nothing_else_ends_what_is_known() {
        for kind in [Kind::Unavailable, Kind::RateLimited, Kind::Invalid, Kind::Conflict, Kind::Error] {
            assert_eq!(believed(true, &[kind; 100]), None, "{kind:?}");
            assert_eq!(believed(false, &[kind; 100]), Some(7), "{kind:?}");
        }
        assert_eq!(believed(true, &[Kind::Usage]), Some(1));
    }
}
