//! The flags of a list command, made from its resource: the declaration is the only place that names them.

use super::Paging;
use crate::config::number;
use crate::error::{Error, Result};
use crate::resources::query::{Filter, Query, Sort, Zone};
use crate::resources::{FieldKind, Flag, Resource};
use clap::error::Error as ClapError;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use std::marker::PhantomData;

/// Ties a list command to its resource.
pub trait Listed {
    /// What is listed.
    const RESOURCE: &'static Resource;
}

/// What was typed after a list command: values not yet checked against the resource.
#[derive(Debug)]
pub struct ListArgs<L> {
    /// Only this page.
    pub page: Option<u64>,
    /// How all pages are read.
    pub paging: Paging,
    flags: Vec<(&'static str, String)>,
    filters: Vec<String>,
    sort: Option<String>,
    timezone: Option<String>,
    listed: PhantomData<L>,
}

impl<L: Listed> ListArgs<L> {
    /// The query that was typed.
    ///
    /// # Errors
    /// `Usage` with everything that the spec's tables do not allow.
    pub fn query(&self) -> Result<Query> {
        let zone = Zone::new(self.timezone.as_deref(), jiff::Timestamp::now());
        let mut problems = Vec::new();
        let named = self.flags.iter().map(|(name, value)| named_filter(L::RESOURCE, name, value, &zone));
        let typed = self.filters.iter().map(|text| Filter::parse(L::RESOURCE, text, &zone));
        let filters =
            named.chain(typed).filter_map(|filter| filter.map_err(|error| problems.push(error)).ok()).collect();
        let sort = self.sort.as_deref().map(|text| Sort::parse(L::RESOURCE, text)).transpose();
        let sort = sort.map_err(|error| problems.push(error)).unwrap_or_default();
        match Error::all(problems) {
            Some(error) => Err(error),
            None => Ok(Query { filters, sort, timezone: self.timezone.clone() }),
        }
    }
}

fn named_filter(resource: &'static Resource, name: &str, value: &str, zone: &Zone) -> Result<Filter> {
    let flags = resource.fields.iter().flat_map(|field| field.flags.iter().map(move |flag| (field, flag)));
    match flags.into_iter().find(|(_, flag)| flag.name == name) {
        Some((field, flag)) => Filter::flag(field, flag, value, zone),
        None => Err(Error::usage(format!("--{name} is not a flag of {}", resource.plural))),
    }
}

impl<L: Listed> clap::FromArgMatches for ListArgs<L> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, ClapError> {
        let text = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
        let names = L::RESOURCE.fields.iter().flat_map(|field| field.flags).map(|flag| flag.name);
        Ok(Self {
            page: matches.get_one("page").copied(),
            paging: Paging::from_arg_matches(matches)?,
            flags: names.filter_map(|name| text(name).map(|value| (name, value))).collect(),
            filters: matches.try_get_many("filter").ok().flatten().into_iter().flatten().cloned().collect(),
            sort: text("sort"),
            timezone: text("timezone"),
            listed: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), ClapError> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<L: Listed> clap::Args for ListArgs<L> {
    fn augment_args(mut command: Command) -> Command {
        for field in L::RESOURCE.fields {
            for flag in field.flags {
                command = command.arg(named_flag(flag, field.kind));
            }
        }
        let command = if L::RESOURCE.filterable() { query_flags(command, L::RESOURCE) } else { command };
        page_flags(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn named_flag(flag: &'static Flag, kind: FieldKind) -> Arg {
    let (value, help) = match kind {
        FieldKind::Text => ("TEXT", flag.help.to_string()),
        FieldKind::Time => ("TIME", flag.help.to_string()),
        FieldKind::Boolean => ("true|false", flag.help.to_string()),
        FieldKind::Choice(allowed) => ("VALUE", format!("{} [possible values: {}]", flag.help, allowed.join(", "))),
    };
    Arg::new(flag.name).long(flag.name).value_name(value).help(help)
}

fn query_flags(command: Command, resource: &Resource) -> Command {
    let sortable: Vec<&'static str> =
        resource.fields.iter().filter(|field| field.sortable).map(|field| field.name).collect();
    let operators = resource.fields.iter().filter(|field| !field.operators.is_empty()).map(|field| {
        let names: Vec<&str> = field.operators.iter().map(|operator| operator.name()).collect();
        format!("{}:{}", field.name, names.join("|"))
    });
    let filters = format!(
        "Only records for which all of these hold [possible filters: {}]",
        operators.collect::<Vec<_>>().join(", ")
    );
    let sorts = format!("Order by a field, asc unless said otherwise [possible fields: {}]", sortable.join(", "));
    command
        .arg(Arg::new("filter").long("filter").value_name("FIELD:OP=VALUE").action(ArgAction::Append).help(filters))
        .arg(
            // So that `-created_at`, as others write it, is told how it is written here.
            Arg::new("sort").long("sort").value_name("FIELD[,asc|desc]").allow_hyphen_values(true).help(sorts),
        )
        .arg(
            Arg::new("timezone")
                .long("timezone")
                .value_name("TZ")
                .value_parser(clap::builder::NonEmptyStringValueParser::new())
                .help("Time zone of dates in created_at filters, such as Europe/Berlin"),
        )
}

/// One page alone stands beside the flags of those who read them all.
fn page_flags(command: Command) -> Command {
    let page = Arg::new("page")
        .long("page")
        .value_name("N")
        .value_parser(number::at_least(1_u64))
        .conflicts_with_all(["limit", "verify"])
        .help("Only this page, counted from 1");
    Paging::augment_args(command.arg(page))
}
