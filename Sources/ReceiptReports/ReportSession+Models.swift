internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillSystem

extension ReportSession {
    /// Holds the models that reports read against what the database holds now.
    ///
    /// - Returns: a warning where they are older; nil also where no report reads one.
    /// - Throws: ``MillError`` where there are none.
    package func checkModels(readBy reports: [Report]) throws -> ReportWarning? {
        guard let reader = reports.first(where: { Models.areRead(by: $0.sql) }) else { return nil }
        let state = try read { try ModelState($0) }
        let command = "receiptmill refresh --database \(path)"
        guard let state else {
            // A load that brings the database up to date works them out, too.
            guard try read({ try Int.fetchOne($0, sql: "PRAGMA user_version") }) ?? 0 >= Schema.version else {
                throw MillError(
                    stage: .reporting, path: path, what: "the database lacks the models that \(reader.name) reads",
                    hint: ReadOnlyDatabase.hintOnOlderVersion, exitStatus: .cannotCreate)
            }
            throw MillError(
                stage: .reporting, path: path,
                what: "the report \(reader.name) reads models, and none were worked out yet", hint: command,
                exitStatus: .badData)
        }
        guard !state.isCurrent else { return nil }
        let time = CivilTime.iso8601(milliseconds: state.refreshedAt / 1000 * 1000)
        return ReportWarning(
            what: "the models are of \(time), and the answer is too: what was changed since is not in it", hint: command
        )
    }

    /// The time zone that days and months of the database's models are of.
    func timeZone() throws -> String { try read { try ModelState($0)?.timeZone } ?? "UTC" }
}
