//! Writes the figures into `docs/performance.md`, and the plot of that page.

use crate::{Figure, plot};
use std::path::Path;

/// The marks around the figures in the document.
const MARKS: [&str; 2] = ["<!-- figures -->\n", "<!-- end of figures -->\n"];

/// Writes the plot, a table of the longest list, and these rows of costs.
pub fn write(figures: &[Figure], costs: &[[String; 3]]) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let most = figures.iter().map(|figure| figure.clients).max().unwrap();
    let longest: Vec<&Figure> = figures
        .iter()
        .filter(|figure| figure.clients == most)
        .collect();
    std::fs::write(docs.join("performance.svg"), plot::draw(figures)).unwrap();
    let page = std::fs::read_to_string(docs.join("performance.md")).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (_, after) = rest.split_once(MARKS[1]).unwrap();
    let block = block(&plot::description(figures), &longest, costs);
    let page = format!("{before}{}{block}{}{after}", MARKS[0], MARKS[1]);
    std::fs::write(docs.join("performance.md"), page).unwrap();
}

/// Returns the plot and the tables as Markdown. `curl` is the measure of time.
fn block(description: &str, longest: &[&Figure], costs: &[[String; 3]]) -> String {
    let curl = longest
        .iter()
        .find(|figure| figure.name.starts_with("curl -o"))
        .map(|figure| figure.time);
    let row = |figure: &&Figure| {
        let ratio = curl.map_or("-".into(), |curl| format!("{:.1}", figure.time / curl));
        let memory = figure
            .memory
            .map_or("-".into(), |mib| format!("{mib:.0} MiB"));
        format!(
            "| `{}` | {ratio} | {memory} |\n",
            figure.name.replace('|', "\\|")
        )
    };
    let cost = |cells: &[String; 3]| format!("| {} |\n", cells.join(" | "));
    format!(
        "\n![{description}](performance.svg)\n\n\
         | {} clients, 1000 per page | time / time of `curl -o /dev/null` | peak memory |\n\
         | --- | --- | --- |\n{}\n\
         | 1000 clients per page | measure | result |\n| --- | --- | --- |\n{}\n",
        longest[0].clients,
        longest.iter().map(row).collect::<String>(),
        costs.iter().map(cost).collect::<String>()
    )
}
