//! Shows the plan to a person: the clients to create, update and delete, with old and new values.

use super::plan::{Action, Plan, Step};
use crate::commands::clients::difference::Change;
use crate::commands::clients::lookup::full_name;
use crate::resources::scalar;
use crate::terminal::{painted, visible};

/// The most changes that are shown one by one without `--details`.
const MOST: usize = 20;

/// Returns the lines of the changes and the number of each kind. Of many changes, only deletions are shown.
pub fn lines(plan: &Plan, details: bool, color: bool) -> Vec<String> {
    let is_long = plan.changes() > MOST && !details;
    let deletions = plan.count(Action::Delete) <= MOST;
    let shown = plan
        .steps
        .iter()
        .filter(|step| !is_long || (deletions && step.action == Action::Delete));
    let more = if is_long {
        " (--details shows each change)"
    } else {
        ""
    };
    shown
        .flat_map(|step| of_step(step, color))
        .chain([format!("plan: {}{more}", counts(plan))])
        .collect()
}

/// Returns the number of changes of each kind.
pub fn counts(plan: &Plan) -> String {
    let count = |action, words: &str| format!("{} {words}", plan.count(action));
    let skipped = plan.count(Action::Skip);
    let counts = [
        count(Action::Create, "to create"),
        count(Action::Update, "to update"),
        count(Action::Delete, "to delete"),
        count(Action::Unchanged, "unchanged"),
    ];
    let invalid = if skipped > 0 {
        format!(", {skipped} invalid")
    } else {
        String::new()
    };
    counts.join(", ") + &invalid
}

fn of_step(step: &Step, color: bool) -> Vec<String> {
    let (mark, code) = match step.action {
        Action::Create => ("+ create", "32"),
        Action::Update => ("~ update", "33"),
        Action::Delete => ("- delete", "31"),
        Action::Unchanged | Action::Skip => return Vec::new(),
    };
    let name = step.client.as_ref().map(full_name).unwrap_or_default();
    let whole = format!(
        "{} {}  {}",
        painted(color, mark, code),
        visible(&step.key),
        visible(&name)
    );
    let mut lines = vec![whole.trim_end().to_string()];
    // The email of a new client is its key.
    let shown = step
        .changes
        .iter()
        .filter(|change| step.action != Action::Create || change.to != *step.key);
    lines.extend(shown.map(|change| format!("    {}: {}", change.field, of_change(step, change))));
    lines
}

fn of_change(step: &Step, change: &Change) -> String {
    if change.to.is_array() {
        return of_sites(step);
    }
    let text = |value| format!("\"{}\"", visible(&scalar(value).unwrap_or_default()));
    match step.action {
        Action::Create => text(&change.to),
        _ => format!("{} → {}", text(&change.from), text(&change.to)),
    }
}

/// Returns the sites that are added and removed.
fn of_sites(step: &Step) -> String {
    let (taken, given_up) = (step.taken("site_ids"), step.given_up("site_ids"));
    let taken = taken.iter().map(|site| format!("+{}", visible(site)));
    let all: Vec<_> = taken
        .chain(given_up.iter().map(|site| format!("-{}", visible(site))))
        .collect();
    if all.is_empty() {
        "none".into()
    } else {
        all.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn update(from: Value, to: Value) -> String {
        let field = if to.is_array() { "site_ids" } else { "note" };
        let changes = vec![Change {
            field: field.into(),
            from,
            to,
        }];
        let step = Step {
            changes,
            action: Action::Update,
            key: "k\x1b".into(),
            ..Step::default()
        };
        lines(&Plan { steps: vec![step] }, false, false).join("\n")
    }

    #[test]
    fn changes_show_the_old_and_new_values() {
        assert_eq!(
            update(json!("old\x1b"), json!("new")),
            "~ update k\\u{1b}\n    note: \"old\\u{1b}\" → \"new\"\nplan: 0 to create, 1 to update, 0 to delete, 0 unchanged"
        );
        let lines = update(json!(["a", "b"]), json!(["b", "c"]));
        assert!(lines.contains("site_ids: +c -a\n"), "{lines}");
    }
}
