//! The arguments of a list command, generated from the declaration of its resource.

use crate::client::ListOptions;
use crate::commands::find_sites::TagArgs;
use crate::commands::{MANY, up_to};
use crate::config::NameOf;
use crate::error::{Error, Result};
use crate::resources::query::{
    Parameter, Query, TimeParser, filter, first_instant, last_instant, sort, wire,
};
use crate::resources::{
    Clients, Field, FieldKind, Files, FilterFlag, ListResource, Resource, Sites, Snapshots,
};
use crate::terminal::fold_for_search;
use clap::builder::{NonEmptyStringValueParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, value_parser};
use jiff::Timestamp;
use std::marker::PhantomData;

/// The arguments of the list command of a resource.
#[derive(Debug)]
pub struct ListArgs<R> {
    pub paging: PagingArgs,
    /// The site that the list belongs to, if it belongs to one, or those that select clients.
    pub sites: Vec<NameOf<Sites>>,
    /// The snapshot that the list belongs to, if it belongs to one.
    snapshot: Option<NameOf<Snapshots>>,
    /// The path of the folder that is listed.
    folder: Option<NameOf<Files>>,
    /// The text of `--search`, for lists that sitectl searches itself.
    search: Option<String>,
    /// The id or email of the client whose records are listed.
    pub client: Option<NameOf<Clients>>,
    /// Whether only sites without a client, or clients without sites, are listed.
    pub unassigned: bool,
    /// The times between which snapshots that are listed were taken.
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    /// The tags of the sites that are listed.
    pub tags: Option<TagArgs>,
    /// The specified flags that filter by one field, such as `--email`, with their values.
    filter_flags: Vec<(FilterFlag, Vec<String>)>,
    filters: Vec<FilterText>,
    sort: Option<SortText>,
    time_zone: Option<String>,
    resource: PhantomData<R>,
}

/// The pagination flags of every list.
#[derive(Debug, clap::Args)]
pub struct PagingArgs {
    /// Stop after N records
    #[arg(long, short_aliases = ['n', 'L'], value_name = "N", value_parser = up_to::<u64>(MANY))]
    limit: Option<u64>,
    /// Read only this page
    #[arg(long, value_name = "N", value_parser = up_to::<u64>(MANY))]
    #[arg(conflicts_with = "limit")]
    pub page: Option<u64>,
    /// Set the records per page [default: 100]
    #[arg(long, value_name = "N", value_parser = up_to::<u32>(1_000_000))]
    pub per_page: Option<u32>,
}

impl PagingArgs {
    pub fn list_options(&self) -> ListOptions {
        ListOptions {
            limit: self.limit,
            per_page: self.per_page,
        }
    }
}

/// A filter of the form `FIELD:OP=VALUE`, which completion knows by this type.
#[derive(Debug, Clone)]
pub struct FilterText(String);

/// An order of the form `FIELD[,asc|desc]`, which completion knows by this type.
#[derive(Debug, Clone)]
pub struct SortText(String);

impl<R: ListResource> ListArgs<R> {
    /// Returns the query, checked against the declaration.
    ///
    /// # Errors
    /// `Usage` with all values that the declaration does not allow.
    pub fn query(&self) -> Result<Query> {
        let now = jiff::Timestamp::now();
        let times = match &self.time_zone {
            None => TimeParser::local(now),
            Some(name) => TimeParser::in_zone(name, now).ok_or_else(|| {
                Error::usage(format!("--timezone: unknown time zone '{name}'"))
                    .with_hint("use a name of the IANA database, such as Europe/Berlin")
            })?,
        };
        let mut checked = Vec::new();
        if let Some(SortText(text)) = &self.sort {
            checked.push(sort::parse_sort(R::RESOURCE, text));
        }
        if let Some(name) = &self.time_zone {
            let parameter = Parameter::new(wire::TIMEZONE, name);
            checked.push(Ok(parameter.with_flag("--timezone")));
        }
        for (flag, values) in &self.filter_flags {
            checked.push(filter::filter_of_flag(*flag, values, &times));
        }
        for FilterText(text) in &self.filters {
            checked.push(filter::parse_filter(R::RESOURCE, text, &times));
        }
        let snapshot = ("snapshot_id", self.snapshot.as_deref());
        let folder = ("path", self.folder.as_deref());
        let mut parameters = Vec::new();
        for (name, value) in [snapshot, folder] {
            parameters.extend(value.map(|value| Parameter::new(name, value)));
        }
        let mut problems = Vec::new();
        if let Some((since, until)) = self.since.zip(self.until)
            && since > until
        {
            let message = format!("--since {since} is after --until {until}");
            problems.push(Error::usage(message).with_hint("swap the two times"));
        }
        for result in checked {
            match result {
                Ok(parameter) => parameters.push(parameter),
                Err(problem) => problems.push(problem),
            }
        }
        match Error::combine(problems) {
            Some(error) => Err(error),
            None => Ok(Query {
                parameters,
                search: self.search.as_deref().map(fold_for_search),
                since: self.since,
                until: self.until,
                tags: self.tags.as_ref().and_then(TagArgs::filter),
                ..Query::default()
            }),
        }
    }
}

impl<R: ListResource> FromArgMatches for ListArgs<R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut filter_flags = Vec::new();
        for flag in R::RESOURCE.filter_flags() {
            let values: Vec<String> = argument_values(matches, &flag.name());
            if !values.is_empty() {
                filter_flags.push((flag, values));
            }
        }
        Ok(Self {
            paging: PagingArgs::from_arg_matches(matches)?,
            sites: argument_values(matches, "site"),
            snapshot: argument_values(matches, "snapshot").pop(),
            folder: argument_values(matches, "folder").pop(),
            search: argument_values(matches, "local_search").pop(),
            client: argument_values(matches, "client").pop(),
            unassigned: argument_values(matches, "unassigned").contains(&true),
            since: argument_values(matches, "since").pop(),
            until: argument_values(matches, "until").pop(),
            tags: has_tags::<R>()
                .then(|| TagArgs::from_arg_matches(matches))
                .transpose()?,
            filter_flags,
            filters: argument_values(matches, "filter"),
            sort: argument_values(matches, "sort").pop(),
            time_zone: argument_values(matches, "timezone").pop(),
            resource: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn has_tags<R: ListResource>() -> bool {
    R::RESOURCE.field("tags").is_some()
}

/// Returns the values of an argument. No values if the command of this resource lacks the argument.
fn argument_values<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, id: &str) -> Vec<T> {
    match matches.try_get_many(id) {
        Ok(Some(values)) => values.cloned().collect(),
        _ => Vec::new(),
    }
}

impl<R: ListResource> clap::Args for ListArgs<R> {
    fn augment_args(command: Command) -> Command {
        let resource = R::RESOURCE;
        let command = command
            .args(parent_arguments(resource))
            .args(local_search_flag(resource))
            .args(client_flags(resource))
            .args(resource.filter_flags().map(filter_flag))
            .args(query_flags(resource));
        let command = if has_tags::<R>() {
            let command = TagArgs::augment_args(command);
            let command = command.mut_arg("tag", |arg| arg.conflicts_with("page"));
            command.mut_arg("untagged", |arg| arg.conflicts_with("page"))
        } else {
            command
        };
        let parent = resource.parent.map(|parent| parent.singular);
        let of_parent = parent.map_or(String::new(), |parent| format!(" of a {parent}"));
        PagingArgs::augment_args(command)
            .about(format!("List {}{of_parent}", resource.plural))
            .after_help(resource.examples)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Returns the arguments for what the list belongs to: a site, or a snapshot of a site, or a folder
/// in a snapshot.
fn parent_arguments(resource: &Resource) -> Vec<Arg> {
    let Some(parent) = resource.parent else {
        return Vec::new();
    };
    let is_content = parent.parent.is_some();
    let help = match is_content {
        true => "Id, URL or host name of the site",
        false => "Id, URL or host name of the site; omit for a menu",
    };
    let site = Arg::new("site")
        .value_name("SITE_ID")
        .value_parser(value_parser!(NameOf<Sites>))
        .required(is_content)
        .help(help);
    let snapshot = Arg::new("snapshot")
        .value_name("SNAPSHOT_ID")
        .value_parser(value_parser!(NameOf<Snapshots>))
        .required(true)
        .help("Id of the snapshot");
    let folder = Arg::new("folder")
        .value_name("PATH")
        .value_parser(value_parser!(NameOf<Files>))
        .default_value("./")
        .help("Path of the folder");
    let time = |name, help| {
        let time = Arg::new(name).long(name).value_name("TIME").help(help);
        time.conflicts_with("page")
    };
    let since = time("since", "List only snapshots taken since this local time");
    let until = time("until", "List only snapshots taken until this local time");
    let mut arguments = vec![site];
    if !is_content {
        arguments.push(since.value_parser(first_instant));
        arguments.push(until.value_parser(last_instant));
    }
    arguments.extend(is_content.then_some(snapshot));
    arguments.extend(resource.field("path").map(|_| folder));
    arguments
}

/// Returns `--search` for a list that sitectl searches itself; none for other lists.
fn local_search_flag(resource: &Resource) -> Option<Arg> {
    if resource.search_fields.is_empty() {
        return None;
    }
    Some(
        Arg::new("local_search")
            .long("search")
            .value_name("TEXT")
            .value_parser(NonEmptyStringValueParser::new())
            .conflicts_with("page")
            .help("Search ids, titles and URLs"),
    )
}

/// Returns `--unassigned`, and the flag that selects sites by their client, or clients by their
/// sites.
fn client_flags(resource: &Resource) -> Vec<Arg> {
    let plural = resource.plural;
    let unassigned = |other: &str| {
        Arg::new("unassigned")
            .long("unassigned")
            .action(ArgAction::SetTrue)
            .conflicts_with("page")
            .help(format!("List only {plural} without {other}"))
    };
    if resource.field("site_ids").is_some() {
        let site = Arg::new("site")
            .long("site")
            .value_name("SITE")
            .value_parser(value_parser!(NameOf<Sites>))
            .action(ArgAction::Append)
            .conflicts_with_all(["page", "unassigned"])
            .help(format!(
                "List only {plural} that have this site; repeatable"
            ));
        return vec![site, unassigned("sites")];
    }
    if !resource.belongs_to_clients {
        return Vec::new();
    }
    let client = Arg::new("client")
        .long("client")
        .value_name("ID|EMAIL")
        .value_parser(value_parser!(NameOf<Clients>))
        .conflicts_with_all(["page", "unassigned"])
        .help(format!("List only the {plural} of this client"));
    vec![client, unassigned("a client")]
}

fn filter_flag(flag: FilterFlag) -> Arg {
    let arg = Arg::new(flag.name()).long(flag.name()).help(flag.help());
    match flag.field.kind {
        FieldKind::Time => arg.value_name("TIME"),
        FieldKind::Boolean => arg
            .value_name("true|false")
            .value_parser(["true", "false"])
            .hide_possible_values(true),
        FieldKind::Choice(allowed) | FieldKind::State(allowed) => arg
            .value_name("VALUE")
            .value_delimiter(',')
            .value_parser(allowed.to_vec()),
        _ => arg.value_name("TEXT"),
    }
}

/// Returns the flags for filters, sort and time zone.
fn query_flags(resource: &Resource) -> Vec<Arg> {
    let filters: Vec<String> = resource.filter_fields().map(Field::filter_syntax).collect();
    if filters.is_empty() {
        return Vec::new();
    }
    let filter_help = format!(
        "Filter by a field; repeatable [possible filters: {}]",
        filters.join(", ")
    );
    let sort_help = format!(
        "Sort by a field [default direction: asc] [possible fields: {}]",
        resource.sort_fields().join(", ")
    );
    vec![
        Arg::new("filter")
            .long("filter")
            .value_name("FIELD:OP=VALUE")
            .value_parser(StringValueParser::new().map(FilterText))
            .action(ArgAction::Append)
            .help(filter_help),
        Arg::new("sort")
            .long("sort")
            .value_name("FIELD[,asc|desc]")
            .value_parser(StringValueParser::new().map(SortText))
            .allow_hyphen_values(true)
            .help(sort_help),
        Arg::new("timezone")
            .long("timezone")
            .value_name("TZ")
            .value_parser(NonEmptyStringValueParser::new())
            .help("Set the time zone of dates, such as Europe/Berlin [default: local]"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{Clients, ManagedAccounts};
    use clap::Args;

    /// Returns the parameters of the query that these arguments stand for.
    fn parameters<R: ListResource>(args: &str) -> String {
        let command = ListArgs::<R>::augment_args(Command::new("list")).no_binary_name(true);
        let matches = command
            .try_get_matches_from(args.split(' '))
            .unwrap_or_else(|error| unreachable!("{error}"));
        let query = ListArgs::<R>::from_arg_matches(&matches)
            .ok()
            .and_then(|args| args.query().ok());
        let pairs: Vec<String> = query
            .unwrap_or_default()
            .parameters
            .iter()
            .map(|parameter| format!("{}={}", parameter.name, parameter.value))
            .collect();
        pairs.join("&")
    }

    #[test]
    fn every_flag_is_the_filter_of_the_spec() {
        let clients = [
            ("--search Zoë", "filters[search:contains]=Zoë"),
            ("--first-name a", "filters[first_name:contains]=a"),
            ("--last-name a", "filters[last_name:contains]=a"),
            (
                "--filter email:contains=x=y --email z",
                "filters[email:contains]=z&filters[email:contains]=x=y",
            ),
            ("--sort email", "sort=email,asc"),
        ];
        let accounts = [
            ("--email a", "filters[email:contains]=a"),
            ("--role co_owner", "filters[role:eq]=co_owner"),
            (
                "--role co_owner,collaborator",
                "filters[role:in]=co_owner,collaborator",
            ),
            (
                "--status pending,connected",
                "filters[status:in]=pending,connected",
            ),
            (
                "--all-sites-access false",
                "filters[all_sites_access:eq]=false",
            ),
            ("--filter status:in=pending", "filters[status:in]=pending"),
            ("--sort status,desc", "sort=status,desc"),
        ];
        let both = [
            ("--company-name a", "filters[company_name:contains]=a"),
            (
                "--timezone UTC --created-since 2026-01-31",
                "timezone=UTC&filters[created_at:gte]=2026-01-31T00:00:00Z",
            ),
            (
                "--timezone UTC --created-until 2026-01-31",
                "timezone=UTC&filters[created_at:lte]=2026-01-31T23:59:59.999999Z",
            ),
            (
                "--updated-since 2026-01-31T08:00:00+02:00",
                "filters[updated_at:gte]=2026-01-31T06:00:00Z",
            ),
            (
                "--updated-until 2026-07-01 --timezone Europe/Berlin",
                "timezone=Europe/Berlin&filters[updated_at:lte]=2026-07-01T21:59:59.999999Z",
            ),
        ];
        for (args, query) in clients.iter().chain(&both) {
            assert_eq!(parameters::<Clients>(args), *query);
        }
        for (args, query) in accounts.iter().chain(&both) {
            assert_eq!(parameters::<ManagedAccounts>(args), *query);
        }
    }
}
