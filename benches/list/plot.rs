//! Draws figures as an SVG: time on the left, memory on the right, both with logarithmic axes.

use crate::Figure;
use std::fmt::Write;

const PANEL: (f64, f64) = (340.0, 260.0);
const TOP: f64 = 46.0;
/// The left edges of the two panels.
const LEFT: [f64; 2] = [64.0, 484.0];
const SIZE: (f64, f64) = (850.0, 440.0);
/// Colors that color-blind readers can tell apart (Okabe and Ito).
const COLORS: [&str; 8] = [
    "#0072b2", "#56b4e9", "#009e73", "#d55e00", "#e69f00", "#cc79a7", "#000000", "#999999",
];

/// Draws one line per name.
pub fn draw(figures: &[Figure], names: &[&str]) -> String {
    let (width, height) = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>Time and memory by number of clients</title>\n\
         <style>text {{ font: 12px sans-serif }}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#ffffff\"/>\n"
    );
    panel(&mut svg, LEFT[0], "Time, ms", figures, names, |figure| {
        Some(figure.time)
    });
    panel(
        &mut svg,
        LEFT[1],
        "Peak memory, MiB",
        figures,
        names,
        |figure| figure.memory,
    );
    for (place, name) in names.iter().enumerate() {
        let (x, y) = (
            LEFT[0] + 260.0 * (place % 3) as f64,
            TOP + PANEL.1 + 62.0 + 22.0 * (place / 3) as f64,
        );
        let color = COLORS[place % COLORS.len()];
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {} h24\" stroke=\"{color}\" stroke-width=\"3\"/>",
            y - 4.0
        );
        text(&mut svg, x + 30.0, y, "start", name);
    }
    svg + "</svg>\n"
}

fn panel(
    svg: &mut String,
    left: f64,
    title: &str,
    figures: &[Figure],
    names: &[&str],
    value: impl Fn(&Figure) -> Option<f64>,
) {
    let shown: Vec<&Figure> = figures
        .iter()
        .filter(|figure| names.contains(&figure.name.as_str()))
        .collect();
    let sizes = Axis::around(shown.iter().map(|figure| figure.clients as f64));
    let values = Axis::around(shown.iter().filter_map(|figure| value(figure)));
    let x = |clients: f64| left + PANEL.0 * sizes.place(clients);
    let y = |value: f64| TOP + PANEL.1 * (1.0 - values.place(value));
    text(svg, left, TOP - 16.0, "start", title);
    for tick in values.ticks() {
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {:.1} h{}\" stroke=\"#dddddd\"/>",
            y(tick),
            PANEL.0
        );
        text(svg, left - 6.0, y(tick) + 4.0, "end", &tick.to_string());
    }
    for tick in sizes.ticks() {
        text(
            svg,
            x(tick),
            TOP + PANEL.1 + 18.0,
            "middle",
            &tick.to_string(),
        );
    }
    text(
        svg,
        left + PANEL.0 / 2.0,
        TOP + PANEL.1 + 36.0,
        "middle",
        "clients",
    );
    for (name, color) in names.iter().zip(COLORS.iter().cycle()) {
        let line = shown.iter().filter(|figure| figure.name == *name);
        let points = line.filter_map(|figure| {
            Some(format!(
                "{:.1},{:.1}",
                x(figure.clients as f64),
                y(value(figure)?)
            ))
        });
        let points = points.collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            svg,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\"/>"
        );
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
    );
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
