internal import DatabaseCare
internal import Foundation
package import MillConfiguration
internal import MillDatabase
package import MillSystem
package import ReceiptArchive
package import ReceiptTrust
package import ReceiptVerification
internal import ReceiptWarehouse

/// Settings of a load, made of a command's options or of a pipeline file, for `ingest`, `load`, `run`, `regrade` and
/// `decode` alike.
package struct LoadConfiguration: Sendable {
    /// Path of the database.
    package var database: String
    /// Whether the database is created if it is missing.
    package var createsDatabase = true
    package var anchors = TrustAnchors.apple
    /// Certificates that receipts may need and don't contain: the intermediates of transaction receipts. The database
    /// keeps every certificate, so that giving one once is enough. A run ends by verifying again the transaction
    /// receipts whose missing certificate is known by then.
    package var intermediates = CertificatePool()
    package var keys = LineKeys()
    package var limits = Limits()
    package var apps: [AppSetting] = []
    /// Number of workers that verify at the same time.
    package var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// Bytes of text that a worker verifies at once. The number changes speed and memory use, but not the rows.
    package var batchSize = ArchiveReader.defaultBatchSize
    /// The number of lines in one transaction. The number changes speed and memory use, but not the rows.
    package var windowSize = WarehouseWriter.defaultWindowSize
    /// How long a stream may be silent before the lines that have arrived are committed.
    package var longestSilence = Duration.seconds(5)
    /// Whether new receipts are stored whole, so that a ``Regrade`` can verify the receipts again.
    package var keepsReceipts = false
    /// Whether models are refreshed after the load.
    package var refreshes = true
    /// How often the refreshed models are compared with models that are computed from all documents.
    package var modelComparison = ModelComparisonInterval.never
    /// The maximum number of days between two runs' times, in either direction, for the clock to be believed. After a
    /// longer gap nothing is deleted because of its age.
    package var maximumClockGap = RunClock.usualGap
    /// Whether disk space is checked before anything is loaded.
    package var checksDiskSpace = true
    /// Whether the first lines of a new database may refuse the load; see ``FirstLines``.
    package var judgesFirstLines = false
    /// Keys of the pseudonyms that are stored instead of device and account identifiers; nil stores the identifiers in
    /// clear.
    package var pseudonyms: Pseudonyms?
    /// The file for rejected lines, and how many lines are kept; if nil, no line is kept.
    package var deadLetters: DeadLetterSettings?
    /// A file for node_exporter's textfile collector; if nil, none is written.
    package var metrics: String?
    /// The share of lines that may be rejected; a greater share raises an alarm.
    package var maxRejected: Double? = 1
    /// A cancelled flag ends the run after the batches that are in flight.
    package var stop = CancellationFlag()
    /// How long the run waits for another run that holds the database; nil does not wait.
    package var maximumWait: Duration?
    /// Advice on a damaged database, with the commands and folders of the pipeline file; nil leaves the general advice.
    var hintOnDamage: String?

    package init(database: String) {
        self.database = database
    }

    /// The store that keeps rejected lines; nil if none are to be kept.
    func deadLetterStore(_ database: Warehouse) throws(MillError) -> DeadLetterStore? {
        guard let deadLetters else { return nil }
        guard pseudonyms == nil else { throw DeadLetterStore.refusalUnderKey(nil) }
        return try DeadLetterStore(database, capacity: deadLetters.keepMebibytes << 20)
    }

    /// - Parameters:
    ///   - issuers: certificates that receipts may need and don't contain.
    ///   - known: receipts that are stored, and are not verified again.
    func verifier(
        issuers: CertificatePool, known: (receipts: KnownReceipts, lookup: any ReceiptLookup)?,
        keepsRejectedLines: Bool, erasedLines: ErasedLines = ErasedLines()
    ) throws(MillError) -> LineVerifier {
        try LineVerifier(
            keys: keys, limits: limits, anchors: anchors, issuers: issuers, known: known, pseudonyms: pseudonyms,
            keepsReceipts: keepsReceipts, keepsRejectedLines: keepsRejectedLines, erasedLines: erasedLines)
    }

    /// The failure, with the advice ``hintOnDamage`` if the database is damaged.
    func advised(_ failure: MillError) -> MillError {
        guard failure.code == .databaseDamaged, let hintOnDamage else { return failure }
        var failure = failure
        failure.hint = hintOnDamage
        return failure
    }

    /// Opens the database, and migrates tables of an older version.
    func open(onEvent: @escaping (RunEvent) -> Void = { _ in }) throws(MillError) -> Warehouse {
        if !createsDatabase { try DatabaseName.refuseNewBeginning(database) }
        var migration = SchemaMigration()
        migration.onEvent = { onEvent(.migration($0)) }
        let wait = maximumWait.map { limit in
            RunLock.Wait(stop: stop, limit: limit) { holder in
                let words =
                    holder.map { "waiting: another run is loading into the database\($0)" }
                    ?? "waiting: another program holds a lock of the database"
                onEvent(.log(.notice, words))
            }
        }
        let opened = try Warehouse(path: database, waiting: wait, migration: migration)
        try stop.interrupting([opened.queue]) { () throws(MillError) in
            guard try FaultMark(of: database).examine(opened) else { return }
            onEvent(
                .log(.notice, "the database was checked, of which an earlier run had met a fault, and is whole"))
        }
        return opened
    }
}
