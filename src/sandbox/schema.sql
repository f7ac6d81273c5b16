-- Times are milliseconds since the epoch. `account` is the owner of a row: 1 or 2.

CREATE TABLE clients (
    id           TEXT PRIMARY KEY,
    account      INTEGER NOT NULL,
    first_name   TEXT NOT NULL,
    last_name    TEXT NOT NULL,
    email        TEXT NOT NULL,
    email_key    TEXT NOT NULL,  -- the email without letter case
    company_name TEXT NOT NULL,
    address      TEXT NOT NULL,
    note         TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX clients_email_key ON clients (account, email_key);
CREATE INDEX clients_created_at ON clients (account, created_at, id);
CREATE INDEX clients_updated_at ON clients (account, updated_at, id);
CREATE INDEX clients_first_name ON clients (account, first_name, id);
CREATE INDEX clients_last_name ON clients (account, last_name, id);
CREATE INDEX clients_email ON clients (account, email, id);
CREATE INDEX clients_company_name ON clients (account, company_name, id);

CREATE TABLE managed_accounts (
    id               TEXT PRIMARY KEY,
    account          INTEGER NOT NULL,
    email            TEXT NOT NULL,
    role             TEXT NOT NULL,
    company_name     TEXT NOT NULL,
    status           TEXT NOT NULL,
    all_sites_access INTEGER NOT NULL,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL
) STRICT;

-- A site belongs to at most one client because it has one place to name it.
CREATE TABLE sites (
    id         TEXT PRIMARY KEY,
    account    INTEGER NOT NULL,
    url        TEXT NOT NULL,
    name       TEXT NOT NULL,
    multisite  INTEGER NOT NULL,
    client_id  TEXT REFERENCES clients (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    position   INTEGER NOT NULL DEFAULT 0  -- among its client's sites; equals are ordered by id
) STRICT;

CREATE INDEX sites_client_id ON sites (client_id, id);

CREATE TABLE snapshots (
    id         TEXT PRIMARY KEY,
    account    INTEGER NOT NULL,
    site_id    TEXT NOT NULL REFERENCES sites (id),
    status     TEXT NOT NULL,
    size_bytes INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX snapshots_site_id ON snapshots (site_id, created_at, id);

-- What a task has come to is computed from these and the clock.
CREATE TABLE tasks (
    id          TEXT PRIMARY KEY,
    account     INTEGER NOT NULL,
    site_id     TEXT NOT NULL REFERENCES sites (id),
    snapshot_id TEXT NOT NULL REFERENCES snapshots (id),
    files       INTEGER NOT NULL,
    database    INTEGER NOT NULL,
    will_fail   INTEGER NOT NULL,
    duration    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX tasks_site_id ON tasks (site_id);
CREATE INDEX tasks_created_at ON tasks (account, created_at, id);
