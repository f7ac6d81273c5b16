//! Reads along with the HTTP layer, which hides that a request gave the length of its body in two ways.

/// The longest head that is looked at; the HTTP layer refuses such before.
const LONGEST: usize = 1 << 20;

/// The head of the request that is arriving. Of requests sent ahead of an answer, only the first is looked at; the
/// HTTP layer takes the others as chunked and closes the connection after them, which is safe.
#[derive(Debug, Default)]
pub(super) struct Framing {
    head: Vec<u8>,
    complete: bool,
}

impl Framing {
    /// The next bytes begin a request.
    pub(super) fn begin(&mut self) {
        *self = Framing::default();
    }

    /// Takes what arrived; at the end of a head, says whether its length is given in two ways.
    pub(super) fn heard(&mut self, bytes: &[u8]) -> bool {
        if self.complete {
            return false;
        }
        let seen = self.head.len().saturating_sub(3);
        self.head.extend_from_slice(bytes);
        let end = self.head[seen..].windows(4).position(|window| window == b"\r\n\r\n").map(|end| seen + end);
        self.complete = end.is_some() || self.head.len() > LONGEST;
        let two_ways = end.is_some_and(|end| has_both(&self.head[..end]));
        if self.complete {
            self.head = Vec::new();
        }
        two_ways
    }
}

fn has_both(head: &[u8]) -> bool {
    let has = |name: &[u8]| {
        let mut lines = head.split(|byte| *byte == b'\n');
        lines.any(|line| line.split(|byte| *byte == b':').next().is_some_and(|key| key.eq_ignore_ascii_case(name)))
    };
    has(b"content-length") && has(b"transfer-encoding")
}
