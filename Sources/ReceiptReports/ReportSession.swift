internal import Foundation
package import GRDB
internal import MillDatabase
internal import MillSystem

/// A database opened for reports. All reports of a session see the same state of the database, unless a failure of
/// SQLite has ended the read transaction; later reports then see a newer state.
package final class ReportSession: Sendable {
    package let path: String
    private let database: ReadOnlyDatabase

    /// - Parameters:
    ///   - path: the database, which is opened for reading only.
    ///   - isBounded: whether the session limits its memory, so that many reports in one session don't make it grow
    ///     with the size of the database. This costs some speed.
    /// - Throws: ``MillError`` if the database can't be read.
    package init(database path: String, isBounded: Bool = false) throws {
        self.path = path
        database = try ReadOnlyDatabase(
            path: path, mapping: isBounded ? ReadOnlyDatabase.boundedMappedBytes : ReadOnlyDatabase.mappedBytes)
        try resume()
    }

    package var queue: DatabaseQueue { database.queue }

    /// Begins a read transaction if none is open. SQLite ends the transaction when a query runs out of disk space or
    /// memory.
    package func resume() throws {
        try read { connection in
            guard !connection.isInsideTransaction else { return }
            try connection.beginTransaction(.deferred)
            // A transaction's first read fixes the state that the session sees.
            try connection.execute(sql: "SELECT 1 FROM sqlite_schema")
        }
    }

    /// - Throws: ``MillError`` if SQLite fails.
    func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try ReadOnlyDatabase.explaining(path: path) { try queue.inDatabase(work) }
    }
}

extension ReportSession {
    /// Compares the models that reports read with the present state of the database.
    ///
    /// - Returns: a warning if the models are outdated; nil if they are current, or if no report reads a model.
    /// - Throws: ``MillError`` if the database has no models.
    package func checkModels(readBy reports: [Report]) throws -> ReportWarning? {
        guard let reader = reports.first(where: { ModelCatalog.areRead(by: $0.sql) }) else { return nil }
        let state = try read { try ModelState($0) }
        let command = "receiptmill refresh --database \(path)"
        guard let state else {
            // The advice depends on the schema's version, because a migration also refreshes the models.
            guard try read({ try Int.fetchOne($0, sql: "PRAGMA user_version") }) ?? 0 >= Schema.version else {
                throw MillError(
                    stage: .reporting, path: path, what: "the database lacks the models that \(reader.name) reads",
                    hint: ReadOnlyDatabase.hintOnOlderVersion, exitStatus: .cannotCreate)
            }
            throw MillError(
                stage: .reporting, path: path,
                what: "the report \(reader.name) reads models, and none were refreshed yet", hint: command,
                exitStatus: .badData)
        }
        guard !state.isCurrent else { return nil }
        let time = CivilTime.iso8601(milliseconds: state.refreshedAt / 1000 * 1000)
        return ReportWarning(
            message: "the models are of \(time), and the answer is too: what was changed since is not in it",
            hint: command
        )
    }

    /// The time zone in which the database's models count days and months.
    func timeZone() throws -> String { try read { try ModelState($0)?.timeZone } ?? "UTC" }
}
