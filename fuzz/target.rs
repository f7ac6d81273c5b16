//! The target with the name of this binary.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sitectl::fuzz_tests::run(env!("CARGO_BIN_NAME"), bytes));
