//! The order of the modules (ARCHITECTURE.md): a module imports only from modules below it, the sandbox and the other
//! modules share no code, and no files of a module have circular imports. Tests can import anything.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

/// The modules, from the lowest to the highest.
const ORDER: [&str; 13] = [
    "error",
    "signal",
    "config",
    "resources",
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

/// Files outside the order: the root of the crate, and the fuzz targets.
const OUTSIDE: [&str; 2] = ["lib", "fuzz_tests"];

/// A module's path in the crate, such as `client::http`, without `crate::`.
type Module = Vec<String>;

/// The module of each file with its dependencies, without the code of tests.
static IMPORTS: LazyLock<BTreeMap<Module, BTreeSet<Module>>> = LazyLock::new(|| {
    let mut sources = BTreeMap::new();
    read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &[], &mut sources);
    let known: BTreeSet<Module> = sources.keys().cloned().collect();
    let imported = |module: &Module, source: &str| {
        let paths = paths(source).into_iter().filter_map(|path| resolve(&path, module));
        let files = paths.filter_map(|path| (1..=path.len()).rev().find_map(|n| known.get(&path[..n]).cloned()));
        files.filter(|file| file != module).collect()
    };
    sources.iter().map(|(module, source)| (module.clone(), imported(module, source))).collect()
});

/// Reads the files below a directory. A file of tests is one that its parent declares under `#[cfg(test)]`.
fn read(directory: &Path, module: &[String], sources: &mut BTreeMap<Module, String>) {
    for entry in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_stem().unwrap().to_str().unwrap().to_string();
        let path = if name == "mod" { module.to_vec() } else { [module, &[name]].concat() };
        if entry.is_dir() {
            read(&entry, &path, sources);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            sources.insert(path, std::fs::read_to_string(entry).unwrap());
        }
    }
    let tests: Vec<Module> = sources.iter().flat_map(|(module, source)| test_modules(module, source)).collect();
    sources.retain(|module, _| !tests.contains(module));
    sources.values_mut().for_each(|source| *source = without_tests(source));
}

/// The modules of tests that a file declares and that are files of their own.
fn test_modules(module: &[String], source: &str) -> Vec<Module> {
    let declared = source.split("#[cfg(test)]\nmod ").skip(1).filter_map(|rest| rest.split_once(';'));
    let names = declared.filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    names.map(|(name, _)| [module, &[name.to_string()]].concat()).collect()
}

/// The code without the items under `#[cfg(test)]` and without comments.
fn without_tests(source: &str) -> String {
    let mut code = String::new();
    let mut is_test = false;
    for line in source.lines() {
        is_test = match line {
            "#[cfg(test)]" => true,
            // Indented lines and brackets belong to the item above.
            _ => is_test && (line.is_empty() || line.starts_with([' ', '}', ')', '#']) || line.contains("mod tests {")),
        };
        if !is_test && !line.trim_start().starts_with("//") {
            code.extend([line, "\n"]);
        }
    }
    code
}

/// All paths in the code that begin at the crate or relative to its module, with the groups of `use` spelled out.
fn paths(source: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in source.match_indices(start) {
            let before = source[..at].chars().next_back();
            if before.is_none_or(|c| !c.is_alphanumeric() && !"_:".contains(c)) {
                expand("", &source[at..], &mut paths);
            }
        }
    }
    paths
}

/// Adds the paths of a `use` tree at the start of the text, and returns what follows it.
fn expand<'t>(prefix: &str, text: &'t str, paths: &mut Vec<String>) -> &'t str {
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c)).unwrap_or(text.len());
    let path = format!("{prefix}{}", &text[..end]);
    let Some(mut rest) = text[end..].strip_prefix('{').filter(|_| path.ends_with("::")) else {
        paths.push(path);
        return &text[end..];
    };
    while !rest.starts_with('}') && !rest.is_empty() {
        rest = expand(&path, rest.trim_start(), paths);
        // After a name, an ` as NAME` and a comma can follow.
        rest = &rest[rest.find([',', '}']).unwrap_or(rest.len())..];
        rest = rest.trim_start_matches(',').trim_start();
    }
    rest.get(1..).unwrap_or_default()
}

/// The path from the crate's root.
fn resolve(path: &str, module: &[String]) -> Option<Module> {
    let mut parts = path.split("::").map(str::to_string).peekable();
    let mut base = if parts.next_if(|part| part == "crate").is_some() { Vec::new() } else { module.to_vec() };
    parts.next_if(|part| part == "self");
    while parts.next_if(|part| part == "super").is_some() {
        base.pop()?;
    }
    Some(base.into_iter().chain(parts.filter(|part| part != "self")).collect())
}

#[test]
fn modules_import_only_from_modules_below() {
    let mut wrong = Vec::new();
    for (module, imported) in &*IMPORTS {
        let name = module[0].as_str();
        for other in imported.iter().filter(|other| other[0] != name && !OUTSIDE.contains(&name)) {
            let place = |module: &str| ORDER.iter().position(|known| *known == module);
            let is_allowed = match (place(name), place(&other[0])) {
                (Some(place), Some(below)) => below < place,
                // Commands serve and reset the sandbox, which imports no other module.
                (Some(_), None) => other[0] == "sandbox" && name == "commands",
                (None, _) => false,
            };
            if !is_allowed {
                wrong.push(format!("{} imports {}", module.join("::"), other.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_module_has_a_place_in_the_order() {
    let tops: BTreeSet<String> = IMPORTS.keys().map(|module| module[0].clone()).collect();
    let known: BTreeSet<String> = ORDER.iter().chain(&OUTSIDE).chain(&["sandbox"]).map(ToString::to_string).collect();
    assert_eq!(tops, known);
}

/// A `mod.rs` is left out, because its files share it and it declares what they export.
#[test]
fn files_of_a_module_have_no_circular_imports() {
    let parents: BTreeSet<&[String]> =
        IMPORTS.keys().filter_map(|module| module.split_last()).map(|(_, up)| up).collect();
    let files = IMPORTS.iter().filter(|(module, _)| !parents.contains(&module[..]));
    let inside = |(module, imported): (&'static Module, &'static BTreeSet<Module>)| {
        let beside = imported.iter().filter(|other| other[0] == module[0] && !parents.contains(&other[..]));
        (module, beside.collect::<Vec<_>>())
    };
    let inside: BTreeMap<_, _> = files.map(inside).collect();
    let mut circles = Vec::new();
    for (start, imported) in &inside {
        let (mut seen, mut next) = (BTreeSet::new(), imported.clone());
        while let Some(module) = next.pop() {
            if seen.insert(module) {
                next.extend(&inside[module]);
            }
        }
        if seen.contains(start) {
            circles.push(start.join("::"));
        }
    }
    assert!(circles.is_empty(), "files with circular imports: {circles:#?}");
}
