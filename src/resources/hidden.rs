//! Recognizes characters that are invisible or drive a terminal.

/// Whether a character could move the cursor, reorder the line or be invisible. The zero-width
/// joiner and non-joiner are ordinary text, which Persian and emoji need. So are variation
/// selectors, which emoji and ideographs need.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180e}'
                | '\u{200b}' | '\u{200e}' | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    /// The characters are selected by the tables of Unicode, not by `is_hidden`.
    #[test]
    fn the_properties_of_unicode_decide() {
        let hidden = Regex::new(
            r"(?x) [
                [ \p{Cc} \p{Zl} \p{Zp} \p{Bidi_Control} \p{Default_Ignorable_Code_Point} ]
                -- [ \p{Join_Control} \p{Variation_Selector} ]
            ]
            # The marks of interlinear annotations.
            | [ \u{fff9}-\u{fffb} ]",
        );
        let hidden = hidden.unwrap_or_else(|error| unreachable!("{error}"));
        let mut wrong = Vec::new();
        for c in '\0'..=char::MAX {
            if hidden.is_match(c.encode_utf8(&mut [0; 4])) != is_hidden(c) {
                wrong.push(format!("{:x}", u32::from(c)));
            }
        }
        let count = wrong.len();
        wrong.truncate(10);
        assert_eq!(count, 0, "such as {wrong:?}");
    }
}
