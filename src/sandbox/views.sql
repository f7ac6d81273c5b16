-- The views of a connection.

-- Hides the table of this name: a snapshot that a sync makes exists once the sync has succeeded.
CREATE TEMP VIEW snapshots AS
SELECT * FROM main.snapshots AS snapshot WHERE NOT EXISTS (
    SELECT 1 FROM tasks
    WHERE tasks.id = replace(snapshot.id, 'snap', 'task')
        AND (will_fail OR canceled_at IS NOT NULL OR ends_at > unixepoch('subsec') * 1000)
);

-- What is in a snapshot that has succeeded. `id` makes an order total. `path` is the folder, without
-- the slash at its end.
CREATE TEMP VIEW files AS
WITH tree (folder, name, size, modified_at) AS (VALUES
    ('./', 'index.php', 405, '2025-01-07T08:30:00Z'),
    ('./', 'wp-config.php', 3284, '2025-01-07T08:31:12Z'),
    ('./', 'wp-admin/', NULL, '2026-02-03T10:15:00Z'),
    ('./', 'wp-content/', NULL, '2026-02-03T10:15:00Z'),
    ('./', 'wp-includes/', NULL, '2026-02-03T10:15:00Z'),
    ('./wp-admin/', 'index.php', 7689, '2026-02-03T10:15:00Z'),
    ('./wp-content/', 'index.php', 28, '2025-01-07T08:30:00Z'),
    ('./wp-content/', 'plugins/', NULL, '2026-02-03T10:15:00Z'),
    ('./wp-content/', 'themes/', NULL, '2025-01-07T08:30:00Z'),
    ('./wp-content/', 'uploads/', NULL, '2026-03-01T07:45:10Z'),
    ('./wp-content/plugins/', 'contact-form/', NULL, '2026-02-03T10:15:00Z'),
    ('./wp-content/plugins/contact-form/', 'contact-form.php', 51873, '2026-02-03T10:15:00Z'),
    ('./wp-content/themes/', 'example/', NULL, '2025-01-07T08:30:00Z'),
    ('./wp-content/themes/example/', 'functions.php', 18240, '2025-06-12T16:02:31Z'),
    ('./wp-content/themes/example/', 'style.css', 9466, '2025-06-12T16:04:05Z'),
    ('./wp-content/uploads/', '2026/', NULL, '2026-03-01T07:45:10Z'),
    ('./wp-content/uploads/2026/', 'logo.png', 24515, '2026-01-15T09:00:00Z'),
    ('./wp-content/uploads/2026/', 'menu.pdf', 812044, '2026-03-01T07:45:10Z'),
    ('./wp-includes/', 'functions.php', 284102, '2026-02-03T10:15:00Z'),
    ('./wp-includes/', 'version.php', 1084, '2026-02-03T10:15:00Z')
)
SELECT account, site_id, snapshots.id AS snapshot_id, rtrim(folder, '/') AS path, folder || name AS id,
    iif(size IS NULL, 'folder', 'file') AS type, size, modified_at
FROM snapshots, tree WHERE status = 'succeeded';

CREATE TEMP VIEW tables AS
WITH all_tables (name, rows, size) AS (VALUES
    ('wp_commentmeta', 96, 49152),
    ('wp_comments', 412, 196608),
    ('wp_form_entries', 188, 131072),
    ('wp_links', 0, 16384),
    ('wp_options', 523, 655360),
    ('wp_postmeta', 6204, 917504),
    ('wp_posts', 1317, 1228565),
    ('wp_redirects', 24, 16384),
    ('wp_term_relationships', 801, 65536),
    ('wp_term_taxonomy', 64, 32768),
    ('wp_termmeta', 12, 16384),
    ('wp_terms', 64, 32768),
    ('wp_usermeta', 310, 81920),
    ('wp_users', 9, 16384)
)
SELECT account, site_id, snapshots.id AS snapshot_id, '' AS path, name AS id, rows, size
FROM snapshots, all_tables WHERE status = 'succeeded';
