internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptArchive
internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification

/// Loads verified batches, in the order of the archives' lines.
package final class ArchiveLoader {
    package let writer: WarehouseWriter
    /// Stores rejected lines; nil if the run keeps none.
    package let deadLetters: DeadLetterStore?
    private var folder = RealFolder()

    /// - Parameter deadLetters: stores rejected lines; nil if the run keeps none.
    package init(_ writer: WarehouseWriter, deadLetters: DeadLetterStore? = nil) {
        (self.writer, self.deadLetters) = (writer, deadLetters)
    }

    // MARK: Archives

    /// Begins an archive, or continues one at which an earlier run stopped.
    ///
    /// - Parameter prefix: the content that an earlier run has loaded, if lines were appended to it since.
    /// - Throws: ``MillError`` if no number is left for another archive; earlier archives remain loaded.
    package func begin(_ archive: ArchiveID, appendedTo prefix: SHA256Digest? = nil) throws(MillError) {
        try writer.write { db in try writer.progress.begin(archive, appendedTo: prefix, db) }
        guard let id = writer.progress.archive?.id, id > LineNumber.maximumArchive else { return }
        try writer.write { try writer.progress.takeBack($0) }
        try writer.commit()
        throw MillError(
            stage: .loading, path: writer.warehouse.path,
            what: "the database has numbers for \(LineNumber.maximumArchive) archives, and no more are left",
            hint: "load further archives into a new database, many small ones joined to one (cat)",
            exitStatus: .cannotCreate)
    }

    /// Records the folder of an archive that was begun, or that is already loaded.
    package func record(_ fingerprint: ArchiveFingerprint, at path: String) throws(MillError) {
        guard fingerprint.name != "-" else { return }
        let folder = folder.of(path)
        try writer.write { db in try ArchiveStore.record(fingerprint, in: folder, at: LoadProgress.now, db) }
    }

    /// The number of processed lines of the current archive; nil between two archives.
    package var processedLines: Int64? { writer.progress.archive?.lines }

    /// Ends the current archive; a damaged one stays incomplete.
    ///
    /// - Parameters:
    ///   - text: the whole text of a complete archive; nil if unknown.
    ///   - soundLines: for a damaged archive, the number of lines before the damage.
    package func end(
        isComplete: Bool, text: ArchiveText? = nil, soundLines: Int64? = nil
    ) throws(MillError) {
        guard var archive = writer.progress.archive else { return }
        if let text { archive.text = text }
        let formerSoundLines = archive.soundLines
        if isComplete || soundLines != nil { archive.soundLines = soundLines }
        writer.progress.archive = archive
        let end: (Database) throws -> Void = { db in try self.writer.progress.end(isComplete: isComplete, db) }
        // Lines after the damage cause no fraud signals.
        if archive.soundLines == formerSoundLines { try writer.write(end) } else { try writer.change(end) }
    }

    // MARK: Batches

    /// Stores issuers of transaction receipts that were found in lines.
    package func learn(_ issuers: CertificatePool) throws(MillError) {
        guard issuers.count > 0 else { return }
        try writer.write { db in try DocumentStore.insert(issuers, db) }
    }

    /// Skips a batch of an archive of which no more lines are loaded. The documents of the batch are kept for later
    /// batches that refer to them.
    package func passOver(_ batch: VerifiedBatch) throws(MillError) {
        try learn(batch.issuers)
        writer.rows.passOver(batch)
    }

    /// Writes a batch's rows, and commits when the window is full.
    ///
    /// - Parameters:
    ///   - linesAhead: the approximate number of lines that follow; nil if unknown.
    ///   - text: the archive's text up to the end of the batch; nil if unknown.
    package func load(_ batch: VerifiedBatch, linesAhead: Int? = nil, text: ArchiveText? = nil) throws(MillError) {
        guard var archive = writer.progress.archive else {
            throw MillError(
                stage: .loading, what: "\(batch.lineCount) lines are of no archive", exitStatus: .internalFault)
        }
        try writer.change { db in
            try writer.rows.write(batch, merging: &writer.purchases, counting: &writer.progress.counts, db) {
                submission, _ in
                LineNumber.id(ofDocument: submission.document, in: archive.lineID(index: submission.line))
            }
            try writeRejections(of: batch, &archive, &writer.progress.counts)
        }
        archive.text = text
        archive.lines += Int64(batch.lineCount)
        archive.loadedLines += Int64(batch.loadedLineCount)
        archive.loadedDocuments += Int64(batch.submissions.count)
        writer.progress.archive = archive
        writer.progress.counts.lines += batch.lineCount
        writer.progress.counts.linesWithTwoAccounts += batch.linesWithTwoAccounts
        let owned = batch.submissions.count { $0.account != nil || $0.device != nil }
        writer.progress.counts.submissionsOfOwners += owned
        writer.progress.counts.submissionsOfNobody += batch.submissions.count - owned
        try writer.advance(batch.lineCount, linesAhead: linesAhead ?? .max, batch: batch.sequence)
    }

    private func writeRejections(
        of batch: VerifiedBatch, _ archive: inout LoadingArchive, _ counts: inout LoadCounts
    ) throws(MillError) {
        guard !batch.rejections.isEmpty else { return }
        let loaded = Set(batch.submissions.map(\.line))
        var last = -1
        for rejection in batch.rejections.sorted(by: { ($0.line, $0.document) < ($1.line, $1.document) }) {
            try writer.rows.write(rejection, archive: archive.id, line: archive.lines + Int64(rejection.line) + 1)
            // Limits and alarms count only what a person may correct.
            if rejection.isDismissed {
                if rejection.cause.reason.storeName != nil {
                    counts.ofOtherStores[rejection.cause.reason, default: 0] += 1
                    archive.otherStoreLines += 1
                } else if rejection.cause.reason == .tableHeader {
                    archive.headerLines += 1
                }
                continue
            }
            let documents = 1 + rejection.furtherDocuments
            archive.rejectedDocuments += Int64(documents)
            counts.rejectedDocuments += documents
            if loaded.contains(rejection.line) { counts.documentsRejectedInPart += documents }
            guard rejection.line != last else { continue }
            last = rejection.line
            try deadLetters?.insert(rejection.content, as: archive.lineID(index: rejection.line))
            if loaded.contains(rejection.line) {
                counts.linesReadInPart += 1
            } else {
                counts.rejected[rejection.cause.reason, default: 0] += 1
            }
        }
    }
}
