internal import Foundation
package import GRDB
package import MillSystem
package import ReceiptTrust

/// The key of the pseudonyms that name devices and accounts in the database; only the key's fingerprint is stored.
package struct PseudonymStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// Checks that a run uses the database's pseudonym key. With two keys, or with pseudonyms beside identifiers in
    /// clear, one person would count as two.
    package func agree(on pseudonyms: Pseudonyms?) throws(MillError) {
        try agree(
            onKeyOf: try MillError.wrapping(at: .loading) { () throws(OpenSSLError) in try pseudonyms?.fingerprint() })
    }

    /// Checks that a run uses the database's pseudonym key, of which only the fingerprint is given.
    package func agree(onKeyOf fingerprint: [UInt8]?) throws(MillError) {
        guard try refuse(otherThanKeyOf: fingerprint), let fingerprint else { return }
        try warehouse.access { db in
            // Pages may still contain rejected lines that were kept before. The database has no submission, so packing
            // is quick.
            if try Row.fetchOne(db, sql: "SELECT 1 FROM archive") != nil { try db.execute(sql: "VACUUM") }
            try db.execute(sql: "INSERT INTO pseudonym_key (fingerprint) VALUES (?)", arguments: [Data(fingerprint)])
        }
    }

    /// Throws if a key is not the database's.
    package func refuse(otherThan pseudonyms: Pseudonyms?) throws(MillError) {
        _ = try refuse(
            otherThanKeyOf: try MillError.wrapping(at: .loading) { () throws(OpenSSLError) in
                try pseudonyms?.fingerprint()
            })
    }

    /// - Returns: whether the key is the database's first one, which is still to be stored.
    private func refuse(otherThanKeyOf fingerprint: [UInt8]?) throws(MillError) -> Bool {
        let (what, isNew): (String?, Bool) = try warehouse.access { db in
            let stored = try Data.fetchOne(db, sql: "SELECT fingerprint FROM pseudonym_key")
            if stored == fingerprint.map({ Data($0) }) { return (nil, false) }
            guard fingerprint != nil else { return ("names devices and accounts by a key, and none is given", false) }
            if stored != nil { return ("names devices and accounts by another key", false) }
            if try Row.fetchOne(db, sql: "SELECT 1 FROM submission LIMIT 1") != nil {
                return ("holds devices and accounts as they are", false)
            }
            if try Row.fetchOne(db, sql: "SELECT 1 FROM dead_letter LIMIT 1") != nil {
                return ("keeps rejected lines, with devices and accounts as they are", false)
            }
            return (nil, true)
        }
        guard let what else { return isNew }
        throw MillError(
            stage: .loading, path: warehouse.path, what: "the database \(what)",
            hint:
                "give the key file that it is loaded with (--pseudonym-key, pseudonym_key), or load into another database",
            exitStatus: .configuration)
    }

    /// Renames accounts and devices in submissions and updates their tags, by the SQL function `renamed(name)`, which
    /// the connection has to provide.
    ///
    /// - Returns: the number of replaced names.
    package static func renameSubmissions(_ db: Database) throws -> Int {
        try IdentifierTags(db).addFunctions(to: db)
        var count = 0
        for kind in ["account", "device"] {
            try db.execute(
                sql: """
                    UPDATE submission SET \(kind)_id = new.name, \(kind)_tag = \(kind)_tag_of(new.name)
                    FROM (
                        SELECT former, renamed(former) AS name
                        FROM (SELECT DISTINCT \(kind)_id AS former FROM submission WHERE \(kind)_id IS NOT NULL)
                    ) AS new
                    WHERE \(kind)_id = new.former
                    """)
            count += db.changesCount
        }
        return count
    }
}
