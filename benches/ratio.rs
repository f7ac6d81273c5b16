//! Measures the time of one function relative to the time of another with Criterion.

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{BenchmarkGroup, BenchmarkId, Throughput};

/// The measurement of a relative time.
pub struct Ratio;

/// Runs both functions one after the other, so that changes of the machine's speed affect both. Returns the median of their
/// ratios; none if the arguments exclude this benchmark.
pub fn compare(
    group: &mut BenchmarkGroup<Ratio>,
    id: BenchmarkId,
    first: impl Fn() -> f64,
    second: impl Fn() -> f64,
) -> Option<f64> {
    let mut ratios = Vec::new();
    group.bench_function(id, |bencher| {
        bencher.iter_custom(|iterations| {
            let new: Vec<f64> = (0..iterations).map(|_| first() / second()).collect();
            ratios.extend_from_slice(&new);
            new.iter().sum()
        });
    });
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied()
}

impl Measurement for Ratio {
    type Intermediate = ();
    type Value = f64;

    fn start(&self) {}

    fn end(&self, (): ()) -> f64 {
        unreachable!("the benchmarks measure ratios themselves")
    }

    fn add(&self, first: &f64, second: &f64) -> f64 {
        first + second
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Ratio {
    fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str {
        "relative"
    }

    fn scale_throughputs(&self, _: f64, _: &Throughput, _: &mut [f64]) -> &'static str {
        "relative"
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "relative"
    }
}
