internal import DatabaseCare
internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptArchive

/// Looks up whether a database has a file, by the file's name and length, which are in an index.
struct KnownFiles {
    private let db: Database
    private let limits: Limits
    private let hasMovedFiles: Bool

    init(_ db: Database, limits: Limits) throws {
        (self.db, self.limits) = (db, limits)
        hasMovedFiles = try db.has(MovedFileStore.table)
    }

    private func has(_ condition: String, _ arguments: StatementArguments) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(condition))"), arguments: arguments) ?? false
    }

    /// Whether every line of an archive of this name and length is loaded.
    func holds(name: String, bytes: Int64) throws -> Bool {
        try has("archive WHERE name = ? AND bytes = ? AND complete = 1", [name, bytes])
    }

    /// Whether an archive of this name was loaded to its end after a time, in milliseconds since 1970.
    func holds(name: String, completedAfter time: Int64) throws -> Bool {
        try has("archive WHERE name = ? AND complete = 1 AND completed_at > ?", [name, time])
    }

    /// Whether a file is a dead-letter file (corrected lines), which is not an archive although it may be among
    /// archives. The file's first lines are read.
    func isLetters(_ file: SpoolFile) throws -> Bool {
        guard file.bytes > 0, file.bytes <= Self.maximumLetters,
            let input = try? InputFile(path: file.path, isFound: true, stop: CancellationFlag())
        else { return false }
        return (try? DeadLetterForm.of(input, limits: limits)) ?? nil == .lines
    }

    /// Longer files are not examined: dead-letter files have at most some MiB.
    private static let maximumLetters: Int64 = 1 << 20

    /// Whether a file in a folder of moved archives is an archive of the database, or was known when a run read it.
    func holdsMoved(_ file: SpoolFile) throws -> Bool {
        if try holds(name: file.name, bytes: file.bytes) { return true }
        if let original = MovedName.original(of: file.name), try holds(name: original, bytes: file.bytes) {
            return true
        }
        guard hasMovedFiles else { return false }
        return try has(
            """
            \(MovedFileStore.table) AS moved
            WHERE path = ? AND bytes = ? AND written_at = ?
                AND (
                    is_settled
                    OR EXISTS (SELECT 1 FROM archive WHERE archive.sha256 = moved.sha256 AND complete = 1)
                    OR EXISTS (SELECT 1 FROM archive_prefix AS prefix WHERE prefix.sha256 = moved.sha256)
                    OR EXISTS (SELECT 1 FROM retraction WHERE retraction.sha256 = moved.sha256)
                )
            """, [file.path, file.bytes, file.writtenSeconds])
    }
}
