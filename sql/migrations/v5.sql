-- From schema 4 to 5.

-- Versions of receiptmill before schema 5 know a newer database by this table alone.
CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

INSERT INTO grdb_migrations (identifier) VALUES ('v5');
