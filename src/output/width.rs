//! How many columns of a terminal a text takes, and how it is cut and padded to a number of them.

/// The columns that a text takes: wide characters two, combining marks none, joined emoji as one.
pub fn width(text: &str) -> usize {
    if is_printable_ascii(text) { text.len() } else { console::measure_text_width(text) }
}

fn is_printable_ascii(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Adds spaces until the text takes so many columns.
pub fn pad(text: &mut String, columns: usize) {
    let missing = columns.saturating_sub(width(text));
    text.extend(std::iter::repeat_n(' ', missing));
}

/// The text where it takes no more than so many columns, else as much as fits, with an ellipsis.
pub fn cut(text: &mut String, columns: usize) {
    if width(text) <= columns {
        return;
    }
    let room = columns.saturating_sub(1);
    let ends = text.char_indices().map(|(start, c)| start + c.len_utf8());
    // One character beyond the room may still join what is before it: looking a little further finds the end.
    let fits = ends.take_while(|end| width(&text[..*end]) <= room + 2).filter(|end| width(&text[..*end]) <= room);
    let end = fits.last().unwrap_or_default();
    text.truncate(end);
    // Neither a joiner that has nothing to join nor half of a flag is left behind.
    text.truncate(text.trim_end_matches('\u{200d}').len());
    let letters = text.chars().rev().take_while(|c| ('\u{1f1e6}'..='\u{1f1ff}').contains(c)).count();
    text.truncate(text.len() - letters % 2 * '\u{1f1e6}'.len_utf8());
    text.push('…');
}

/// The list where it takes no more than so many columns, else the items that fit whole, with an ellipsis.
pub fn cut_items(text: &mut String, columns: usize) {
    if width(text) > columns {
        let ends = text.match_indices(", ").map(|(start, comma)| start + comma.len());
        let end = ends.take_while(|end| width(&text[..*end]) < columns).last().unwrap_or_default();
        text.truncate(end);
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut_to(columns: usize, text: &str) -> String {
        let mut text = text.to_string();
        cut(&mut text, columns);
        text
    }

    #[test]
    fn columns_are_not_characters() {
        for (text, columns) in
            [("abc", 3), ("東京", 4), ("Zoë", 3), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{fe0f}", 2), ("", 0)]
        {
            assert_eq!(width(text), columns, "{text}");
        }
    }

    #[test]
    fn items_are_left_whole() {
        for (columns, cut) in [(20, "site-1, site-2"), (13, "site-1, …"), (9, "site-1, …"), (8, "…"), (0, "…")]
        {
            let mut text = "site-1, site-2".to_string();
            cut_items(&mut text, columns);
            assert_eq!(text, cut);
        }
    }

    #[test]
    fn cut_text_fits() {
        assert_eq!(cut_to(5, "abcde"), "abcde");
        assert_eq!(cut_to(5, "abcdef"), "abcd…");
        assert_eq!(cut_to(5, "東京都庁"), "東京…");
        assert_eq!(cut_to(4, "東京都庁"), "東…");
        assert_eq!(cut_to(3, "e\u{301}e\u{301}e\u{301}e\u{301}"), "e\u{301}e\u{301}…");
        assert_eq!(cut_to(3, "👩‍👩‍👧👩‍👩‍👧"), "👩‍👩‍👧…");
        assert_eq!(cut_to(4, "🇩🇪🇫🇷🇮🇹"), "🇩🇪…");
        for columns in 1..12 {
            assert!(width(&cut_to(columns, "a東e\u{301}👩‍👩‍👧🇩🇪❤\u{fe0f}xyz東京")) <= columns);
        }
    }
}
