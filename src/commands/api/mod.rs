//! `sitectl api`: a request written by hand, to any area of the service.

mod call;
mod change;
mod dry_run;
mod given;
mod method;
mod nested;
mod pages;
mod read;
mod shown;
mod wrong;

use crate::client::Wanted;
use crate::commands::consent::ConfirmArgs;
use crate::commands::context::{Context, Heads};
use crate::commands::list::Paging;
use crate::error::Result;
use call::Call;
use clap::Arg;
use clap::builder::NonEmptyStringValueParser;
use method::{Deed, Method};

const EXAMPLES: &str = "\
Examples:
  sitectl api /sites --paginate
  sitectl api '/clients?perPage=5' --fields id,email,company_name
  sitectl api /clients --filter email:contains=example --sort last_name \\
    --jq '.clients[].email'
  sitectl api POST /clients -f 'client[first_name]=Ada' \\
    -f 'client[email]=ada@example.com'
  sitectl api '/sites?perPage=3' --list sites --jq '.[].id'
  sitectl api POST /clients/delete -F 'ids=[\"client-0001\"]' --dry-run
  echo '{\"client\": {\"note\": \"moved\"}}' | \\
    sitectl api POST /clients/client-0002/update --input -

A path is relative to the base URL. With GET and HEAD, -f and -F are parameters of the query; with
the other methods they make a JSON object, in which a[b]=x goes into a and a[]=x is one more item of
a list. Those methods are taken for changes: nothing is sent again that the service may have acted
on, and a protected profile asks for its name.

As JSON, the answer is printed as it came. The other formats, and --fields, print the records of its
list, which is the only array beside 'meta', or the one that --list names.";

/// Send a request by hand, to any area of the service.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, allow_missing_positional = true)]
#[command(mut_args(for_all_pages))]
pub struct Args {
    /// The HTTP method, in capitals or not
    #[arg(value_name = "METHOD", value_enum, ignore_case = true, default_value = "GET")]
    method: Method,
    /// What to ask for, such as /clients?page=2, or a whole address below the base URL
    #[arg(value_name = "PATH")]
    path: String,
    /// A text, in the query or the body; can be given several times
    #[arg(short = 'f', long, value_name = "KEY=VALUE")]
    raw_field: Vec<String>,
    /// The same with a JSON value, such as a number, true, null or a list
    #[arg(short = 'F', long, value_name = "KEY=JSON")]
    field: Vec<String>,
    /// Send the JSON in a file as the body, or - for stdin
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["raw_field", "field"])]
    input: Option<String>,
    /// Only records for which all of these hold; which fields and operators there are, the service says
    #[arg(long, value_name = "FIELD:OP=VALUE")]
    filter: Vec<String>,
    /// Order by a field, asc unless said otherwise
    #[arg(long, value_name = "FIELD[,asc|desc]")]
    sort: Option<String>,
    /// Read the list whole, page after page, and print its records as one list
    #[arg(long)]
    paginate: bool,
    #[command(flatten)]
    paging: Paging,
    /// The list that is meant, where the answer holds several or has it inside an object
    #[arg(long, value_name = "LIST", value_parser = NonEmptyStringValueParser::new())]
    list: Option<String>,
    /// Show the status and headers of each answer on stderr
    #[arg(short, long)]
    include: bool,
    /// Print the method, URL and body of the request instead of sending it
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    confirm: ConfirmArgs,
    #[command(flatten)]
    habits: Habits,
}

/// What others have, and sitectl spells in another way: it is refused with that.
#[derive(Debug, clap::Args)]
struct Habits {
    #[arg(short = 'X', long = "method", value_name = "METHOD", hide = true)]
    other_method: Option<String>,
    #[arg(short = 'H', long = "header", value_name = "HEADER", hide = true)]
    header: Vec<String>,
}

/// Only who reads every page can say how.
fn for_all_pages(arg: Arg) -> Arg {
    if Paging::FLAGS.contains(&arg.get_id().as_str()) { arg.requires("paginate") } else { arg }
}

impl Args {
    fn heads(&self) -> Heads {
        if self.include { Heads::Shown } else { Heads::Hidden }
    }

    fn wanted(&self) -> Wanted {
        self.list.as_deref().map_or(Wanted::Only, |place| Wanted::At(place.into()))
    }
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let asking = context.asking(true, &args.confirm)?;
    let base = context.base_url()?;
    let mut call = Call::new(args, &base)?;
    let plan = if args.paginate { Some(pages::plan(args, &mut call.place, context.settings.per_page)?) } else { None };
    change::warn_of_restore(context, &call);
    if args.dry_run {
        return dry_run::print(context, &base, call, plan);
    }
    let done = match (call.method.deed(), plan) {
        (Deed::Read(_), Some(plan)) => pages::run(context, args.heads(), &call, plan).await,
        (Deed::Read(reading), None) => read::run(context, args.heads(), &call, reading).await,
        (Deed::Change(changing), _) => change::run(context, args.heads(), &asking, &call, changing).await,
    };
    done.map_err(|error| wrong::explained(error, context, &base, &call))
}
