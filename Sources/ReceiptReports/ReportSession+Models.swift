internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillSystem

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
