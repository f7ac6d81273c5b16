//! A terminal's screen as a picture: a dark window with the text as text, in the colours of its cells. Nothing is
//! fetched from elsewhere, so that it can stand on any page.

use std::fmt::Write;
use vt100::{Cell, Color, Screen};

/// The width and height of a cell.
const CELL: (f64, f64) = (8.4, 20.0);
/// Between the window's edge and the text.
const MARGIN: f64 = 20.0;
/// The height of the window's bar.
const BAR: f64 = 36.0;
/// From the top of a row to the line that its letters stand on.
const BASELINE: f64 = 14.0;
/// A terminal's sixteen colours, as they read well on the window.
const COLORS: [&str; 16] = [
    "#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4", "#6e7681", "#ffa198",
    "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff",
];
/// What holds for all text. The font is one that the reader's machine has.
const STYLE: &str = "text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', \
                     'DejaVu Sans Mono', monospace; fill: #e6edf3; white-space: pre }";
/// The window's bar. The window itself has an edge, which parts it from a dark page.
const BUTTONS: &str = r##"<circle cx="26" cy="18" r="6" fill="#ff5f57"/>
<circle cx="46" cy="18" r="6" fill="#febc2e"/>
<circle cx="66" cy="18" r="6" fill="#28c840"/>"##;

/// Cells of a row, side by side, that look alike.
struct Run {
    column: u16,
    width: u16,
    text: String,
    look: String,
}

/// Draws the rows of the screen up to the last that is not blank.
pub fn draw(screen: &Screen, title: &str, description: &str) -> String {
    let rows: Vec<Vec<Run>> = (0..screen.size().0.get()).map(|row| runs(screen, row)).collect();
    let rows = &rows[..rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1)];
    let columns = rows.iter().flatten().map(|run| run.column + run.width).max().unwrap_or(0);
    let (width, height) = (x(columns) + MARGIN, top(rows.len()) + MARGIN);
    let mut svg = window(width, height, &escape(title), &escape(description));
    for (row, runs) in rows.iter().enumerate() {
        for Run { column, width, text, look } in runs {
            let (x, y, length) = (x(*column), top(row) + BASELINE, CELL.0 * f64::from(*width));
            let text = escape(text);
            // Whatever the font, the text keeps to its cells.
            let place = format!(r#"x="{x:.1}" y="{y:.0}" textLength="{length:.1}" lengthAdjust="spacingAndGlyphs""#);
            let _ = writeln!(svg, "<text {place}{look}>{text}</text>");
        }
    }
    svg + "</svg>\n"
}

fn x(column: u16) -> f64 {
    MARGIN + CELL.0 * f64::from(column)
}

fn top(row: usize) -> f64 {
    BAR + CELL.1 * row as f64
}

fn window(width: f64, height: f64, title: &str, description: &str) -> String {
    let size = format!(r#"width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}""#);
    let inner = format!(r#"width="{:.0}" height="{:.0}""#, width - 1.0, height - 1.0);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title description" xml:space="preserve">
<title id="title">{title}</title>
<desc id="description">{description}</desc>
<style>{STYLE}</style>
<rect x="0.5" y="0.5" {inner} rx="10" fill="#161b22" stroke="#3d444d"/>
{BUTTONS}
"##
    )
}

/// A row in runs, without the blanks at its end.
fn runs(screen: &Screen, row: u16) -> Vec<Run> {
    let cells = (0..screen.size().1.get()).filter_map(|column| Some((column, screen.cell(row, column)?)));
    let cells: Vec<_> = cells.filter(|(_, cell)| !cell.is_wide_continuation()).collect();
    let is_blank = |(_, cell): &(u16, &Cell)| cell.contents().trim().is_empty();
    let end = cells.iter().rposition(|cell| !is_blank(cell)).map_or(0, |last| last + 1);
    let mut runs: Vec<Run> = Vec::new();
    for (column, cell) in &cells[..end] {
        let text = if cell.has_contents() { cell.contents() } else { " " };
        let (width, look) = (1 + u16::from(cell.is_wide()), look(cell));
        match runs.last_mut().filter(|run| run.look == look) {
            Some(run) => {
                run.text.push_str(text);
                run.width += width;
            }
            None => runs.push(Run { column: *column, width, text: text.into(), look }),
        }
    }
    runs
}

/// How the text of a cell differs from other text, as a style: what holds for all text would win over attributes.
fn look(cell: &Cell) -> String {
    assert!(cell.bgcolor() == Color::Default && !cell.inverse(), "backgrounds are not drawn yet: {cell:?}");
    let color = match cell.fgcolor() {
        Color::Default => None,
        Color::Idx(index) if index < 16 => Some(format!("fill: {}", COLORS[usize::from(index)])),
        color => panic!("{color:?} is not drawn yet"),
    };
    let marks = [
        (cell.bold(), "font-weight: bold"),
        (cell.dim(), "opacity: 0.6"),
        (cell.italic(), "font-style: italic"),
        (cell.underline(), "text-decoration: underline"),
    ];
    let marks = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| mark.to_string());
    let style: Vec<String> = color.into_iter().chain(marks).collect();
    if style.is_empty() { String::new() } else { format!(r#" style="{}""#, style.join("; ")) }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
