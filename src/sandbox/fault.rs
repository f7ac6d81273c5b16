//! Practice faults: what goes wrong, how often, and the dice that decide for each request.

use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;

/// The kinds of fault and what each does, as the help and the errors list them.
const KINDS: [(&str, Kind); 10] = [
    ("500", Kind::Status(500)),
    ("502", Kind::Status(502)),
    ("503", Kind::Status(503)),
    ("429", Kind::Status(429)),
    ("drop", Kind::Drop),
    ("drop-before", Kind::DropBefore),
    ("drop-after", Kind::DropAfter),
    ("truncate", Kind::Truncate),
    ("slow", Kind::Slow),
    ("html", Kind::Html),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Status(u16),
    Drop,
    DropBefore,
    DropAfter,
    Truncate,
    Slow,
    Html,
}

/// A kind of fault and the share of requests that it strikes, written `KIND:SHARE`, as in `drop:0.05`.
#[derive(Debug, Clone)]
pub struct Fault {
    kind: Kind,
    share: f64,
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(spec: &str) -> Result<Fault, String> {
        let (name, share) = spec.split_once(':').ok_or_else(|| format!("{spec:?} has no share; {}", allowed()))?;
        let kind = KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        let kind = kind.ok_or_else(|| format!("{name:?} is not a kind of fault; {}", allowed()))?;
        let share = share.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        let share = share.ok_or_else(|| format!("the share of {name} must be a number from 0 to 1; {}", allowed()))?;
        Ok(Fault { kind, share })
    }
}

impl Fault {
    /// Whether these can go together.
    ///
    /// # Errors
    /// Where the shares add up to more than every request.
    pub fn check_total(faults: &[Fault]) -> Result<(), String> {
        let total: f64 = faults.iter().map(|fault| fault.share).sum();
        if total <= 1.0 + 1e-9 {
            return Ok(());
        }
        Err(format!("the shares of all faults together are {total}; they can't be more than 1"))
    }
}

fn allowed() -> String {
    let kinds = KINDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    format!("write KIND:SHARE, as in 500:0.1, where KIND is one of {kinds}")
}

/// What happens to one request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fate {
    /// It is answered as it should be.
    Fair,
    /// This status, and nothing is done.
    Status(u16),
    /// An HTML page with this status, as a proxy would send it, and nothing is done.
    Html(u16),
    /// The connection closes, and nothing is done.
    DropBefore,
    /// It is done, then the connection closes.
    DropAfter,
    /// It is done, then the answer breaks off in the middle.
    Truncate,
    /// It is done, and the answer comes late.
    Slow,
}

/// Decides each request's fate. The same seed gives the same sequence.
#[derive(Debug)]
pub(super) struct Dice {
    faults: Vec<Fault>,
    state: u64,
}

impl Dice {
    /// Fails where the shares add up to more than every request.
    pub(super) fn new(faults: Vec<Fault>, seed: Option<u64>) -> anyhow::Result<Dice> {
        Fault::check_total(&faults).map_err(anyhow::Error::msg)?;
        let state = seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        Ok(Dice { faults, state })
    }

    pub(super) fn roll(&mut self) -> Fate {
        let (mut chance, heads) = (self.next(), self.next() < 0.5);
        for fault in &self.faults {
            if chance < fault.share {
                return fault.kind.fate(heads);
            }
            chance -= fault.share;
        }
        Fate::Fair
    }

    /// The next number from 0 up to 1 of a splitmix64 sequence.
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl Kind {
    fn fate(self, heads: bool) -> Fate {
        match self {
            Kind::Status(status) => Fate::Status(status),
            Kind::Drop if heads => Fate::DropBefore,
            Kind::Drop | Kind::DropAfter => Fate::DropAfter,
            Kind::DropBefore => Fate::DropBefore,
            Kind::Truncate => Fate::Truncate,
            Kind::Slow => Fate::Slow,
            Kind::Html => Fate::Html(if heads { 200 } else { 502 }),
        }
    }
}
