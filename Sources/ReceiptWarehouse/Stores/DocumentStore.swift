internal import Foundation
package import GRDB
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust

/// The submitted documents: receipts and signed data, the issuers of their certificates, and the documents that are
/// stored whole.
package struct DocumentStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// Whether no document has been loaded yet.
    package func isEmpty() throws(MillError) -> Bool { try warehouse.row("SELECT 1 FROM receipt LIMIT 1") == nil }

    /// The identifier of the newest document; 0 if there is none.
    package func last() throws(MillError) -> Int64 { try warehouse.value("SELECT max(receipt_id) FROM receipt") ?? 0 }

    // MARK: Issuers

    /// Adds issuers, and returns all issuers that the database then knows.
    package func save(_ issuers: CertificatePool) throws(MillError) -> CertificatePool {
        try warehouse.transaction { db in try Self.insert(issuers, db) }
        return try self.issuers()
    }

    /// Adds issuers within a transaction; known ones stay unchanged.
    package static func insert(_ issuers: CertificatePool, _ db: Database) throws {
        for (fingerprint, der) in issuers.certificates {
            try db.execute(
                sql: "INSERT INTO issuer_certificate (sha256, der) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [Data(fingerprint.bytes), Data(der)])
        }
    }

    /// All issuers that the database knows.
    package func issuers() throws(MillError) -> CertificatePool { try warehouse.access(Self.issuers) }

    package static func issuers(_ db: Database) throws -> CertificatePool {
        var issuers = CertificatePool()
        for der in try Data.fetchAll(db, sql: "SELECT der FROM issuer_certificate ORDER BY sha256") {
            try issuers.insertCertificates(of: [UInt8](der))
        }
        return issuers
    }

    // MARK: Documents stored whole

    /// Kept documents after the given identifier, in the order of identifiers.
    package func kept(behind id: Int64, upTo count: Int) throws(MillError) -> [StoredDocument] {
        try warehouse.rows(
            "\(StoredDocument.selection) WHERE deflated IS NOT NULL AND receipt_id > ? ORDER BY receipt_id LIMIT ?",
            [id, count]
        ).map { (row) throws(MillError) in try StoredDocument(row, path: warehouse.path) }
    }

    /// The document with the lowest identifier among those that a statement selects; nil if it selects none.
    ///
    /// - Parameter ids: a SELECT of `receipt_id` without ORDER BY; it has to select documents that are stored whole.
    package func firstStored(_ ids: String, _ arguments: StatementArguments) throws(MillError) -> StoredDocument? {
        try warehouse.row(
            "\(StoredDocument.selection) WHERE receipt_id = (\(ids) ORDER BY receipt_id LIMIT 1)", arguments
        ).map { (row) throws(MillError) in try StoredDocument(row, path: warehouse.path) }
    }

    /// The number of documents that are not kept, and of those among them that name a person and are not kept because
    /// the database has a pseudonym key.
    package func countNotKept() throws(MillError) -> (all: Int, underKey: Int) {
        let signed = ReceiptKind.allCases.filter(\.isSignedData).map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let row = try warehouse.row(
            """
            SELECT count(*), count(*) FILTER (
                WHERE kind IN (\(signed))
                    AND EXISTS (SELECT 1 FROM pseudonym_key))
            FROM receipt
            WHERE NOT EXISTS (SELECT 1 FROM raw_receipt AS raw WHERE raw.receipt_id = receipt.receipt_id)
            """)
        return row.map { ($0[0], $0[1]) } ?? (0, 0)
    }

    // MARK: Verdicts

    /// Whether any document is not trusted, from an index of untrusted documents.
    package func hasUntrusted() throws(MillError) -> Bool {
        try warehouse.row("SELECT 1 FROM receipt WHERE verdict <> 'trusted' LIMIT 1") != nil
    }

    /// For a sample of documents whose chains end at no trust anchor, the reasons why they are not trusted.
    package func untrustedRoots() throws(MillError) -> [String] {
        try warehouse.values(
            """
            SELECT DISTINCT verdict_detail
            FROM (
                SELECT verdict_detail FROM receipt
                -- The first condition is that of an index.
                WHERE verdict <> 'trusted' AND verdict = 'untrusted_root'
                LIMIT 1000
            )
            WHERE verdict_detail IS NOT NULL
            """)
    }

    /// Whether any document is stored whole and can be verified again.
    package func keepsReceipts() throws(MillError) -> Bool {
        try warehouse.row("SELECT 1 FROM raw_receipt LIMIT 1") != nil
    }

    /// The number of lines of an archive, within a range, that hold a document which is not trusted.
    package func untrustedLines(ofArchive id: Int64, in lines: ClosedRange<Int64>) throws(MillError) -> Int {
        // Identifiers sort first by the document's number in its line, so each number has a separate range of
        // identifiers.
        let last: Int64 = try warehouse.value("SELECT max(submission_id) FROM submission") ?? 0
        return try warehouse.value(
            """
            WITH RECURSIVE numbered (number) AS (
                SELECT 0
                UNION ALL
                SELECT number + 1 FROM numbered WHERE number + 1 < :documents
            )
            SELECT count(DISTINCT submission_id & 0xffffffff)
            FROM numbered
            CROSS JOIN submission
                ON submission_id BETWEEN (number << 52) + :first AND (number << 52) + :last
            CROSS JOIN receipt USING (receipt_id)
            WHERE verdict <> :trusted
            """,
            [
                "documents": LineNumber.document(of: last),
                "first": LineNumber.id(archive: id, line: lines.lowerBound),
                "last": LineNumber.id(archive: id, line: lines.upperBound),
                "trusted": Verdict.trusted.rawValue,
            ]) ?? 0
    }
}
