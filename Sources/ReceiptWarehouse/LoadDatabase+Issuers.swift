internal import Foundation
package import GRDB
package import MillSystem
package import ReceiptTrust

extension LoadDatabase {
    /// Adds issuers, and returns all that the database knows then.
    package func save(_ issuers: IssuerCertificates) throws(MillError) -> IssuerCertificates {
        try access { db in
            try db.inTransaction {
                try insert(issuers, db)
                return .commit
            }
        }
        return try self.issuers()
    }

    /// Adds issuers within a transaction; those that are known stay.
    package func insert(_ issuers: IssuerCertificates, _ db: Database) throws {
        for (fingerprint, der) in issuers.certificates {
            try db.execute(
                sql: "INSERT INTO issuer_certificate (sha256, der) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [Data(fingerprint.bytes), Data(der)])
        }
    }

    /// All issuers that the database knows.
    package func issuers() throws(MillError) -> IssuerCertificates {
        let rows = try access { db in try Data.fetchAll(db, sql: "SELECT der FROM issuer_certificate ORDER BY sha256") }
        return try MillError.wrapping(at: .loading) { () throws(OpenSSLError) in
            var issuers = IssuerCertificates()
            for der in rows { try issuers.insertCertificates(of: [UInt8](der)) }
            return issuers
        }
    }
}
