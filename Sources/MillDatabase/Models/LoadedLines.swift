internal import GRDB

/// Records which lines the models include, so that the next refresh finds the new ones. A last line that may be cut
/// does not count, because it is read again once its archive has grown.
enum LoadedLines {
    static let table = "model_loaded"

    static func save(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(table);
                CREATE TABLE \(table) (
                    archive_id INTEGER PRIMARY KEY,
                    lines      INTEGER NOT NULL
                ) STRICT;
                INSERT INTO \(table) SELECT archive_id, \(CutLine.wholeLines) FROM archive;
                DELETE FROM late_submission
                """)
    }
}
