internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse
package import StoreLoading

/// Retracts archives and report files from a database. Afterwards the database has the rows that it would have without
/// them.
///
/// A purchase that receipts of other archives also state is merged again from these receipts, which therefore have to
/// be stored. Issuers' certificates and a fraud team's decisions are kept.
package struct Retraction: Sendable {
    package let database: String
    /// Names and paths of archives, names of report files, or the first digits of a SHA-256, at least eight.
    package let archives: [String]
    /// Whether the rows to be retracted are only counted.
    package var isDryRun = false
    /// Whether models are refreshed after the retraction.
    package var refreshes = true

    package init(of archives: [String], from database: String) {
        (self.archives, self.database) = (archives, database)
    }

    /// - Throws: ``MillError`` if another run is active, an archive is unknown, or a purchase can't be merged again;
    ///   then nothing is changed.
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
        try db.execute(file: "care/retract_archives.sql", arguments: [LoadProgress.now])
        let rows = try LoaderTable.deleteRows(of: .archive, in: "temp.retracted", db)
        (summary.deadLetters, summary.rejections) = (rows["dead_letter"] ?? 0, rows["rejection"] ?? 0)
        return summary
    }

    private static func archives(_ db: Database) throws -> [RetractedArchive] {
        let rows = try Row.fetchAll(db, sql: Database.sql(ofFile: "care/retracted_archives.sql"))
        return rows.reduce(into: []) { archives, row in
            let archive = RetractedArchive(name: row[0], sha256: row[1], lines: row[2])
            if archives.last?.sha256 != archive.sha256 { archives.append(archive) }
            if let path: String = row[3] { archives[archives.count - 1].paths.append(path) }
        }
    }

    // MARK: Merging again

    private func mergeAgain(_ warehouse: Warehouse, _ writer: WarehouseWriter) throws(MillError) {
        // Documents are only read again and keep their verdicts, so any anchors will do.
        let verifier = try MillError.wrapping { () throws(OpenSSLError) in
            try ReceiptVerifier(anchors: .apple, issuers: CertificatePool())
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

    /// Throws if a purchase can't be merged again, because a receipt that states it is not stored.
    private func refuseWhatIsNotKept(_ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: Database.sql(ofFile: "care/lost_receipts.sql"))
        guard let count: Int = rows.first?[0] else { return }
        let others = rows.compactMap { $0[1] as String? }
        let named = others.prefix(3).joined(separator: ", ")
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

    /// The single archive or report file that a path, a name, or the beginning of a SHA-256 identifies.
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
    package fileprivate(set) var paths: [String] = []
}
