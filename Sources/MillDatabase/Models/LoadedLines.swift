internal import GRDB

/// Which lines the models have seen, by which the next refresh finds those that are new.
enum LoadedLines {
    static let table = "model_loaded"

    static func save(_ db: Database) throws {
        // The last line of an archive that grows may have been cut, and rejected: it will be read again.
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(table);
                CREATE TABLE \(table) (
                    archive_id INTEGER PRIMARY KEY,
                    lines      INTEGER NOT NULL
                ) STRICT;
                INSERT INTO \(table)
                SELECT
                    archive_id,
                    lines - (
                        EXISTS (
                            SELECT 1 FROM rejection
                            WHERE rejection.archive_id = archive.archive_id AND rejection.line = archive.lines
                                AND rejection.document = 1)
                        AND NOT EXISTS (
                            SELECT 1 FROM rejection
                            WHERE rejection.archive_id = archive.archive_id AND rejection.line = archive.lines
                                AND rejection.document = 2)
                        AND NOT EXISTS (
                            SELECT 1 FROM submission
                            WHERE submission_id IN (
                                (archive.archive_id << 32) + archive.lines,
                                (1 << 52) + (archive.archive_id << 32) + archive.lines)))
                FROM archive;
                DELETE FROM late_submission
                """)
    }
}
