-- From schema 4 to 5.

-- Versions of receiptmill before schema 5 know a newer database by this table alone.
CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

INSERT INTO grdb_migrations (identifier) VALUES ('v5');

-- What a fraud team decides may be about an installation, too.
CREATE TABLE decision_of_v5 (
    decision_id  INTEGER PRIMARY KEY,
    subject_kind TEXT    NOT NULL CHECK (subject_kind IN ('account', 'device', 'installation', 'receipt')),
    subject      TEXT    NOT NULL,                    -- as views have it
    verdict      TEXT    NOT NULL CHECK (verdict IN ('confirmed', 'innocent', 'watching', 'undone')),
    note         TEXT,
    decided_by   TEXT,
    decided_at   INTEGER NOT NULL,
    UNIQUE (subject_kind, subject, decided_at, verdict)
) STRICT;

INSERT INTO decision_of_v5 SELECT * FROM decision;

DROP TABLE decision;

ALTER TABLE decision_of_v5 RENAME TO decision;

-- Subjects that make no case, as a pipeline file names them: a tester's. Devices stand in one
-- notation, as device_key has them.
CREATE TABLE allowed_subject (
    subject_kind TEXT NOT NULL CHECK (subject_kind IN ('account', 'device', 'installation', 'receipt')),
    subject      TEXT NOT NULL,
    PRIMARY KEY (subject_kind, subject)
) STRICT, WITHOUT ROWID;

-- The run that found a signal first, for each that there is. Tells of the loads, as run does.
CREATE TABLE signal_sighting (
    submission_id  INTEGER NOT NULL REFERENCES submission,
    signal         TEXT    NOT NULL,
    transaction_id TEXT    NOT NULL,                  -- '' of a signal that is about none
    run_id         INTEGER NOT NULL REFERENCES run,
    PRIMARY KEY (submission_id, signal, transaction_id)
) STRICT, WITHOUT ROWID;

-- Archives that were taken out again, and what of them went.
CREATE TABLE retraction (
    retraction_id INTEGER PRIMARY KEY,
    retracted_at  INTEGER NOT NULL,
    name          TEXT    NOT NULL,                   -- as archive had it, as the next four
    sha256        BLOB    NOT NULL,
    lines         INTEGER NOT NULL,
    loaded_lines  INTEGER NOT NULL,
    pruned_lines  INTEGER NOT NULL
) STRICT;
