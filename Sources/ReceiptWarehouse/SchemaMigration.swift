internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillSystem

/// How a database of an older schema is brought to this version's: a copy of it is kept
/// beside it, then one transaction has every step, and the views. A migration that is killed
/// has changed nothing.
package struct SchemaMigration {
    /// Whether a copy is made first.
    package var keepsCopy = true
    package var onEvent: (Event) -> Void = { _ in }

    package enum Event: Sendable, Hashable {
        /// The database is being copied: so many of a hundred parts are.
        case copying(to: String, percent: Int)
        /// A step is made.
        case step(to: Int)
        /// All is done.
        ///
        /// - copy: where the former database is kept.
        case migrated(from: Int, to: Int, copy: String?)
    }

    package init() {}

    /// The copy of a database as it was before a schema.
    package static func copy(of path: String, before version: Int) -> String { "\(path)-before-v\(version)" }

    /// The copies of a database that its migrations have left beside it.
    package static func copies(of path: String) -> [String] {
        (1...Schema.version).map { copy(of: RealPath.of(path), before: $0) }.filter { FileStamp(path: $0) != nil }
    }

    /// Brings tables and views to this version's.
    ///
    /// - Parameters:
    ///   - migration: nil refuses older tables.
    ///   - queue: its connection, of a run that keeps others out.
    ///   - steps: what leads to this version's schema; tests add one.
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
