internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptTrust
internal import ReceiptWarehouse
internal import SignedDataFormat

/// Gives every person in a database a new name under a further key.
///
/// A new name is made of the former one, not of the identifier, which no one has: whoever
/// was one person is one person still, and lines that come later get the same name under the
/// keys of both. Who holds the former key alone can't tell a new name any more.
package struct Rekeying: Sendable {
    package let database: String
    /// The keys by which the database names persons, and those by which it will.
    package let former, keys: Pseudonyms
    /// Whether models are worked out with it; else there are none until they are.
    package var refreshes = true

    package init(_ database: String, from former: Pseudonyms, to keys: Pseudonyms) {
        (self.database, self.former, self.keys) = (database, former, keys)
    }

    /// Tables of signed documents, by the kind whose fields have columns there.
    private static let tables: KeyValuePairs<String, SignedKinds> = [
        "purchase_terms": .transaction, "renewal": .renewal, "app_transaction": .appTransaction,
        "notification": .notification,
    ]
    /// Tables whose subject is a name where it is of an account or a device.
    private static let tablesOfSubjects = ["decision", "allowed_subject"]

    /// One transaction, behind which the file is written anew: no page keeps a former name.
    ///
    /// - Throws: ``MillError`` where a key is not the database's, or the new ones don't begin with it.
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
        // Where it was cut short, names are replaced, and former ones may still stand in free pages.
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
            // Models name persons, too.
            try ModelState.noteChange(db)
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
        for (table, kind) in Self.tables {
            for field in SignedField.stored(of: kind) where field.person != nil {
                guard let column = field.storedColumn else { continue }
                try db.execute(
                    sql: "UPDATE \(table) SET \(column) = renamed(\(column)) WHERE \(column) IS NOT NULL")
                count += db.changesCount
            }
        }
        for table in Self.tablesOfSubjects {
            try db.execute(
                sql: "UPDATE \(table) SET subject = renamed(subject) WHERE subject_kind IN ('account', 'device')")
            count += db.changesCount
        }
        return count
    }
}

package struct RekeyingSummary: Sendable, Hashable {
    /// Persons are counted once for each column that names them.
    package fileprivate(set) var names = 0
    /// Erased presentations, which are known by former names, and are not recognised any more.
    package fileprivate(set) var forgottenErasures = 0
}
