//! The request that was written by hand: put together, and checked as far as that can be done before anything is sent.

use super::given::Given;
use super::method::Method;
use super::nested;
use super::{Args, Habits};
use crate::client::{Place, Wanted};
use crate::config::BaseUrl;
use crate::error::{Error, Result};
use crate::input::read_json;
use crate::terminal::quoted;

/// One request.
pub struct Call {
    /// How.
    pub method: Method,
    /// Where, with its query.
    pub place: Place,
    /// What, as JSON.
    pub body: Option<String>,
    /// Which list of the answer is meant.
    pub wanted: Wanted,
    /// What it was put together from.
    pub given: Vec<Given>,
}

impl Call {
    /// Puts it together.
    ///
    /// # Errors
    /// `Usage` with everything that is wrong; `Invalid` where the body is not JSON.
    pub fn new(args: &Args, base: &BaseUrl) -> Result<Self> {
        let mut problems = Vec::new();
        let place = Place::parse(&args.path, base).map_err(|error| problems.push(error)).ok();
        let texts = args.raw_field.iter().map(|typed| Given::text(typed));
        let fields = sound(texts.chain(args.field.iter().map(|typed| Given::json(typed))), &mut problems);
        let filters = args.filter.iter().map(|typed| Given::filter(typed));
        let queries = sound(filters.chain(args.sort.iter().map(|typed| Given::sort(typed))), &mut problems);
        problems.extend(out_of_place(args));
        let (fields, queries) =
            if args.method.reads() { (Vec::new(), [queries, fields].concat()) } else { (fields, queries) };
        let object = nested::object(&fields).map_err(|more| problems.extend(more)).unwrap_or_default();
        let mut place = match (Error::all(problems), place) {
            (None, Some(place)) => place,
            (error, _) => return Err(error.unwrap_or_else(|| Error::usage("the path is missing"))),
        };
        queries.iter().for_each(|given| place.add(&given.key, &given.text));
        let input = args.input.as_deref().map(read_json).transpose()?;
        let given = [queries, fields].concat();
        Ok(Self { method: args.method, place, body: input.or(object), wanted: args.wanted(), given })
    }
}

/// Those that are right; what is wrong with the others goes to the problems.
fn sound(all: impl Iterator<Item = Result<Given>>, problems: &mut Vec<Error>) -> Vec<Given> {
    all.filter_map(|given| given.map_err(|error| problems.push(error)).ok()).collect()
}

/// What the method has no use for.
fn out_of_place(args: &Args) -> Vec<Error> {
    let method = args.method;
    let only_get =
        [("--filter", !args.filter.is_empty()), ("--sort", args.sort.is_some()), ("--paginate", args.paginate)];
    let misplaced = only_get.into_iter().filter(|(_, given)| *given && method != Method::Get);
    let only_get = |(flag, _)| {
        Error::usage(format!("{flag} is for GET, and this is {}", method.name()))
            .hint("a request without a method is a GET")
    };
    let mut problems: Vec<Error> = misplaced.map(only_get).chain(habits(&args.habits, &args.path)).collect();
    if args.input.is_some() && method.reads() {
        problems.push(
            Error::usage(format!("--input is a body, and {} has none", method.name()))
                .hint(format!("name the method: sitectl api POST {} --input FILE", args.path)),
        );
    }
    problems
}

/// What is typed for other programs.
fn habits(habits: &Habits, path: &str) -> Vec<Error> {
    let method = habits.other_method.as_ref().map(|method| {
        let method = method.to_uppercase();
        Error::usage(format!("-X {method}: the method has no flag")).hint(format!(
            "the method comes first: sitectl api {} {}",
            quoted(&method),
            quoted(path)
        ))
    });
    let header = habits.header.first().map(|_| {
        Error::usage("-H: headers cannot be chosen")
            .hint("sitectl sends the token and the content type by itself; -vv shows every header")
    });
    method.into_iter().chain(header).collect()
}
