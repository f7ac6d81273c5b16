//! `sitectl api`: sends a request to any endpoint below the base URL, within the rate limit.

mod request_fields;

use crate::client::{AnyResponse, ListEndpoint, ListOptions, Method, Path};
use crate::commands::consent::Question;
use crate::commands::context::Context;
use crate::commands::finish_change;
use crate::commands::list;
use crate::error::{Error, Hint, Result};
use crate::input::read_json;
use crate::output::RecordPrinter;
use crate::passwords::refuse_hidden_passwords;
use crate::resources::UNKNOWN;
use crate::resources::query::{Parameter, Query, wire};
use crate::shell::refuse_rewritten_path;
use clap::ValueHint;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use request_fields::{RequestField, build_object};
use serde::Serialize;
use serde_json::value::RawValue;

const EXAMPLES: &str = "\
Examples:
  sitectl api /sites --paginate
  sitectl api '/clients?perPage=5' --fields id,email,company_name
  sitectl api /clients -f 'filters[email:contains]=example' \\
    --jq '.clients[].email'
  sitectl api POST /clients -f 'client[first_name]=Ada' \\
    -f 'client[email]=ada@example.com' --dry-run
  echo '{\"client\": {\"note\": \"moved\"}}' | \\
    sitectl api POST /clients/client-0002/update --input - --dry-run

Paths are relative to the base URL. With GET and HEAD, -f and -F set query parameters. With other
methods, they build a JSON object: a[b]=x sets b in the object a, and a[]=x appends to the list a.

JSON output is the response body, or one list with --paginate. Other formats and --fields print the
records of the list in the body, or else the one record.";

const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// Call any API endpoint
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, allow_missing_positional = true)]
pub struct Args {
    /// HTTP method
    #[arg(value_name = "METHOD", ignore_case = true, default_value = "GET")]
    #[arg(value_parser = method_parser())]
    method: Method,
    /// HTTP method, as curl and gh take it
    #[arg(
        short = 'X',
        long = "method",
        value_name = "METHOD",
        ignore_case = true,
        conflicts_with = "method"
    )]
    #[arg(value_parser = method_parser(), hide_short_help = true)]
    method_option: Option<Method>,
    /// Path and query below the base URL, such as /clients?page=2
    #[arg(value_name = "PATH")]
    path: String,
    /// Add a string to the query or the body; repeatable
    #[arg(short = 'f', long, value_name = "KEY=VALUE", value_parser = RequestField::parse_string)]
    raw_field: Vec<RequestField>,
    /// Add a JSON value, such as a number, true, null or a list; repeatable
    #[arg(short = 'F', long, value_name = "KEY=JSON", value_parser = RequestField::parse_json)]
    field: Vec<RequestField>,
    /// Send the JSON in a file as the body, or - for stdin
    #[arg(long, value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["raw_field", "field"])]
    input: Option<String>,
    /// Read all pages and print their records as one list
    #[arg(long)]
    paginate: bool,
    /// Show the status and headers of each response on stderr
    #[arg(short, long)]
    include: bool,
    /// Print the method, URL and body instead of sending the request
    #[arg(long)]
    dry_run: bool,
}

fn method_parser() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(METHODS).try_map(|name| name.to_uppercase().parse::<Method>())
}

/// A path and body that have been checked.
struct CheckedRequest {
    path: Path,
    body: Option<String>,
}

/// The output of `--dry-run`.
#[derive(Serialize)]
struct RequestPreview<'c> {
    method: &'c str,
    url: &'c str,
    body: Option<Box<RawValue>>,
}

impl Args {
    fn method(&self) -> &Method {
        self.method_option.as_ref().unwrap_or(&self.method)
    }

    /// Returns the fields in the order of their flags.
    fn fields(&self) -> impl Iterator<Item = &RequestField> {
        self.raw_field.iter().chain(&self.field)
    }

    /// Returns the flag of the field that an error detail is about.
    fn flag_of(&self, param: &str) -> Option<String> {
        let field = self
            .fields()
            .find(|field| field.param == param || field.key == param)?;
        Some(field.flag.clone())
    }

    /// Checks the arguments. Fields go to the query or, if the method has a body, to the body.
    fn check(&self, context: &Context) -> Result<CheckedRequest> {
        if self.input.is_some() && self.method().is_safe() {
            return Err(Error::usage(format!(
                "--input requires a method that has a body, not {}",
                self.method()
            ))
            .with_hint(format!(
                "specify the method: sitectl api POST {} --input FILE",
                self.path
            )));
        }
        if self.paginate && *self.method() != Method::GET {
            return Err(
                Error::usage(format!("--paginate requires GET, not {}", self.method()))
                    .with_hint("omit the method"),
            );
        }
        let mut query = Vec::new();
        let mut body_fields = Vec::new();
        for field in self.fields() {
            if self.method().is_safe() {
                query.push(Parameter::new(&*field.key, &*field.text));
            } else {
                body_fields.push(field);
            }
        }
        refuse_rewritten_path(&self.path)
            .map_err(|problem| Error::usage(format!("the path '{}' {problem}", self.path)))
            .map_err(|error| error.with_hint("for example: sitectl api clients"))?;
        let path = Path::parse_below(&self.path, &context.base_url_without_connecting()?)?
            .with_query(&query);
        if self.paginate && (path.has_parameter(wire::PAGE) || path.has_parameter(wire::PER_PAGE)) {
            return Err(Error::usage("--paginate sets 'page' and 'perPage' itself")
                .with_hint("remove 'page' and 'perPage' from the query"));
        }
        let body = match &self.input {
            Some(file) => Some(read_json(file)?),
            None => build_object(&body_fields)?,
        };
        refuse_hidden_passwords(body.as_deref().unwrap_or_default())?;
        Ok(CheckedRequest { path, body })
    }
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let request = args.check(context)?;
    if args.dry_run {
        return print_request(context, args.method(), request);
    }
    let Err(error) = send(context, args, request).await else {
        return Ok(());
    };
    let mut error = error.with_flags(|param| args.flag_of(param));
    if error.has_unknown_outcome() {
        error = error.with_fallback_hint(Hint::command(
            "check the outcome before you send the request again",
            "explain unknown_outcome",
        ));
    }
    Err(error)
}

async fn send(context: &Context, args: &Args, request: CheckedRequest) -> Result<()> {
    if args.method().is_safe() {
        return send_read(context, args, request.path).await;
    }
    let method = args.method().clone();
    let question = format!("Send {method} {}", request.path.as_str());
    let confirmation = context.confirmation()?;
    confirmation.require_person(&question)?;
    let api = context.api_showing_heads(args.include).await?;
    let consent = confirmation.ask(&[Question::new(question)]).await?;
    let change = Some((&consent, request.body));
    let response = api.send(method, request.path, change).await?;
    let printed = print_response(context, response).await;
    finish_change(Some("the request succeeded".into()), Ok(()), printed)
}

async fn send_read(context: &Context, args: &Args, path: Path) -> Result<()> {
    let api = context.api_showing_heads(args.include).await?;
    if !args.paginate {
        let response = api.send(args.method().clone(), path, None).await?;
        return print_response(context, response).await;
    }
    let endpoint = ListEndpoint {
        resource: &UNKNOWN,
        path,
    };
    let options = ListOptions::default();
    list::print_all_pages(context, &api, &endpoint, &Query::default(), options).await
}

/// Prints the response: unchanged as JSON without `--fields`, else the records of its list or the
/// body as one record.
async fn print_response(context: &Context, response: Option<AnyResponse>) -> Result<()> {
    let output = context.output();
    let Some(response) = response else {
        context.ui.note("the response has no body");
        return Ok(());
    };
    if output.prints_unchanged() {
        return output.print_unchanged(&response.body).await;
    }
    let Some(records) = response.list else {
        return output.print_record(&response.record);
    };
    let mut printer = RecordPrinter::new(&UNKNOWN, output);
    let printed = printer.print_page(records).await;
    printed.and(printer.finish())
}

/// Prints the request. With `--paginate`, the URL has no parameters of a page yet. If the user
/// typed the token in the request, it is masked.
fn print_request(context: &Context, method: &Method, request: CheckedRequest) -> Result<()> {
    let output = context.output();
    let mask = |text: &str| context.ui.masked(text);
    let base_url = context.base_url_without_connecting()?;
    let url = mask(&format!("{}{}", base_url.as_str(), request.path.as_str()));
    let body = request.body.as_deref().map(mask);
    if output.is_structured() {
        let preview = RequestPreview {
            method: method.as_str(),
            url: &url,
            body: body.map(RawValue::from_string).transpose()?,
        };
        output.print_result(&preview, &[])?;
    } else {
        let mut text = format!("{method} {url}\n");
        if let Some(body) = body {
            text += &format!("\n{}\n", context.ui.hide_passwords(body.trim_end()));
        }
        output.print_text(&text)?;
    }
    context.ui.note("No changes were made.");
    Ok(())
}
