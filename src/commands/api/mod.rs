//! `sitectl api`: sends a request to any endpoint below the base URL, within the rate limit.

mod fields;

use crate::client::{AnyResponse, ListOptions, Listing, Method, Path};
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::commands::list;
use crate::error::{Error, Kind, Result};
use crate::input::read_json;
use crate::output::{self, RecordPrinter};
use crate::resources::UNKNOWN;
use crate::resources::query::{Query, wire};
use clap::ValueHint;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fields::Field;
use serde::Serialize;
use serde_json::value::RawValue;

const EXAMPLES: &str = "\
Examples:
  sitectl api /sites --paginate
  sitectl api '/clients?perPage=5' --fields id,email,company_name
  sitectl api /clients --filter email:contains=example --sort last_name \\
    --jq '.clients[].email'
  sitectl api POST /clients -f 'client[first_name]=Ada' \\
    -f 'client[email]=ada@example.com'
  sitectl api POST /clients/delete -F 'ids=[\"client-0001\"]' --dry-run
  echo '{\"client\": {\"note\": \"moved\"}}' | \\
    sitectl api POST /clients/client-0002/update --input -

Paths are relative to the base URL. With GET and HEAD, -f and -F set query parameters. With other
methods, they build a JSON object: a[b]=x sets b in the object a, and a[]=x appends to the list a.

JSON output is the response body. Other formats and --fields print the records of the list, which is
the only array next to 'meta'.";

const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// Call any API endpoint
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, allow_missing_positional = true)]
pub struct Args {
    /// HTTP method
    #[arg(value_name = "METHOD", ignore_case = true, default_value = "GET", value_parser = method())]
    method: Method,
    /// Path and query below the base URL, such as /clients?page=2
    #[arg(value_name = "PATH")]
    path: String,
    /// Add a string to the query or the body; repeatable
    #[arg(short = 'f', long, value_name = "KEY=VALUE", value_parser = Field::string)]
    raw_field: Vec<Field>,
    /// Add a JSON value, such as a number, true, null or a list; repeatable
    #[arg(short = 'F', long, value_name = "KEY=JSON", value_parser = Field::json)]
    field: Vec<Field>,
    /// Send the JSON in a file as the body, or - for stdin
    #[arg(long, value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["raw_field", "field"])]
    input: Option<String>,
    /// Filter the list; repeatable
    #[arg(long, value_name = "FIELD:OP=VALUE", value_parser = Field::filter)]
    filter: Vec<Field>,
    /// Sort the list by a field [default direction: asc]
    #[arg(long, value_name = "FIELD[,asc|desc]", value_parser = Field::sort)]
    sort: Option<Field>,
    /// Read all pages and print their records as one list
    #[arg(long)]
    paginate: bool,
    /// Show the status and headers of each response on stderr
    #[arg(short, long)]
    include: bool,
    /// Print the method, URL and body instead of sending the request
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    confirm: ConfirmArgs,
}

fn method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(METHODS).try_map(|name| name.to_uppercase().parse::<Method>())
}

/// A request that has been checked.
struct Call {
    path: Path,
    body: Option<String>,
}

/// The output of `--dry-run`.
#[derive(Serialize)]
struct Preview<'c> {
    method: &'c str,
    url: &'c str,
    body: Option<Box<RawValue>>,
}

impl Args {
    fn reads(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    /// Returns the fields in the order of their flags.
    fn fields(&self) -> impl Iterator<Item = &Field> {
        self.filter
            .iter()
            .chain(&self.sort)
            .chain(&self.raw_field)
            .chain(&self.field)
    }

    fn call(&self, context: &Context) -> Result<Call> {
        if self.input.is_some() && self.reads() {
            return Err(Error::usage(format!(
                "--input requires a method that has a body, not {}",
                self.method
            ))
            .with_hint(format!(
                "specify the method: sitectl api POST {} --input FILE",
                self.path
            )));
        }
        if self.paginate && self.method != Method::GET {
            return Err(
                Error::usage(format!("--paginate requires GET, not {}", self.method))
                    .with_hint("omit the method"),
            );
        }
        let (query, body): (Vec<_>, Vec<_>) = self
            .fields()
            .partition(|field| self.reads() || field.json.is_none());
        let query: Vec<_> = query
            .iter()
            .map(|field| (field.key.clone(), field.text.clone()))
            .collect();
        let path = Path::typed(&self.path, &context.base_url()?)?.query(&query);
        if self.paginate
            && [wire::PAGE, wire::PER_PAGE]
                .iter()
                .any(|name| path.has_parameter(name))
        {
            return Err(Error::usage("--paginate sets 'page' and 'perPage' itself")
                .with_hint("remove 'page' and 'perPage' from the query"));
        }
        let body = match &self.input {
            Some(input) => Some(read_json(input)?),
            None => fields::object(&body)?,
        };
        Ok(Call { path, body })
    }
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let call = args.call(context)?;
    if args.dry_run {
        return print_request(context, &args.method, call);
    }
    let is_about = |field: &&Field, param: &str| field.param == param || field.key == param;
    let flag_of = |param: &str| {
        args.fields()
            .find(|field| is_about(field, param))
            .map(|field| field.flag.clone())
    };
    send(context, args, call).await.map_err(|error| match error.with_flags(flag_of) {
        error if error.is_in_doubt() => error.with_fallback_hint(|| {
            "check the outcome before you send the request again: sitectl explain unknown_outcome".into()
        }),
        error if error.status == Some(405) => {
            error.with_hint(format!("use another method, because the path does not support {}", args.method))
        }
        error => error,
    })
}

async fn send(context: &Context, args: &Args, call: Call) -> Result<()> {
    let method = args.method.clone();
    let question = format!("Send {method} {}", call.path.as_str());
    let confirmation = if args.reads() {
        None
    } else {
        Some(context.confirmation(true, &args.confirm)?)
    };
    confirmation.as_ref().map_or(Ok(()), |confirmation| {
        confirmation.require_person(&question)
    })?;
    let api = context.api_showing_heads(args.include).await?;
    if args.paginate {
        let plan = ListOptions {
            per_page: context.settings.per_page,
            ..ListOptions::default()
        };
        let listing = Listing {
            resource: &UNKNOWN,
            path: call.path,
        };
        return list::print_all_pages(context, &api, &listing, &Query::default(), plan).await;
    }
    let Some(confirmation) = confirmation else {
        return print(context, api.any(method, call.path, None).await?).await;
    };
    let consent = confirmation.ask(&[Question::new(question)]).await?;
    let response = api
        .any(method, call.path, Some((&consent, call.body)))
        .await?;
    print(context, response)
        .await
        .map_err(|error| match error.kind {
            Kind::OutputClosed | Kind::Interrupted => error,
            // The kind must not make a script send the change again.
            _ => error
                .context("the request succeeded, but its result was not printed")
                .with_kind(Kind::Error),
        })
}

/// Prints a response unchanged, or the records in it.
async fn print(context: &Context, response: Option<AnyResponse>) -> Result<()> {
    let output_options = context.output_options();
    match response {
        None => context.ui.note("the response has no body"),
        Some(response) if output_options.prints_unchanged() => {
            output::print_unchanged(&response.whole, output_options).await?
        }
        Some(AnyResponse {
            list: None, record, ..
        }) => output::print_record(&record, output_options)?,
        Some(AnyResponse {
            list: Some(records),
            ..
        }) => {
            let mut printer = RecordPrinter::new(&UNKNOWN, output_options);
            let printed = printer.print_page(records).await;
            printed.and(printer.finish())?;
        }
    }
    Ok(())
}

/// Prints the request; with `--paginate` without the parameters of a page. A typed token is masked.
fn print_request(context: &Context, method: &Method, call: Call) -> Result<()> {
    let mask = |text: &str| context.ui.masked(text);
    let url = mask(&format!(
        "{}{}",
        context.base_url()?.as_str(),
        call.path.as_str()
    ));
    let body = call.body.as_deref().map(mask);
    if context.output_options().is_structured() {
        let body = body.map(RawValue::from_string).transpose()?;
        output::print_result(
            &Preview {
                method: method.as_str(),
                url: &url,
                body,
            },
            &[],
            context.output_options(),
        )?;
    } else {
        let body = body
            .map(|body| format!("\n{}\n", body.trim_end()))
            .unwrap_or_default();
        output::print_text(&format!("{method} {url}\n{body}"), context.output_options())?;
    }
    context.ui.note("No changes were made.");
    Ok(())
}
