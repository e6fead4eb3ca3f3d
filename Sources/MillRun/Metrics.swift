internal import Foundation
internal import MillConfiguration
package import MillDatabase
package import MillStatus
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Figures of a run or a backup in Prometheus' text format, for node_exporter's textfile collector.
package struct Metrics {
    private var gauges = GaugeText()

    /// - Parameters:
    ///   - summary: nil if the run did not reach its end.
    ///   - database: the path of the database.
    ///   - exitStatus: the status with which the process ends.
    ///   - seconds: the duration of the whole run; nil if the run did not begin.
    ///   - endedAt: seconds since 1970.
    ///   - standing: the state of the mill after the run; nil if the run did not begin.
    package init(
        _ summary: RunSummary?, of database: String = "", exitStatus: Int32, seconds: Double? = nil, endedAt: Double,
        standing: OperatorStatus? = nil
    ) {
        defer { standing?.addGauges(to: &gauges) }
        gauges.add("build_info", "The version of receiptmill.", "version", [(receiptMillVersion, 1)])
        gauges.add("run_end_timestamp_seconds", "When the run ended.", value: endedAt)
        gauges.add("run_exit_status", "What the run ended with; 0 is success.", value: Double(exitStatus))
        if let seconds { gauges.add("run_duration_seconds", "How long the run took.", value: seconds) }
        guard let summary else { return }
        gauges.add("run_load_seconds", "How long the load took, of the run.", value: summary.seconds)
        gauges.add(
            "run_archives", "Archives, by what became of them.", "state",
            [
                ("loaded", summary.archives - summary.knownArchives), ("known", summary.knownArchives),
                ("failed", summary.failedArchives), ("moved", summary.movedArchives),
                ("deleted", summary.deletedArchives), ("kept", summary.keptArchives),
            ])
        gauges.add("run_lines", "Lines of archives, processed by the run.", value: Double(summary.lines))
        gauges.add("run_submissions", "Lines that hold a readable receipt.", value: Double(summary.submissions))
        gauges.add(
            "run_receipts", "Receipts of those lines.", "state",
            [("new", summary.newReceipts), ("known", summary.knownReceipts)])
        gauges.add(
            "run_new_receipts", "New receipts by verdict.", "verdict",
            Verdict.allCases.map { ($0.rawValue, summary.verdicts[$0] ?? 0) })
        gauges.add("run_new_purchases", "Purchases stated for the first time.", value: Double(summary.newPurchases))
        gauges.add(
            "run_rejected", "Lines that hold no readable receipt, by reason.", "reason",
            RejectionReason.allCases.filter { !$0.isDismissed }.map { ($0.rawValue, summary.rejected[$0] ?? 0) })
        gauges.add(
            "run_other_stores", "Lines about purchases of other stores, by store.", "store",
            RejectionReason.allCases.filter { $0.storeName != nil }.map {
                ($0.rawValue, summary.ofOtherStores[$0] ?? 0)
            })
        gauges.add(
            "run_rejected_documents", "Documents that can't be read, those of lines read in part among them.",
            value: Double(summary.rejectedDocuments))
        gauges.add("run_reports", "Reports written.", value: Double(summary.reports))
        gauges.add(
            "run_failures", "Parts of the run that failed.",
            value: Double(summary.failures.count))
        gauges.add(
            "run_alarms", "Alarms raised, by cause.", "cause",
            Alarm.Cause.allCases.map { cause in (cause.rawValue, summary.alarms.count { $0.cause == cause }) })
        let (bytes, logBytes) = (
            FileStamp(path: database)?.bytes, FileStamp(path: RealPath.of(database) + "-wal")?.bytes
        )
        gauges.add("database_bytes", "Size of the database.", value: Double(bytes ?? 0))
        gauges.add("database_log_bytes", "Size of its write-ahead log after the run.", value: Double(logBytes ?? 0))
    }

    /// - Parameters:
    ///   - backup: nil if no copy was made.
    ///   - exitStatus: the status with which the process ends.
    ///   - endedAt: seconds since 1970.
    package init(backup: BackupSummary?, exitStatus: Int32, seconds: Double, endedAt: Double) {
        gauges.add("backup_end_timestamp_seconds", "When the backup ended.", value: endedAt)
        gauges.add("backup_exit_status", "What the backup ended with; 0 is success.", value: Double(exitStatus))
        gauges.add("backup_duration_seconds", "How long the backup took.", value: seconds)
        guard let backup else { return }
        gauges.add("backup_bytes", "Size of the copy.", value: Double(backup.bytes))
        gauges.add("backup_lines", "Lines of archives whose rows the copy holds.", value: Double(backup.lines))
    }

    /// Replaces the file as a whole, so that the collector never reads half a file. The file is readable for all users,
    /// whatever the umask, because the collector runs as another user.
    package func write(to path: String) throws {
        try OutputFile.write(to: path, mode: 0o644) { descriptor in
            // A device such as /dev/null is already readable for all.
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { fchmod(descriptor, 0o644) }
            try TextOutput.write(gauges.text, to: descriptor, named: path)
        }
    }
}
