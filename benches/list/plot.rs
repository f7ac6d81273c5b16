//! Draws figures as an SVG: time on the left, memory on the right, both with logarithmic axes, and
//! with the last values at the ends of the lines.

use crate::Figure;
use std::fmt::Write;

const SIZE: (f64, f64) = (980.0, 360.0);
const PANEL: (f64, f64) = (210.0, 260.0);
const TOP: f64 = 46.0;
/// The left edges of the two panels.
const LEFT: [f64; 2] = [64.0, 564.0];
/// The height of a line of text.
const LINE: f64 = 16.0;
/// The commands that are drawn, with short names. The lines of other formats would cover these.
const DRAWN: [(&str, &str); 6] = [
    ("sitectl clients list -o json", "sitectl -o json"),
    ("sitectl clients list -o table", "sitectl -o table"),
    ("curl -o /dev/null", "curl"),
    ("curl | jq -s '[.[].clients[]]'", "curl | jq -s"),
    ("curl | jq -c '.clients[]'", "curl | jq -c"),
    ("Python requests", "Python requests"),
];
/// Colors for light and dark pages.
const STYLE: &str = "\
text { font: 12px sans-serif; fill: #1f2328 } .grid { stroke: #d1d9e0 } \
polyline { fill: none; stroke: #8c959f; stroke-width: 1.5 } \
polyline.sitectl { stroke: #0969da; stroke-width: 3 } text.sitectl { fill: #0969da; font-weight: bold } \
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .grid { stroke: #3d444d } \
polyline.sitectl { stroke: #58a6ff } text.sitectl { fill: #58a6ff } }";

/// The figures of one command.
struct Line<'f> {
    name: &'static str,
    figures: Vec<&'f Figure>,
}

impl Line<'_> {
    fn class(&self) -> &'static str {
        if self.name.starts_with("sitectl") {
            "sitectl"
        } else {
            "other"
        }
    }
}

/// Says what the plot shows.
pub fn description(figures: &[Figure]) -> String {
    let lines = lines(figures);
    let [first, .., last] = &lines[0].figures[..] else {
        return String::new();
    };
    let ends = lines.iter().filter_map(|line| {
        let end = line.figures.last()?;
        let memory = end
            .memory
            .map_or(String::new(), |mib| format!(" and {}", memory_text(mib)));
        Some(format!("{} {}{memory}", line.name, time_text(end.time)))
    });
    format!(
        "Time and peak memory of lists of {} to {} clients, on logarithmic axes. With {}: {}",
        first.clients,
        last.clients,
        last.clients,
        ends.collect::<Vec<_>>().join(", ")
    )
}

/// Draws one line per command.
pub fn draw(figures: &[Figure]) -> String {
    let (width, height) = SIZE;
    let description = escape(&description(figures));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>{description}</title>\n<style>{STYLE}</style>\n"
    );
    let lines = lines(figures);
    let time = |figure: &Figure| Some(figure.time);
    panel(
        &mut svg,
        LEFT[0],
        "Time (logarithmic)",
        &lines,
        time,
        time_text,
    );
    let memory = |figure: &Figure| figure.memory;
    panel(
        &mut svg,
        LEFT[1],
        "Peak memory (logarithmic)",
        &lines,
        memory,
        memory_text,
    );
    svg + "</svg>\n"
}

fn lines(figures: &[Figure]) -> Vec<Line<'_>> {
    let line = |(command, name)| {
        let figures = figures.iter().filter(|figure| figure.name == command);
        let figures: Vec<_> = figures.collect();
        (!figures.is_empty()).then_some(Line { name, figures })
    };
    DRAWN.into_iter().filter_map(line).collect()
}

fn time_text(milliseconds: f64) -> String {
    if milliseconds < 995.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{} s", (milliseconds / 100.0).round() / 10.0)
    }
}

fn memory_text(mib: f64) -> String {
    format!("{mib:.0} MiB")
}

fn panel(
    svg: &mut String,
    left: f64,
    title: &str,
    lines: &[Line],
    value: impl Fn(&Figure) -> Option<f64>,
    text_of: fn(f64) -> String,
) {
    let all = || lines.iter().flat_map(|line| &line.figures);
    let sizes = Axis::around(all().map(|figure| figure.clients as f64));
    let values = Axis::around(all().filter_map(|figure| value(figure)));
    let x = |clients: f64| left + PANEL.0 * sizes.place(clients);
    let y = |value: f64| TOP + PANEL.1 * (1.0 - values.place(value));
    text(svg, left, TOP - 20.0, "start", "other", title);
    for tick in values.ticks() {
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{left} {:.1} h{}\"/>",
            y(tick),
            PANEL.0
        );
        text(
            svg,
            left - 6.0,
            y(tick) + 4.0,
            "end",
            "other",
            &text_of(tick),
        );
    }
    for tick in sizes.ticks() {
        let (x, y) = (x(tick), TOP + PANEL.1 + 18.0);
        text(svg, x, y, "middle", "other", &tick.to_string());
    }
    let (middle, below) = (left + PANEL.0 / 2.0, TOP + PANEL.1 + 36.0);
    text(svg, middle, below, "middle", "other", "clients");
    let mut ends = Vec::new();
    for line in lines {
        let points: Vec<(f64, f64)> = line
            .figures
            .iter()
            .filter_map(|figure| Some((figure.clients as f64, value(figure)?)))
            .collect();
        let Some((_, end)) = points.last() else {
            continue;
        };
        ends.push((y(*end), line, format!("{} {}", text_of(*end), line.name)));
        let points = points
            .iter()
            .map(|(clients, value)| format!("{:.1},{:.1}", x(*clients), y(*value)));
        let points = points.collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            svg,
            "<polyline class=\"{}\" points=\"{points}\"/>",
            line.class()
        );
    }
    // From the bottom, so that no label covers the one below it.
    ends.sort_by(|(first, ..), (second, ..)| second.total_cmp(first));
    let mut lowest = f64::INFINITY;
    for (y, line, label) in ends {
        lowest = y.min(lowest - LINE);
        let x = left + PANEL.0 + 8.0;
        text(svg, x, lowest + 4.0, "start", line.class(), &label);
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, class: &str, text: &str) {
    let text = escape(text);
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A logarithmic axis between two powers of ten.
struct Axis {
    from: i32,
    to: i32,
}

impl Axis {
    /// Returns the shortest axis with these values.
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let logs: Vec<f64> = values.map(f64::log10).collect();
        let from = logs.iter().copied().fold(f64::INFINITY, f64::min).floor() as i32;
        let to = logs
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max)
            .ceil() as i32;
        Self {
            from,
            to: to.max(from + 1),
        }
    }

    /// Returns the place of a value from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.log10() - f64::from(self.from)) / f64::from(self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        (self.from..=self.to).map(|power| 10f64.powi(power))
    }
}
