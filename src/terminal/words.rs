//! Numbers in words.

/// So many of these, in words: `1 client`, `2 clients`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// So many bytes, in words: `41.33 MB`.
pub fn bytes(number: u64) -> String {
    let (mut amount, mut unit) = (number as f64, None);
    for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] {
        if amount < 1000.0 {
            break;
        }
        (amount, unit) = (amount / 1000.0, Some(larger));
    }
    unit.map_or_else(|| format!("{number} B"), |unit| format!("{amount:.2} {unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_a_unit_that_fits() {
        let cases = [(0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (41_333_332, "41.33 MB"), (u64::MAX, "18.45 EB")];
        for (number, words) in cases {
            assert_eq!(bytes(number), words);
        }
    }
}
