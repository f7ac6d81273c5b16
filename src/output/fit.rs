//! Which columns of a table fit a terminal, and how wide each is. Ids are never cut and never left out.

use super::width::{cut, cut_items, width};

/// The least that a column of text is cut to.
const LEAST: usize = 10;

/// The space between columns.
pub const GAP: usize = 2;

/// A column of a table.
#[derive(Debug)]
pub struct Column {
    /// The field that it shows.
    pub name: String,
    /// What is above it.
    pub heading: String,
    /// How its JSON values are worded, where they can be.
    pub words: Option<fn(&str) -> Option<String>>,
    kind: Kind,
}

/// What may become of a column where it is narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing.
    Id,
    /// It can be left out; half of a time says nothing.
    Time,
    /// It can be cut between two ids, and left out.
    Ids,
    /// It can be cut and left out.
    Text,
}

impl Column {
    /// A column; the name of a field tells ids and times from texts.
    pub fn new(name: &str, heading: String) -> Self {
        let kind = match name.rsplit('.').next().unwrap_or_default() {
            "id" => Kind::Id,
            name if name.ends_with("_id") => Kind::Id,
            name if name.ends_with("_ids") => Kind::Ids,
            name if name.ends_with("_at") => Kind::Time,
            _ => Kind::Text,
        };
        Self { name: name.into(), heading, words: None, kind }
    }

    /// Cuts a cell to so many columns; half of an id would be another id.
    pub fn cut(&self, cell: &mut String, columns: usize) {
        match self.kind {
            Kind::Ids => cut_items(cell, columns),
            _ => cut(cell, columns),
        }
    }

    /// The least width of a column that would like to be so wide.
    fn least(&self, natural: usize) -> usize {
        match self.kind {
            Kind::Id | Kind::Time => natural,
            Kind::Ids | Kind::Text => natural.min(LEAST.max(width(&self.heading))),
        }
    }
}

/// The width of each column, given the room and what each would like; none where it is left out. Columns are cut from
/// the widest on; where that is not enough, they are left out from the right, if they may be.
pub fn fit(columns: &[Column], natural: &[usize], room: usize, may_leave_out: bool) -> Vec<Option<usize>> {
    let least: Vec<usize> = columns.iter().zip(natural).map(|(column, natural)| column.least(*natural)).collect();
    let mut shown = vec![true; columns.len()];
    while may_leave_out && total(&least, &shown) > room {
        let last = (0..columns.len()).rev().find(|place| shown[*place] && columns[*place].kind != Kind::Id);
        let Some(last) = last else { break };
        shown[last] = false;
    }
    let widths = shrink(natural, &least, &shown, room);
    widths.into_iter().zip(shown).map(|(width, shown)| shown.then_some(width)).collect()
}

fn total(widths: &[usize], shown: &[bool]) -> usize {
    let taken = widths.iter().zip(shown).filter(|(_, shown)| **shown).map(|(width, _)| width + GAP);
    taken.sum::<usize>().saturating_sub(GAP)
}

/// The widths under the highest ceiling that makes them fit; what that leaves over goes to the first columns under it.
fn shrink(natural: &[usize], least: &[usize], shown: &[bool], room: usize) -> Vec<usize> {
    let under = |ceiling: usize| -> Vec<usize> {
        natural.iter().zip(least).map(|(natural, least)| (*natural).min(ceiling.max(*least))).collect()
    };
    if total(natural, shown) <= room {
        return natural.to_vec();
    }
    let ceiling = (0..=room).rev().find(|ceiling| total(&under(*ceiling), shown) <= room).unwrap_or_default();
    let mut widths = under(ceiling);
    for place in 0..widths.len() {
        let more = widths[place] == ceiling && widths[place] < natural[place] && shown[place];
        if more && total(&widths, shown) < room {
            widths[place] += 1;
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(room: usize, may_leave_out: bool) -> Vec<Option<usize>> {
        let columns: Vec<Column> =
            ["id", "name", "email", "site_ids", "created_at"].map(|name| Column::new(name, name.to_uppercase())).into();
        fit(&columns, &[11, 50, 30, 5, 24], room, may_leave_out)
    }

    #[test]
    fn the_longest_texts_shrink_first() {
        assert_eq!(fitted(200, true), [11, 50, 30, 5, 24].map(Some));
        assert_eq!(fitted(120, true), [11, 42, 30, 5, 24].map(Some));
        assert_eq!(fitted(99, true), [11, 26, 25, 5, 24].map(Some));
    }

    #[test]
    fn then_columns_are_left_out_from_the_right() {
        assert_eq!(fitted(68, true), [11, 10, 10, 5, 24].map(Some));
        assert_eq!(fitted(67, true), [Some(11), Some(23), Some(22), Some(5), None]);
        assert_eq!(fitted(30, true), [Some(11), Some(17), None, None, None]);
        assert_eq!(fitted(5, true), [Some(11), None, None, None, None], "an id is never cut");
    }

    #[test]
    fn what_was_asked_for_is_not_left_out() {
        assert_eq!(fitted(40, false), [11, 10, 10, 5, 24].map(Some));
    }

    #[test]
    fn what_fits_fills_the_room() {
        for room in 68..120 {
            let widths = fitted(room, true);
            assert_eq!(widths.iter().flatten().map(|width| width + GAP).sum::<usize>() - GAP, room);
        }
    }
}
