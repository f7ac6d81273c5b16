//! The flags of a list command, generated from the declaration of its resource.

use crate::client::ListOptions;
use crate::config::{PER_PAGE, number};
use crate::error::{Error, Result};
use crate::resources::query::{Query, Zone, filter, sort, wire};
use crate::resources::{Field, FieldKind, Flag, Resource};
use crate::terminal::fold_for_search;
use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

/// The pagination flags of every list.
#[derive(Debug, clap::Args)]
pub struct Paging {
    /// Stop after N records
    #[arg(long, value_name = "N", value_parser = number::within(1_u64..))]
    limit: Option<u64>,
    /// Read only this page
    #[arg(long, value_name = "N", value_parser = number::within(1_u64..), conflicts_with_all = ["limit", "verify"])]
    pub page: Option<u64>,
    /// Set the number of records per page [default: up to 1000]
    #[arg(long, value_name = "N", value_parser = number::within(PER_PAGE))]
    pub per_page: Option<u32>,
    /// Repeat until two reads match.
    ///
    /// This takes longer. It also detects a record that replaced another during the read.
    #[arg(long, conflicts_with = "limit")]
    verify: bool,
}

impl Paging {
    /// Returns the plan of the flags; `default` is the default number of rows per page.
    pub fn plan(&self, default: Option<u32>) -> ListOptions {
        ListOptions {
            limit: self.limit,
            per_page: self.per_page.or(default),
            verify: self.verify,
        }
    }
}

/// The parsed flags of a list command. [`declare`] adds the flags, because they depend on the resource.
#[derive(Debug)]
pub struct Args {
    /// The pagination flags.
    pub paging: Paging,
    matches: ArgMatches,
}

impl Args {
    /// Returns the id of the record that the list belongs to.
    pub fn parent_id(&self) -> Option<String> {
        self.text("parent")
    }

    /// Returns the query, checked against the declaration.
    ///
    /// # Errors
    /// `Usage` with all values that the declaration does not allow.
    pub fn query(&self, resource: &'static Resource) -> Result<Query> {
        let timezone = self.text("timezone");
        let zone = Zone::new(timezone.as_deref(), jiff::Timestamp::now());
        let mut problems = Vec::new();
        let sort = self.text("sort").map(|text| sort::parse(resource, &text));
        let timezone = timezone
            .clone()
            .map(|name| Ok((wire::TIMEZONE.into(), name)));
        let named = resource.flags().filter_map(|(field, flag)| {
            self.text(&flag.name)
                .map(|value| filter::of_flag(field, &flag, &value, &zone))
        });
        let typed = self
            .matches
            .try_get_many::<String>("filter")
            .ok()
            .flatten()
            .into_iter()
            .flatten();
        let filters = named.chain(typed.map(|text| filter::parse(resource, text, &zone)));
        let checked = sort.into_iter().chain(timezone).chain(filters);
        let parameters = checked
            .filter_map(|one| one.map_err(|error| problems.push(error)).ok())
            .collect();
        let search = self
            .text("search")
            .filter(|_| !resource.search_fields.is_empty())
            .map(|text| fold_for_search(&text));
        Error::combine(problems).map_or(Ok(Query { parameters, search }), Err)
    }

    /// Returns the value of a flag, or its values with commas; none if the list has no such flag.
    fn text(&self, flag: &str) -> Option<String> {
        let values = self.matches.try_get_many::<String>(flag).ok().flatten()?;
        Some(values.map(String::as_str).collect::<Vec<_>>().join(","))
    }
}

impl FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self {
            paging: Paging::from_arg_matches(matches)?,
            matches: matches.clone(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Args {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Adds the help and flags of a resource to its list command.
pub fn declare(command: Command, resource: &'static Resource) -> Command {
    let parent = resource.parent.map(|parent| {
        let help = format!("Id of the {}", parent.singular);
        Arg::new("parent")
            .value_name(parent.id_name().to_uppercase())
            .required(true)
            .help(help)
    });
    let search = (!resource.search_fields.is_empty()).then(|| {
        Arg::new("search")
            .long("search")
            .value_name("TEXT")
            .value_parser(NonEmptyStringValueParser::new())
            .conflicts_with("page")
            .help("Search ids, names and URLs")
    });
    let command = command
        .args(parent)
        .args(search)
        .args(
            resource
                .flags()
                .map(|(field, flag)| named_flag(field, flag)),
        )
        .args(query_flags(resource));
    <Paging as clap::Args>::augment_args(command)
        .about(format!("List {}", resource.plural))
        .after_help(resource.examples)
}

fn named_flag(field: &Field, flag: Flag) -> Arg {
    let arg = Arg::new(flag.name.clone()).long(flag.name).help(flag.help);
    match field.kind {
        FieldKind::Text
        | FieldKind::Name
        | FieldKind::Email
        | FieldKind::Id
        | FieldKind::Ids
        | FieldKind::Bytes => arg.value_name("TEXT"),
        FieldKind::Time => arg.value_name("TIME"),
        FieldKind::Boolean => arg
            .value_name("true|false")
            .value_parser(["true", "false"])
            .hide_possible_values(true),
        FieldKind::Choice(allowed) | FieldKind::State(allowed) => arg
            .value_name("VALUE")
            .value_delimiter(',')
            .value_parser(allowed.to_vec()),
    }
}

/// Returns the flags for filters, sort and time zone.
fn query_flags(resource: &Resource) -> Vec<Arg> {
    let filters: Vec<String> = resource.filterable().map(Field::filter_form).collect();
    if filters.is_empty() {
        return Vec::new();
    }
    let filters = format!(
        "Filter by a field; repeatable [possible filters: {}]",
        filters.join(", ")
    );
    let sorts = format!(
        "Sort by a field [default direction: asc] [possible fields: {}]",
        resource.sortable().join(", ")
    );
    vec![
        Arg::new("filter")
            .long("filter")
            .value_name("FIELD:OP=VALUE")
            .action(ArgAction::Append)
            .help(filters),
        Arg::new("sort")
            .long("sort")
            .value_name("FIELD[,asc|desc]")
            .allow_hyphen_values(true)
            .help(sorts),
        Arg::new("timezone")
            .long("timezone")
            .value_name("TZ")
            .value_parser(NonEmptyStringValueParser::new())
            .help("Set the time zone of dates, such as Europe/Berlin"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{CLIENTS, MANAGED_ACCOUNTS};

    /// Returns the parameters of the query that these arguments stand for.
    fn parameters(resource: &'static Resource, args: &[&str]) -> String {
        let command = declare(Command::new("list"), resource).no_binary_name(true);
        let matches = command
            .try_get_matches_from(args)
            .unwrap_or_else(|error| unreachable!("{error}"));
        let query = Args::from_arg_matches(&matches)
            .ok()
            .and_then(|args| args.query(resource).ok());
        let pairs = query.unwrap_or_default().parameters;
        pairs
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join("&")
    }

    #[test]
    fn every_flag_is_the_filter_of_the_spec() {
        let clients = [
            (&["--search", "Zoë"][..], "filters[search:contains]=Zoë"),
            (&["--first-name", "a"], "filters[first_name:contains]=a"),
            (&["--last-name", "a"], "filters[last_name:contains]=a"),
            (
                &["--filter", "email:contains=x=y", "--email", "z"],
                "filters[email:contains]=z&filters[email:contains]=x=y",
            ),
            (&["--sort", "email"], "sort=email,asc"),
        ];
        let accounts = [
            (&["--email", "a"][..], "filters[email:contains]=a"),
            (&["--role", "co_owner"], "filters[role:eq]=co_owner"),
            (
                &["--role", "co_owner,collaborator"],
                "filters[role:in]=co_owner,collaborator",
            ),
            (
                &["--status", "pending,connected"],
                "filters[status:in]=pending,connected",
            ),
            (
                &["--all-sites-access", "false"],
                "filters[all_sites_access:eq]=false",
            ),
            (
                &["--filter", "status:in=pending"],
                "filters[status:in]=pending",
            ),
            (&["--sort", "status,desc"], "sort=status,desc"),
        ];
        let both = [
            (
                &["--company-name", "a"][..],
                "filters[company_name:contains]=a",
            ),
            (
                &["--created-since", "2026-01-31"],
                "filters[created_at:gte]=2026-01-31T00:00:00Z",
            ),
            (
                &["--created-until", "2026-01-31"],
                "filters[created_at:lte]=2026-01-31T23:59:59.999999Z",
            ),
            (
                &["--updated-since", "2026-01-31T08:00:00+02:00"],
                "filters[updated_at:gte]=2026-01-31T06:00:00Z",
            ),
            (
                &[
                    "--updated-until",
                    "2026-07-01",
                    "--timezone",
                    "Europe/Berlin",
                ],
                "timezone=Europe/Berlin&filters[updated_at:lte]=2026-07-01T21:59:59.999999Z",
            ),
        ];
        for (args, query) in clients.iter().chain(&both) {
            assert_eq!(parameters(&CLIENTS, args), *query);
        }
        for (args, query) in accounts.iter().chain(&both) {
            assert_eq!(parameters(&MANAGED_ACCOUNTS, args), *query);
        }
    }
}
