internal import DatabaseCare
internal import MillDatabase
package import MillSystem
package import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Counts of receipts that were verified again.
package struct RegradeSummary: Sendable, Hashable {
    package internal(set) var receipts = 0
    /// Counts of receipts whose verdict has changed, by the former and the present verdict.
    package internal(set) var changes: [VerdictChange: Int] = [:]
}

package struct VerdictChange: Sendable, Hashable {
    package let former, verdict: Verdict
}

/// Verifies every receipt of a database again, from its stored bytes: with other trust anchors, or by the rules of
/// another version.
///
/// All statements of receipts are withdrawn and merged again in one transaction, so a run that is killed changes
/// nothing. The database has to keep every receipt, because any receipt may hold a statement that another one has
/// overruled.
package struct Regrade: Sendable {
    package var configuration: LoadConfiguration

    package init(_ configuration: LoadConfiguration) {
        self.configuration = configuration
    }

    package func run() throws(MillError) -> RegradeSummary {
        let path = configuration.database
        try DatabaseName.refuseMissing(path)
        let database = try configuration.open()
        try refuseIncomplete(database)
        let issuers = try database.documents.save(configuration.intermediates)
        // Claims, purchases in receipts that are not trusted, are looked up by an index that a first load lacks.
        try database.access { db in try Schema.buildIndices(db, workers: configuration.jobs) }
        let writer = try WarehouseWriter(
            database, knownIssuers: issuers.count, known: nil, workers: configuration.jobs,
            windowSize: configuration.windowSize)
        let sink = ReplacingSink(try ReceiptReplacement(writer))
        let anchors = configuration.anchors
        _ = try MillDriver(configuration: configuration).run(
            StoredDocumentSource(database), sink, into: writer,
            capacity: 2 * configuration.jobs + 2
        ) { () throws(MillError) in
            let verifier = try MillError.wrapping { () throws(OpenSSLError) in
                try ReceiptVerifier(anchors: anchors, issuers: issuers)
            }
            return { (receipts) throws(MillError) in
                var replaced: [ReplacedReceipt] = []
                for receipt in receipts {
                    replaced.append(
                        ReplacedReceipt(
                            id: receipt.id, former: receipt.verdict,
                            batch: try receipt.verified(by: verifier, path: path)))
                }
                return replaced
            }
        }
        if configuration.refreshes { try database.models.refresh(stop: configuration.stop) }
        return sink.summary
    }

    private func refuseIncomplete(_ database: Warehouse) throws(MillError) {
        let (missing, withheld) = try database.documents.countNotKept()
        guard missing > 0 else { return }
        guard withheld < missing else {
            throw MillError(
                stage: .loading, path: database.path,
                what:
                    "\(missing) signed documents that name a person are not kept under a pseudonym key, so they can't be verified again",
                hint: "load the archives into a new database", exitStatus: .badData)
        }
        throw MillError(
            stage: .loading, path: database.path,
            what: "\(missing) receipts were not kept, so not all can be verified again",
            hint: "load the archives into a new database, with --keep-receipts", exitStatus: .badData)
    }
}

/// A stored receipt, verified again.
private struct ReplacedReceipt: Sendable {
    let id: Int64
    let former: Verdict
    let batch: VerifiedBatch
}

/// Reads stored receipts in the order of their identifiers.
private final class StoredDocumentSource: ItemSource {
    private let database: Warehouse
    private var last: Int64 = 0
    let mustDrain = false
    /// Number of receipts that one query reads.
    private static let batchSize = 64

    init(_ database: Warehouse) {
        self.database = database
    }

    func next() throws(MillError) -> [StoredDocument]? {
        let receipts = try database.documents.kept(behind: last, upTo: Self.batchSize)
        guard let final = receipts.last else { return nil }
        last = final.id
        return receipts
    }
}

/// Replaces stored receipts by the results of verifying the receipts again.
private final class ReplacingSink: ItemSink {
    private let replacement: ReceiptReplacement
    private(set) var summary = RegradeSummary()

    init(_ replacement: ReceiptReplacement) {
        self.replacement = replacement
    }

    func take(_ receipts: [ReplacedReceipt]) throws(MillError) {
        for receipt in receipts {
            try replacement.replace(receipt.id, with: receipt.batch)
            summary.receipts += 1
            guard let verdict = receipt.batch.receipts.first?.verification.verdict, verdict != receipt.former
            else { continue }
            summary.changes[VerdictChange(former: receipt.former, verdict: verdict), default: 0] += 1
        }
    }

    static func size(of receipts: [ReplacedReceipt]) -> Int { receipts.reduce(0) { $0 + $1.batch.size } }
}
