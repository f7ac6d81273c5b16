//! The order of the modules (ARCHITECTURE.md): a module imports only from modules above it in the
//! table, the sandbox and the other modules share no code, and modules beside each other have no
//! circular imports. Tests can import anything.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use regex::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

/// The modules, from the lowest to the highest.
const ORDER: [&str; 15] = [
    "shell",
    "error",
    "signal",
    "config",
    "resources",
    "passwords",
    "journal",
    "client",
    "terminal",
    "input",
    "output",
    "commands",
    "completion",
    "cli",
    "main",
];

/// Files of tests.
const TESTS: [&str; 3] = ["tests", "round_trip", "fuzz_tests"];

/// A module's path in the crate, such as `client::http`, without `crate::`.
type Module = Vec<String>;

/// The code of each file, without the code of tests.
static SOURCES: LazyLock<BTreeMap<Module, String>> = LazyLock::new(|| {
    let mut sources = BTreeMap::new();
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    read(root, &[], &mut sources);
    sources
});

/// The module of each file with its dependencies.
static IMPORTS: LazyLock<BTreeMap<Module, BTreeSet<Module>>> = LazyLock::new(|| {
    let sources = &*SOURCES;
    let file = |path: Module| {
        (1..=path.len())
            .rev()
            .find_map(|n| sources.get_key_value(&path[..n]))
            .map(|(file, _)| file)
    };
    let imported = |module: &Module, source: &str| {
        let files = paths(source)
            .into_iter()
            .filter_map(|path| file(resolve(&path, module)?));
        files.filter(|file| *file != module).cloned().collect()
    };
    sources
        .iter()
        .map(|(module, source)| (module.clone(), imported(module, source)))
        .collect()
});

/// Reads the code below a directory.
fn read(directory: &Path, module: &[String], sources: &mut BTreeMap<Module, String>) {
    for entry in std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        let name = entry.file_stem().unwrap().to_str().unwrap().to_string();
        let path = if name == "mod" {
            module.to_vec()
        } else {
            [module, std::slice::from_ref(&name)].concat()
        };
        if entry.is_dir() {
            read(&entry, &path, sources);
        } else if !TESTS.contains(&name.as_str()) {
            let source = std::fs::read_to_string(entry).unwrap();
            let code = source.split("\nmod tests {").next().unwrap();
            sources.insert(path, code.to_string());
        }
    }
}

/// A comment, or a path that begins at the crate or relative to its module.
static PATH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*//.*|\b((?:crate|super|self)::(?:\w+::)*)(?:(\w+)|\{([^}]*)\})").unwrap()
});

/// All paths in the code that begin at the crate or relative to its module, with the groups of `use` spelled out.
fn paths(source: &str) -> Vec<String> {
    let names = |found: Captures| {
        let names = found
            .get(2)
            .or(found.get(3))
            .map(|names| names.as_str().to_string())
            .unwrap_or_default();
        let names = names
            .split(',')
            .filter_map(|name| name.split_whitespace().next())
            .map(|name| found[1].to_string() + name);
        names.collect::<Vec<_>>()
    };
    PATH.captures_iter(source).flat_map(names).collect()
}

/// The path from the crate's root.
fn resolve(path: &str, module: &[String]) -> Option<Module> {
    let mut parts = path.split("::").map(str::to_string).peekable();
    let mut base = if parts.next_if(|part| part == "crate").is_some() {
        Vec::new()
    } else {
        module.to_vec()
    };
    parts.next_if(|part| part == "self");
    while parts.next_if(|part| part == "super").is_some() {
        base.pop()?;
    }
    Some(
        base.into_iter()
            .chain(parts.filter(|part| part != "self"))
            .collect(),
    )
}

#[test]
fn modules_import_only_from_modules_above() {
    let mut wrong = Vec::new();
    for (module, imported) in &*IMPORTS {
        let name = module[0].as_str();
        for other in imported
            .iter()
            .filter(|other| other[0] != name && name != "lib")
        {
            let rank = |module: &str| ORDER.iter().position(|known| *known == module);
            let is_allowed = match (rank(name), rank(&other[0])) {
                (Some(rank), Some(imported)) => imported < rank,
                // Commands serve and reset the sandbox, which imports no other module.
                (Some(_), None) => other[0] == "sandbox" && name == "commands",
                (None, _) => false,
            };
            if !is_allowed {
                wrong.push(format!(
                    "{} imports {}",
                    module.join("::"),
                    other.join("::")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_module_has_a_place_in_the_order() {
    let tops: BTreeSet<String> = IMPORTS.keys().map(|module| module[0].clone()).collect();
    let known: BTreeSet<String> = ORDER
        .iter()
        .chain(&["lib", "sandbox"])
        .map(ToString::to_string)
        .collect();
    assert_eq!(tops, known);
}

/// The imports between two modules beside each other, of all files below them. A module and the
/// modules inside it may use each other.
#[test]
fn modules_beside_each_other_have_no_circular_imports() {
    let mut beside: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
    for (module, imported) in &*IMPORTS {
        for other in imported {
            let shared = module.iter().zip(other).take_while(|(a, b)| a == b).count();
            if shared < module.len().min(other.len()) {
                let imported = beside.entry(&module[..=shared]).or_default();
                imported.insert(&other[..=shared]);
            }
        }
    }
    let mut circles = Vec::new();
    for (start, imported) in &beside {
        let (mut seen, mut next) = (BTreeSet::new(), imported.clone());
        while let Some(module) = next.pop_first() {
            if seen.insert(module) {
                next.extend(beside.get(module).into_iter().flatten());
            }
        }
        if seen.contains(start) {
            circles.push(start.join("::"));
        }
    }
    assert!(circles.is_empty(), "circular imports: {circles:#?}");
}

/// Commands ask a format what it can do, and nothing decides by looking into a message or a hint.
#[test]
fn commands_decide_by_facts() {
    // A literal of several words is of a text that was made for people.
    let texts = r#"(?:message|hint)\.{0}\(|\.{0}\("[^"\n]*\w \w[^"\n]*"\)"#;
    let texts = texts.replace("{0}", r"(?:contains|starts_with|ends_with|find|split\w*)");
    let forbidden = Regex::new(&format!(r"OutputFormat::[A-Z]\w*|{texts}")).unwrap();
    let mut found = Vec::new();
    for (module, source) in &*SOURCES {
        if module[0] == "commands" {
            let matches = forbidden.find_iter(source);
            found.extend(matches.map(|one| format!("{}: {}", module.join("::"), one.as_str())));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
