internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptTrust
internal import ReceiptWarehouse

/// Renames every person in a database with an additional key.
///
/// A new pseudonym is computed from the former one, since the identifiers are not stored. So a person remains one
/// person, and lines that are loaded later get the same name by applying both keys. With the former key alone, an
/// identifier can no longer be found.
package struct Rekeying: Sendable {
    package let database: String
    /// The present keys of the database's pseudonyms, and the future ones.
    package let former, keys: Pseudonyms
    /// Whether models are refreshed within the change; otherwise they are emptied until the next refresh.
    package var refreshes = true

    package init(_ database: String, from former: Pseudonyms, to keys: Pseudonyms) {
        (self.database, self.former, self.keys) = (database, former, keys)
    }

    /// Renames all persons in one transaction, and compacts the file, so that no page contains a former name.
    ///
    /// - Throws: ``MillError`` if the former keys are not the database's, or if the new keys don't begin with them.
    package func run() throws(MillError) -> RekeyingSummary {
        try DatabaseName.refuseMissing(database)
        guard keys.extends(former) else {
            throw MillError(
                stage: .loading, what: "the new key file does not begin with the keys that the database has now",
                hint: "make it of the former one, a line --- and the new key", exitStatus: .usage)
        }
        let warehouse = try Warehouse(path: database)
        let packing = DatabasePacking(warehouse)
        let fingerprint = try MillError.wrapping(at: .loading) { () throws(OpenSSLError) in try keys.fingerprint() }
        try packing.checkDiskSpace()
        var summary = RekeyingSummary()
        // An earlier attempt may have renamed all persons and been killed before it compacted the file, so that free
        // pages still contain former names.
        let isRenamed =
            try warehouse.row("SELECT 1 FROM pseudonym_key WHERE fingerprint = ?", [Data(fingerprint)]) != nil
        if isRenamed {
            try packing.pack()
            return summary
        }
        try warehouse.pseudonyms.refuse(otherThan: former)
        try warehouse.transaction { db in
            summary.names = try rename(db)
            summary.forgottenErasures = try ErasedPresentations(db).forget()
            try db.execute(sql: "UPDATE pseudonym_key SET fingerprint = ?", arguments: [Data(fingerprint)])
            // Models name persons, too, so they have to be computed again.
            try ModelState.noteChange(.pseudonyms, db)
            if refreshes { try ModelRefresh.makeAll(db) } else { try ModelRefresh.clear(db) }
        }
        try packing.pack()
        return summary
    }

    private func rename(_ db: Database) throws -> Int {
        let (keys, former) = (keys, former)
        db.add(
            function: DatabaseFunction("renamed", argumentCount: 1, pure: true) { values in
                guard let name = String.fromDatabaseValue(values[0]) else { return nil }
                return String(decoding: try keys.renamed(Array(name.utf8), from: former), as: UTF8.self)
            })
        var count = try PseudonymStore.renameSubmissions(db)
        for (table, column) in SignedTable.columnsOfPersons {
            try db.execute(sql: "UPDATE \(table) SET \(column) = renamed(\(column)) WHERE \(column) IS NOT NULL")
            count += db.changesCount
        }
        for table in LoaderTable.namingSubjects {
            try db.execute(
                sql: "UPDATE \(table) SET subject = renamed(subject) WHERE subject_kind IN ('account', 'device')")
            count += db.changesCount
        }
        return count
    }
}

package struct RekeyingSummary: Sendable, Hashable {
    /// The number of replaced names; a person counts once for each column that names the person.
    package fileprivate(set) var names = 0
    /// The number of records of erased presentations that were deleted, because their digests were computed from former
    /// names.
    package fileprivate(set) var forgottenErasures = 0
}
