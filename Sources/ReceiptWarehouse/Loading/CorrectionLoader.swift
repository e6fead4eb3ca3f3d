internal import GRDB
package import MillSystem
package import ReceiptVerification

/// Loads corrected lines in place of rejected ones, between two archives.
package struct CorrectionLoader {
    package let writer: WarehouseWriter

    package init(_ writer: WarehouseWriter) { self.writer = writer }

    /// Writes a batch of corrected lines.
    ///
    /// A document that is already a submission of its line is left unchanged; any other readable document becomes one.
    /// The line's faults replace its open rejections. A line without a readable document changes nothing, unless the
    /// lines are those that were rejected: then its open rejections get the reason why it can't be read now.
    ///
    /// - Parameters:
    ///   - ids: the identifiers of the lines.
    ///   - isAsRejected: whether the lines are read again as they were, and were not corrected by a person.
    /// - Returns: the number of applied lines: lines with a new submission, and lines without faults.
    package func load(
        _ batch: VerifiedBatch, as ids: [Int64], isAsRejected: Bool
    ) throws(MillError) -> Int {
        var (read, applied) = (0, 0)
        try writer.change { db in
            var lines: [Int: CorrectedLine] = [:]
            // The refresh recognises new lines by the archive's number of lines, and could not recognise these.
            var late: [Int64] = []
            for submission in batch.submissions where lines[submission.line] == nil {
                lines[submission.line] = try CorrectedLine(ids[submission.line], db)
            }
            try writer.rows.write(batch, merging: &writer.purchases, counting: &writer.progress.counts, db) {
                submission, receipt in
                let id = lines[submission.line]?.submit(receipt, as: submission.document)
                if let id { late.append(id) }
                return id
            }
            let note = try db.cachedStatement(sql: "INSERT OR IGNORE INTO late_submission (submission_id) VALUES (?)")
            for id in late { try note.execute(arguments: [id]) }
            for (index, line) in lines {
                let faults = batch.rejections.filter { $0.line == index }
                try line.replaceRejections(by: faults, db)
                if !line.wasLoaded { try ArchiveStore.countLoaded(ids[index], db) }
                read += 1
                if line.isLoaded || faults.isEmpty { applied += 1 }
            }
            guard isAsRejected else { return }
            for fault in batch.rejections where lines[fault.line] == nil && !fault.isDismissed {
                try CorrectedLine(ids[fault.line], db).restate(fault, db)
            }
        }
        writer.progress.counts.lines += read
        writer.progress.counts.correctionsApplied += applied
        try writer.advance(read, batch: batch.sequence)
        return applied
    }
}
