//! How long to wait between two looks at one task.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// While things move.
const QUICK: Duration = Duration::from_secs(1);
/// However long nothing has moved.
const SLOW: Duration = Duration::from_secs(10);
/// How far a wait may be from its pace, in percent: tasks that were started together do not stay in step.
const JITTER: u32 = 15;

/// Quick while things move, slower while they do not, or as fixed as it was asked for.
#[derive(Debug)]
pub struct Rhythm {
    fixed: Option<Duration>,
    pace: Duration,
}

/// What the last look met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// Something that was not known before.
    News,
    /// What was known already, or trouble.
    Nothing,
    /// A refusal for having asked too often.
    Haste,
}

impl Rhythm {
    /// Nothing is known yet.
    pub fn new(fixed: Option<Duration>) -> Self {
        Self { fixed, pace: QUICK }
    }

    /// How long to wait now; `share`, from 0 to 1, says whether rather less or more.
    pub fn wait(&mut self, met: Met, share: f64) -> Duration {
        if let Some(fixed) = self.fixed {
            return fixed;
        }
        self.pace = match met {
            Met::News => QUICK,
            Met::Nothing => (self.pace * 3 / 2).min(SLOW),
            Met::Haste => SLOW,
        };
        let percent = f64::from(100 - JITTER) + f64::from(2 * JITTER) * share;
        self.pace.mul_f64(percent / 100.0)
    }
}

/// A random number from 0 to 1.
pub fn random_share() -> f64 {
    f64::from(RandomState::new().hash_one(0) as u32) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_slows_down_until_something_moves() {
        let mut rhythm = Rhythm::new(None);
        let mut millis = |met| rhythm.wait(met, 0.5).as_millis();
        assert_eq!([Met::News, Met::Nothing, Met::Nothing, Met::Nothing].map(&mut millis), [1000, 1500, 2250, 3375]);
        assert_eq!([Met::Nothing; 4].map(&mut millis), [5062, 7593, 10_000, 10_000]);
        assert_eq!([Met::News, Met::Haste].map(&mut millis), [1000, 10_000]);
    }

    #[test]
    fn a_wait_is_near_its_pace() {
        assert_eq!(Rhythm::new(None).wait(Met::News, 0.0), QUICK * 85 / 100);
        assert_eq!(Rhythm::new(None).wait(Met::News, 1.0), QUICK * 115 / 100);
        assert!((0..100).map(|_| random_share()).all(|share| (0.0..=1.0).contains(&share)));
    }

    #[test]
    fn what_was_asked_for_is_kept_to() {
        let mut rhythm = Rhythm::new(Some(SLOW * 3));
        for met in [Met::News, Met::Nothing, Met::Haste] {
            assert_eq!(rhythm.wait(met, 0.9), SLOW * 3);
        }
    }
}
