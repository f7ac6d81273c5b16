//! Shows the plan to a person: the clients to create, update and delete, with old and new values.

use super::compare::FieldChange;
use super::plan::{Action, Plan, Step};
use crate::commands::context::Context;
use crate::commands::find_clients::name_and_email;
use crate::error::Result;
use crate::output::{self, ResultShape};
use crate::resources::{STEPS, scalar_text};
use crate::terminal::{painted, pluralize, visible};
use std::collections::{BTreeMap, HashMap};

/// The most changes that are shown one by one.
const MAX_SHOWN: usize = 20;

/// Prints the plan: lines for people, a list for programs.
pub fn print_plan(context: &Context, plan: &Plan) -> Result<()> {
    let output = context.output();
    if output.is_for_people() {
        let ui = &context.ui;
        let lines = plan_lines(plan, ui.stdout_color);
        return output::write_stdout(&ui.masked(&(lines.join("\n") + "\n")));
    }
    let is_printed = |step: &&Step| step.action != Action::Unchanged || !output.prints_ids();
    let steps: Vec<&Step> = plan.steps.iter().filter(is_printed).collect();
    output.print_rows(&STEPS, &steps, ResultShape::List)
}

/// The text of a plan.
struct Text<'p> {
    plan: &'p Plan,
    color: bool,
    /// The names of the clients that release sites, by the id of the site.
    former_clients: HashMap<String, String>,
}

/// Returns the lines of the changes, and a last line with the number of each kind. Of more than
/// `MAX_SHOWN` changes, only the deletions are shown.
pub fn plan_lines(plan: &Plan, color: bool) -> Vec<String> {
    let is_long = plan.change_count() > MAX_SHOWN;
    let mut text = Text {
        plan,
        color,
        former_clients: HashMap::new(),
    };
    for step in &plan.steps {
        let name = step.client.as_ref().map(name_and_email);
        let name = name.filter(|name| !name.is_empty());
        let client = name.unwrap_or_else(|| step.key.clone());
        let released = step.released_sites().into_iter();
        let former = released.map(|site| (site, client.clone()));
        text.former_clients.extend(former);
    }
    let mut lines = Vec::new();
    for step in &plan.steps {
        if !is_long || step.action == Action::Delete {
            lines.extend(text.step_lines(step));
        }
    }
    let more = if is_long {
        lines.extend(field_counts(plan));
        " (--dry-run -o json shows each change)"
    } else {
        ""
    };
    lines.push(format!("plan: {}{more}", action_counts(plan)));
    lines
}

/// Returns a line with the number of updates that change each field, such as `updated fields:
/// last_name 15, note 1`; None if there are none.
fn field_counts(plan: &Plan) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for step in plan
        .steps
        .iter()
        .filter(|step| step.action == Action::Update)
    {
        for change in &step.changes {
            *counts.entry(&change.field).or_default() += 1;
        }
    }
    let counts = counts
        .into_iter()
        .map(|(field, count)| format!("{field} {count}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    (!counts.is_empty()).then(|| format!("updated fields: {counts}"))
}

/// Returns the number of changes of each kind.
pub fn action_counts(plan: &Plan) -> String {
    format!(
        "{} to create, {} to update, {} to delete, {} unchanged",
        plan.count(Action::Create),
        plan.count(Action::Update),
        plan.count(Action::Delete),
        plan.count(Action::Unchanged)
    )
}

impl Text<'_> {
    fn step_lines(&self, step: &Step) -> Vec<String> {
        let (mark, ansi_color) = match step.action {
            Action::Create => ("+ create", "32"),
            Action::Update => ("~ update", "33"),
            Action::Delete => ("- delete", "31"),
            Action::Unchanged => return Vec::new(),
        };
        let mark = painted(self.color, mark, ansi_color);
        let mut name = step.client.as_ref().map(name_and_email).unwrap_or_default();
        let sites = step.released_sites();
        if step.action == Action::Delete && !sites.is_empty() {
            name += &format!(", {}", pluralize(sites.len(), "site"));
        }
        let title = format!("{mark} {}  {}", visible(&step.key), visible(&name));
        let mut lines = vec![title.trim_end().to_string()];
        for change in &step.changes {
            // The email of a new client is its key.
            if step.action != Action::Create || change.to != *step.key {
                lines.push(format!(
                    "    {}: {}",
                    change.field,
                    self.change_text(step, change)
                ));
            }
        }
        lines
    }

    /// Returns the new value of a field, after the old value if the client exists.
    fn change_text(&self, step: &Step, change: &FieldChange) -> String {
        if change.to.is_array() {
            return self.site_changes(step);
        }
        let quote = |value| format!("\"{}\"", visible(&scalar_text(value).unwrap_or_default()));
        let to = quote(&change.to);
        if step.action == Action::Create {
            to
        } else {
            format!("{} → {to}", quote(&change.from))
        }
    }

    /// Returns the sites that are added, with the clients that give them up, and those that are removed,
    /// such as `+site-0001 (from Ada) -site-0002`.
    fn site_changes(&self, step: &Step) -> String {
        let mut sites = Vec::new();
        for (sign, changed) in [("+", step.claimed_sites()), ("-", step.released_sites())] {
            for site in &changed {
                let name = self.plan.site_name(site);
                let mut text = format!("{sign}{}", visible(&name));
                if let Some(client) = self.former_clients.get(site).filter(|_| sign == "+") {
                    text += &format!(" (from {})", visible(client));
                }
                sites.push(text);
            }
        }
        if sites.is_empty() {
            "none".into()
        } else {
            sites.join(" ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn update(from: Value, to: Value) -> String {
        let field = if to.is_array() { "site_ids" } else { "note" };
        let changes = vec![FieldChange {
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
        let plan = Plan {
            steps: vec![step],
            sites: None,
        };
        plan_lines(&plan, false).join("\n")
    }

    #[test]
    fn changes_show_the_old_and_new_values() {
        assert_eq!(
            update(json!("old\x1b"), json!("new")),
            [
                "~ update k\\u{1b}",
                "    note: \"old\\u{1b}\" → \"new\"",
                "plan: 0 to create, 1 to update, 0 to delete, 0 unchanged"
            ]
            .join("\n")
        );
        let lines = update(json!(["a", "b"]), json!(["b", "c"]));
        assert!(lines.contains("site_ids: +c -a\n"), "{lines}");
    }
}
