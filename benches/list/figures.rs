//! Writes the figures into `docs/performance.md`, and the plot of that page.

use crate::{Figure, plot};
use std::path::Path;

/// The marks around the figures in the document.
const MARKS: [&str; 2] = ["<!-- figures -->\n", "<!-- end of figures -->\n"];

/// Writes the plot, and a table of the longest list.
pub fn write(figures: &[Figure]) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let most = figures.iter().map(|figure| figure.clients).max().unwrap();
    let longest: Vec<&Figure> = figures
        .iter()
        .filter(|figure| figure.clients == most)
        .collect();
    let names: Vec<&str> = longest.iter().map(|figure| figure.name.as_str()).collect();
    // The lines of ndjson and ids would cover that of json.
    let drawn: Vec<&str> = names
        .into_iter()
        .filter(|name| !name.ends_with("ndjson") && !name.ends_with("ids"))
        .collect();
    std::fs::write(docs.join("performance.svg"), plot::draw(figures, &drawn)).unwrap();
    let page = std::fs::read_to_string(docs.join("performance.md")).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (_, after) = rest.split_once(MARKS[1]).unwrap();
    let page = format!("{before}{}{}{}{after}", MARKS[0], block(&longest), MARKS[1]);
    std::fs::write(docs.join("performance.md"), page).unwrap();
}

/// Returns the plot and the table as Markdown. `curl` is the measure of time.
fn block(longest: &[&Figure]) -> String {
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
    format!(
        "\n![Time and memory of each command for 1,000 to 100,000 clients, as in the table below](performance.svg)\n\n\
         | {} clients, 1000 per page | time, `curl -o /dev/null` = 1 | peak memory |\n| --- | --- | --- |\n{}\n",
        longest[0].clients,
        longest.iter().map(row).collect::<String>()
    )
}
