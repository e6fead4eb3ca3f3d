internal import DatabaseCare
internal import Foundation
package import MillConfiguration
internal import MillDatabase
package import MillSystem
package import ReceiptArchive
package import ReceiptTrust
package import ReceiptVerification
internal import ReceiptWarehouse

/// How a database is loaded: made of a command's options or of a pipeline file, for `ingest`,
/// `load`, `run` and `regrade` alike.
package struct LoadConfiguration: Sendable {
    /// Path of the database.
    package var database: String
    /// Whether the database is made where there is none.
    package var createsDatabase = true
    package var anchors = TrustAnchors.apple
    /// Certificates that receipts may need and don't carry: the intermediates of transaction receipts. The database keeps
    /// them, so that giving a certificate once is enough. A run ends by verifying again the transaction receipts that
    /// lacked a certificate which is known by then.
    package var intermediates = IssuerCertificates()
    package var keys = LineKeys()
    package var limits = Limits()
    package var apps: [AppSetting] = []
    /// Workers that verify at the same time.
    package var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// Bytes of text that a worker verifies at once; decides speed and memory alone.
    package var batchSize = ArchiveReader.defaultBatchSize
    /// Lines of one transaction; decides speed and memory alone.
    package var windowSize = WarehouseWriter.defaultWindowSize
    /// How long a stream that is read as it comes may be silent before what it gave is committed.
    package var longestSilence = Duration.seconds(5)
    /// Whether new receipts are stored whole, to be verified again by a ``Regrade``.
    package var keepsReceipts = false
    /// Whether models are worked out behind the load.
    package var refreshes = true
    /// Days that may lie between two runs, forth or back. Where more do, nothing is deleted by its age.
    package var greatestClockGap = RunClock.usualGap
    /// Whether disk space is checked before anything is loaded.
    package var checksDiskSpace = true
    /// Keys of the pseudonyms that are stored in the place of device and account identifiers; nil stores the identifiers
    /// as the lines state them.
    package var pseudonyms: Pseudonyms?
    /// Where rejected lines are written, and how many are kept; nil keeps none.
    package var deadLetters: DeadLetterSettings?
    /// A file for node_exporter's textfile collector; nil writes none.
    package var metrics: String?
    /// Share of the lines that may be rejected; more make the outcome an alarm.
    package var maxRejected = 1.0
    /// Ends the run after the batches at hand when it is cancelled.
    package var stop = CancellationFlag()
    /// How long another run is waited for that holds the database; nil does not wait.
    package var greatestWait: Duration?
    /// Advice where the database is damaged, which knows of the pipeline file; nil leaves the general advice.
    var hintOnDamage: String?

    package init(database: String) {
        self.database = database
    }

    /// Keeps rejected lines, where that is asked for.
    func deadLetterStore(_ database: Warehouse) throws(MillError) -> DeadLetterStore? {
        guard let deadLetters else { return nil }
        guard pseudonyms == nil else { throw DeadLetterStore.refusalUnderKey(nil) }
        return try DeadLetterStore(database, capacity: deadLetters.keepMebibytes << 20)
    }

    /// A failure with the advice that this configuration has on it.
    func advised(_ failure: MillError) -> MillError {
        guard failure.code == .databaseDamaged, let hintOnDamage else { return failure }
        var failure = failure
        failure.hint = hintOnDamage
        return failure
    }

    /// Opens the database, whose tables are brought to this version's where they are older.
    func open(onEvent: @escaping (RunEvent) -> Void = { _ in }) throws(MillError) -> Warehouse {
        if !createsDatabase { try DatabaseName.refuseNewBeginning(database) }
        var migration = SchemaMigration()
        migration.onEvent = { onEvent(.migration($0)) }
        let wait = greatestWait.map { RunLock.Wait(stop: stop, limit: $0) { onEvent(.waiting(holder: $0)) } }
        let opened = try Warehouse(path: database, waiting: wait, migration: migration)
        try stop.interrupting([opened.queue]) { () throws(MillError) in
            if try FaultMark(of: database).examine(opened) { onEvent(.examined) }
        }
        return opened
    }
}
