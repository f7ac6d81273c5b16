//! Directories that only their owner may look into.

use std::path::Path;

/// Makes the directory and those above it, where they are missing.
///
/// # Errors
/// Where the system refuses.
pub fn directory(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
