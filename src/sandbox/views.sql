-- Views that hide the tables of the same name.

-- A snapshot that a sync makes exists once the sync has succeeded.
CREATE TEMP VIEW snapshots AS
SELECT * FROM main.snapshots AS snapshot WHERE NOT EXISTS (
    SELECT 1 FROM tasks
    WHERE tasks.id = replace(snapshot.id, 'snap', 'task')
        AND (will_fail OR canceled_at IS NOT NULL OR ends_at > unixepoch('subsec') * 1000)
);
