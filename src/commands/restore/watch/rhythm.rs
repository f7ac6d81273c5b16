//! How long to wait between two looks at one task.

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

impl Rhythm {
    /// Nothing is known yet.
    pub fn new(fixed: Option<Duration>) -> Self {
        Self { fixed, pace: QUICK }
    }

    /// How long to wait now that something has `moved` or not; `share`, from 0 to 1, says whether rather less or more.
    pub fn wait(&mut self, moved: bool, share: f64) -> Duration {
        if let Some(fixed) = self.fixed {
            return fixed;
        }
        self.pace = if moved { QUICK } else { (self.pace * 3 / 2).min(SLOW) };
        let percent = f64::from(100 - JITTER) + f64::from(2 * JITTER) * share;
        self.pace.mul_f64(percent / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_slows_down_until_something_moves() {
        let mut rhythm = Rhythm::new(None);
        let mut millis = |moved| rhythm.wait(moved, 0.5).as_millis();
        assert_eq!([true, false, false, false].map(&mut millis), [1000, 1500, 2250, 3375]);
        assert_eq!([false, false, false, false, true].map(&mut millis), [5062, 7593, 10_000, 10_000, 1000]);
    }

    #[test]
    fn a_wait_is_near_its_pace() {
        assert_eq!(Rhythm::new(None).wait(true, 0.0), QUICK * 85 / 100);
        assert_eq!(Rhythm::new(None).wait(true, 1.0), QUICK * 115 / 100);
    }

    #[test]
    fn what_was_asked_for_is_kept_to() {
        let mut rhythm = Rhythm::new(Some(SLOW * 3));
        assert_eq!([true, false].map(|moved| rhythm.wait(moved, 0.9)), [SLOW * 3; 2]);
    }
}
