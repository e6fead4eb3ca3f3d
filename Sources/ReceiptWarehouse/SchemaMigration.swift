internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillSystem

/// Migrates a database of an older schema to this version's. The file is first copied beside itself; then one
/// transaction does every step and creates the views, so that a killed migration has changed nothing.
package struct SchemaMigration {
    /// Whether the database is copied before the migration.
    package var keepsCopy = true
    package var onEvent: (Event) -> Void = { _ in }

    package enum Event: Sendable, Hashable {
        /// The database is being copied; `percent` of it is done.
        case copying(to: String, percent: Int)
        /// A step to this schema begins.
        case step(to: Int)
        /// The migration is done.
        ///
        /// - copy: the path of the former database's copy; nil if none was made.
        case migrated(from: Int, to: Int, copy: String?)
    }

    package init() {}

    /// The path of the copy that is made before a database is migrated to a schema.
    package static func copy(of path: String, before version: Int) -> String { "\(path)-before-v\(version)" }

    /// The existing copies that migrations have made of a database.
    package static func copies(of path: String) -> [String] {
        (1...Schema.version).map { copy(of: RealPath.of(path), before: $0) }.filter { FileStamp(path: $0) != nil }
    }

    /// Creates or migrates the tables and views of this version.
    ///
    /// - Parameters:
    ///   - queue: a connection that holds the lock of runs.
    ///   - migration: how to migrate; if nil, older tables are refused.
    ///   - steps: the steps that lead to this version's schema; tests add one.
    static func prepare(
        _ queue: DatabaseQueue, path: String, _ migration: SchemaMigration?, steps: [Schema.Step] = Schema.steps
    ) throws {
        let version = Schema.version(behind: steps)
        let former = try queue.read { try Schema.version(of: $0) }
        guard let former, former < version else {
            return try queue.writeWithoutTransaction { try Schema.prepare($0, steps: steps) }
        }
        guard let migration else {
            throw MillError(
                stage: .loading, path: path,
                what: "the database was written by an older version of receiptmill (schema \(former), this is "
                    + "\(version))",
                hint: "receiptmill migrate --database \(path)", exitStatus: .cannotCreate)
        }
        try migration.migrate(queue, path: path, from: former, by: steps)
    }

    private func migrate(
        _ queue: DatabaseQueue, path: String, from former: Int, by steps: [Schema.Step]
    ) throws {
        let version = Schema.version(behind: steps)
        let copy = keepsCopy ? Self.copy(of: RealPath.of(path), before: version) : nil
        if let copy {
            var percent = 0
            onEvent(.copying(to: copy, percent: percent))
            var backup = DatabaseBackup(path: path)
            backup.onProgress = { share in
                guard Int(share * 10) * 10 > percent else { return }
                percent = Int(share * 10) * 10
                onEvent(.copying(to: copy, percent: percent))
            }
            try backup.write(to: copy)
        }
        try queue.writeWithoutTransaction { db in try Schema.prepare(db, steps: steps) { onEvent(.step(to: $0)) } }
        onEvent(.migrated(from: former, to: version, copy: copy))
    }
}
