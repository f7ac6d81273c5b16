//! The flags of lists, from the declaration of what is listed: fields first, then operators, then values.

use super::candidates::{Candidate, one_of_many};
use crate::resource::{Field, FieldKind, Operator, Resource};

/// The values of a field that is so or is not.
const BOOLEANS: [&str; 2] = ["true", "false"];

/// `FIELD:OP=VALUE`
pub fn filters(resource: &Resource, typed: &str) -> Vec<Candidate> {
    let Some((name, rest)) = typed.split_once(':') else {
        let fields = resource.fields.iter().filter(|field| !field.operators.is_empty());
        return fields.map(|field| Candidate::open(format!("{}:", field.name), operators(field))).collect();
    };
    let Some(field) = resource.field(name) else { return Vec::new() };
    let Some((operator, value)) = rest.split_once('=') else {
        let one = |operator: &Operator| Candidate::open(format!("{name}:{}=", operator.name()), words(*operator));
        return field.operators.iter().map(one).collect();
    };
    let before = format!("{name}:{operator}=");
    let known = field.operators.iter().find(|known| known.name() == operator);
    let values = known.map(|operator| values(field.kind, *operator == Operator::In, value)).unwrap_or_default();
    values.into_iter().map(|candidate| candidate.behind(&before)).collect()
}

/// The values of a named flag that filters by this field.
pub fn named(field: &Field, typed: &str) -> Vec<Candidate> {
    values(field.kind, field.operators.contains(&Operator::In), typed)
}

fn values(kind: FieldKind, several: bool, typed: &str) -> Vec<Candidate> {
    let allowed = match kind {
        FieldKind::Boolean => &BOOLEANS[..],
        FieldKind::Choice(allowed) => allowed,
        FieldKind::Text | FieldKind::Time => &[],
    };
    match several {
        true => one_of_many(typed, allowed.iter().copied()),
        false => allowed.iter().map(|value| Candidate::new(*value, "")).collect(),
    }
}

/// `FIELD[,asc|desc]`
pub fn sorts(resource: &Resource, typed: &str) -> Vec<Candidate> {
    let fields = resource.fields.iter().filter(|field| field.sortable).map(|field| field.name);
    let exact = fields.clone().find(|name| typed.split(',').next() == Some(name));
    let Some(name) = exact else { return fields.map(|name| Candidate::open(name, "")).collect() };
    let directions = [(",asc", "least first"), (",desc", "greatest first")];
    let directed = directions.map(|(direction, about)| Candidate::new(format!("{name}{direction}"), about));
    fields.filter(|field| *field == name).map(|name| Candidate::new(name, "")).chain(directed).collect()
}

/// `A,B,C`
pub fn fields(resource: &Resource, typed: &str) -> Vec<Candidate> {
    one_of_many(typed, resource.recorded())
}

fn operators(field: &Field) -> String {
    field.operators.iter().map(|operator| operator.name()).collect::<Vec<_>>().join(", ")
}

fn words(operator: Operator) -> &'static str {
    match operator {
        Operator::Contains => "the text occurs in it",
        Operator::Eq => "equal",
        Operator::In => "one of several, separated by commas",
        Operator::Gte => "at or after",
        Operator::Lte => "at or before",
    }
}
