internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse
package import StoreLoading

/// Retracts archives and report files from a database, which then holds the rows that it would hold without them.
///
/// A purchase that receipts of other archives also state is merged again from these receipts, which have to be kept
/// whole. Issuers' certificates and a fraud team's decisions stay.
package struct Retraction: Sendable {
    package let database: String
    /// Names and paths of archives, names of report files, or at least eight first digits of a SHA-256.
    package let archives: [String]
    /// Whether the retraction is only counted, not done.
    package var isDryRun = false
    /// Whether models are refreshed after the retraction.
    package var refreshes = true

    package init(of archives: [String], from database: String) {
        (self.archives, self.database) = (archives, database)
    }

    /// - Throws: ``MillError`` where another run is at work, an archive is unknown, or a purchase can't be merged
    ///   again; then nothing is changed.
    package func run() throws(MillError) -> RetractionSummary {
        try DatabaseName.refuseMissing(database)
        let warehouse = try Warehouse(path: database)
        var ids: Set<Int64> = []
        var files: Set<RetractedReportFile> = []
        for archive in archives {
            switch try Self.thing(meant: archive, in: warehouse) {
            case .archive(let id): ids.insert(id)
            case .reportFile(let file): files.insert(file)
            }
        }
        try warehouse.access { db in try Schema.buildIndices(db, workers: 1) }
        let writer = try WarehouseWriter(warehouse, known: nil)
        var summary = RetractionSummary()
        try writer.change(wholeBecause: .retraction) { db in
            try Self.choose(ids, db)
            summary = try Self.remove(db)
            summary.reportFiles = files.sorted { $0.id < $1.id }
            for file in summary.reportFiles { try file.remove(db) }
            try refuseWhatIsNotKept(db)
        }
        try mergeAgain(warehouse, writer)
        guard !isDryRun else {
            try writer.rollBack()
            return summary
        }
        try writer.commit()
        if refreshes { try warehouse.models.refresh() }
        if summary.deadLetters > 0 { try DatabasePacking(warehouse).releaseFreePages() }
        return summary
    }

    // MARK: Removing

    private static func choose(_ ids: Set<Int64>, _ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.retracted;
                CREATE TEMP TABLE retracted (archive_id INTEGER PRIMARY KEY);
                """)
        for id in ids { try db.execute(sql: "INSERT INTO temp.retracted VALUES (?)", arguments: [id]) }
    }

    private static func remove(_ db: Database) throws -> RetractionSummary {
        var summary = RetractionSummary()
        summary.archives = try archives(db)
        let chosen = try ChosenSubmissions(db)
        try db.execute(file: "care/choose_retracted_submissions.sql")
        let counts = try ErasedRows(db, chosen, shared: .mergedAgain).remove(remembers: false)
        (summary.submissions, summary.receipts, summary.purchases) =
            (counts.submissions, counts.receipts, counts.purchases)
        func delete(from table: String, _ id: String = "archive_id") throws -> Int {
            try db.execute(sql: "DELETE FROM \(table) WHERE \(id) IN (SELECT archive_id FROM temp.retracted)")
            return db.changesCount
        }
        summary.deadLetters = try delete(from: "dead_letter", "letter_id >> 32")
        summary.rejections = try delete(from: "rejection")
        try db.execute(
            sql: """
                INSERT INTO retraction (retracted_at, name, sha256, lines, loaded_lines, pruned_lines)
                SELECT ?, name, sha256, lines, loaded_lines, pruned_lines
                FROM archive WHERE archive_id IN (SELECT archive_id FROM temp.retracted) ORDER BY archive_id
                """, arguments: [LoadProgress.now])
        try db.execute(
            sql: """
                UPDATE archive SET repeated_in = NULL
                WHERE repeated_in IN (SELECT archive_id FROM temp.retracted)
                """)
        for table in ["archive_place", "archive_prefix", "archive"] { _ = try delete(from: table) }
        // New receipts reuse the numbers of removed ones, and have not been reviewed by any run.
        try db.execute(
            sql: """
                UPDATE run SET last_receipt = (SELECT coalesce(max(receipt_id), 0) FROM receipt)
                WHERE last_receipt > (SELECT coalesce(max(receipt_id), 0) FROM receipt)
                """)
        return summary
    }

    private static func archives(_ db: Database) throws -> [RetractedArchive] {
        let places = try Row.fetchAll(
            db,
            sql: """
                SELECT archive_id, folder, name FROM archive_place
                WHERE archive_id IN (SELECT archive_id FROM temp.retracted) ORDER BY folder, name
                """
        ).reduce(into: [Int64: [String]]()) { paths, row in
            let folder: String = row[1]
            paths[row[0], default: []].append((folder == "/" ? "" : folder) + "/" + (row[2] as String))
        }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT archive_id, name, lower(hex(sha256)), lines FROM archive
                WHERE archive_id IN (SELECT archive_id FROM temp.retracted) ORDER BY archive_id
                """
        ).map { RetractedArchive(name: $0[1], sha256: $0[2], lines: $0[3], paths: places[$0[0]] ?? []) }
    }

    // MARK: Merging again

    private func mergeAgain(_ warehouse: Warehouse, _ writer: WarehouseWriter) throws(MillError) {
        // Documents are only read again and keep their verdicts, so any anchors do.
        let verifier = try MillError.wrapping { () throws(OpenSSLError) in
            try ReceiptVerifier(anchors: .apple, issuers: IssuerCertificates())
        }
        var last: Int64 = 0
        while let document = try warehouse.documents.firstStored(
            "SELECT receipt_id FROM temp.restating_receipt WHERE receipt_id > ?", [last])
        {
            last = document.id
            let batch = try document.verified(by: verifier, path: database)
            try writer.merge(batch, ofStored: document.id, app: document.app, document.verdict)
        }
    }

    /// Throws where a purchase can't be merged again, because a receipt that states it is not stored whole.
    private func refuseWhatIsNotKept(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.lost_receipt;
                CREATE TEMP TABLE lost_receipt AS
                SELECT receipt_id FROM temp.restating_receipt
                WHERE receipt_id NOT IN (SELECT receipt_id FROM raw_receipt)
                    AND receipt_id NOT IN (SELECT receipt_id FROM reviewable_receipt)
                """)
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.lost_receipt") ?? 0
        guard count > 0 else { return }
        let others = try Row.fetchAll(
            db,
            sql: """
                WITH presented AS (
                    SELECT receipt_id FROM temp.lost_receipt
                    UNION
                    SELECT part.receipt_id
                    FROM temp.lost_receipt AS lost CROSS JOIN receipt_part AS part ON part_receipt_id = lost.receipt_id
                )
                SELECT name, lower(substr(hex(sha256), 1, 16)) FROM archive WHERE archive_id IN (
                    SELECT archive_id FROM presented CROSS JOIN submission USING (receipt_id))
                ORDER BY archive_id
                """)
        let named = others.prefix(3).map { "\($0[0] as String) (\($0[1] as String))" }.joined(separator: ", ")
        let more = others.count > 3 ? " and \(others.count - 3) more" : ""
        let (noun, verb) = count == 1 ? ("receipt", "was") : ("receipts", "were")
        throw MillError(
            stage: .loading, path: database,
            what: "purchases of the archive are also stated by \(count) \(noun) of \(named)\(more), which \(verb) not "
                + "kept, so they can't be merged again without it",
            hint: "retract these archives with it, and load them again; or load all others into a new database. "
                + "Receipts are kept with --keep-receipts (keep_receipts)",
            exitStatus: .badData)
    }

    private enum Meant {
        case archive(Int64)
        case reportFile(RetractedReportFile)
    }

    /// The only archive or report file that a path, a name, or the beginning of a SHA-256 identifies.
    private static func thing(meant text: String, in warehouse: Warehouse) throws(MillError) -> Meant {
        let archives = warehouse.archives
        let placed = text.contains("/") ? try archives.at(text) : []
        let found = placed.isEmpty ? try archives.named(PathParts.name(of: text)) : placed
        let files =
            placed.isEmpty
            ? try warehouse.access { db in try RetractedReportFile.named(PathParts.name(of: text), db) } : []
        let digests = found.map(\.hex) + files.map(\.sha256)
        guard digests.count < 2 else {
            let things = files.isEmpty ? "archives" : found.isEmpty ? "report files" : "archives and report files"
            throw MillError(
                stage: .loading, what: "\(text): \(digests.count) \(things) have this name; give the SHA-256 of one",
                hint: "they begin with \(digests.prefix(5).map { $0.prefix(16) }.joined(separator: ", "))",
                exitStatus: .usage)
        }
        if let file = files.first { return .reportFile(file) }
        guard let digest = found.first, let archive = try archives.archive(of: digest)?.id else {
            throw MillError(
                stage: .loading,
                what: "\(text): no archive or report file has this name, nor a SHA-256 that begins so",
                hint: "SELECT name, sha256 FROM archives has archives, and SELECT DISTINCT file FROM store_sales, or "
                    + "store_rows, report files; nothing is changed", exitStatus: .missingInput)
        }
        return .archive(archive)
    }
}

/// The counts of retracted rows.
package struct RetractionSummary: Sendable, Hashable {
    package fileprivate(set) var archives: [RetractedArchive] = []
    package fileprivate(set) var reportFiles: [RetractedReportFile] = []
    package fileprivate(set) var submissions = 0
    package fileprivate(set) var rejections = 0
    package fileprivate(set) var deadLetters = 0
    package fileprivate(set) var receipts = 0
    package fileprivate(set) var purchases = 0
}

package struct RetractedArchive: Sendable, Hashable {
    package let name, sha256: String
    package let lines: Int
    /// The paths at which runs have found the archive.
    package let paths: [String]
}
