//! Progress of what takes its time: bars on a terminal, one plain line a change elsewhere.

use super::{Ui, visible};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// The bars of one command, one below the other.
pub struct Bars {
    bars: Option<MultiProgress>,
    ui: Ui,
}

/// One line of progress.
pub struct Bar {
    bar: Option<ProgressBar>,
    ui: Ui,
    name: String,
    said: String,
}

impl Ui {
    /// Room for bars.
    pub fn bars(&self) -> Bars {
        let drawn = self.stderr_terminal && !self.quiet;
        Bars { bars: drawn.then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr())), ui: self.clone() }
    }
}

impl Bars {
    /// A bar for `name`.
    pub fn add(&self, name: &str) -> Bar {
        let bar = self.bars.as_ref().map(|bars| {
            let bar = bars.add(ProgressBar::new(100).with_style(style(false)).with_prefix(visible(name).into_owned()));
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Bar { bar, ui: self.ui.clone(), name: name.into(), said: String::new() }
    }
}

impl Bar {
    /// Shows where it stands: percent done where that is known, and a word.
    pub fn update(&mut self, percent: Option<f64>, status: &str) {
        match &self.bar {
            Some(bar) => {
                bar.set_style(style(percent.is_some()));
                bar.set_position(percent.unwrap_or(0.0) as u64);
                bar.set_message(visible(status).into_owned());
            }
            None => {
                let percent = percent.map(|percent| format!(" {percent:.0}%")).unwrap_or_default();
                self.say_once(format!("{}: {status}{percent}", self.name));
            }
        }
    }

    /// Shows how it ended, and stays.
    pub fn finish(&mut self, percent: Option<f64>, outcome: &str) {
        self.update(percent, outcome);
        if let Some(bar) = &self.bar {
            bar.abandon();
        }
    }

    fn say_once(&mut self, line: String) {
        if line != self.said {
            self.ui.note(&line);
            self.said = line;
        }
    }
}

/// A bar where the share is known, else a spinner.
fn style(known: bool) -> ProgressStyle {
    let template =
        if known { "{prefix} {bar:24} {pos:>3}% {msg} ({elapsed})" } else { "{prefix} {spinner} {msg} ({elapsed})" };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸─")
}
