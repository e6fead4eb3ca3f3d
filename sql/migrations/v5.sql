-- From schema 4 to 5.

-- Versions of receiptmill before schema 5 know a newer database by this table alone.
CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

INSERT INTO grdb_migrations (identifier) VALUES ('v5');

-- Decisions are of installations, too.
CREATE TABLE decision_before (
    decision_id, subject_kind, subject, verdict, note, decided_by, decided_at
);

INSERT INTO decision_before
SELECT decision_id, subject_kind, subject, verdict, note, decided_by, decided_at FROM decision;

DROP TABLE decision;

-- What a fraud team decided of a subject, in the order of deciding: the last counts. Decisions
-- are never evidence.
CREATE TABLE decision (
    decision_id  INTEGER PRIMARY KEY,
    subject_kind TEXT    NOT NULL CHECK (subject_kind IN ('account', 'device', 'installation', 'receipt')),
    subject      TEXT    NOT NULL,                    -- as views have it
    verdict      TEXT    NOT NULL CHECK (verdict IN ('confirmed', 'innocent', 'watching', 'undone')),
    note         TEXT,
    decided_by   TEXT,
    decided_at   INTEGER NOT NULL,
    UNIQUE (subject_kind, subject, decided_at, verdict)
) STRICT;

INSERT INTO decision (decision_id, subject_kind, subject, verdict, note, decided_by, decided_at)
SELECT decision_id, subject_kind, subject, verdict, note, decided_by, decided_at FROM decision_before;

DROP TABLE decision_before;

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
