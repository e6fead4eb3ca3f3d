internal import Foundation
internal import MillConfiguration
package import MillDatabase
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Figures of a run or a backup in Prometheus' text format, for node_exporter's textfile collector.
package struct Metrics {
    private var text = ""

    /// - Parameters:
    ///   - summary: nil where the run did not come to its end.
    ///   - database: the path of the database.
    ///   - exitStatus: the status with which the process ends.
    ///   - seconds: the duration of the whole run; nil where the run did not begin.
    ///   - endedAt: seconds since 1970.
    package init(
        _ summary: RunSummary?, of database: String = "", exitStatus: Int32, seconds: Double? = nil, endedAt: Double
    ) {
        gauge("build_info", "The version of receiptmill.", "version", [(receiptMillVersion, 1)])
        gauge("run_end_timestamp_seconds", "When the run ended.", value: endedAt)
        gauge("run_exit_status", "What the run ended with; 0 is success.", value: Double(exitStatus))
        if let seconds { gauge("run_duration_seconds", "How long the run took.", value: seconds) }
        guard let summary else { return }
        gauge("run_load_seconds", "How long the load took, of the run.", value: summary.seconds)
        gauge(
            "run_archives", "Archives, by what became of them.", "state",
            [
                ("loaded", summary.archives - summary.knownArchives), ("known", summary.knownArchives),
                ("failed", summary.failedArchives), ("moved", summary.movedArchives),
                ("deleted", summary.deletedArchives), ("kept", summary.keptArchives),
            ])
        gauge("run_lines", "Lines of archives, processed by the run.", value: Double(summary.lines))
        gauge("run_submissions", "Lines that hold a readable receipt.", value: Double(summary.submissions))
        gauge(
            "run_receipts", "Receipts of those lines.", "state",
            [("new", summary.newReceipts), ("known", summary.knownReceipts)])
        gauge(
            "run_new_receipts", "New receipts by verdict.", "verdict",
            Verdict.allCases.map { ($0.rawValue, summary.verdicts[$0] ?? 0) })
        gauge("run_new_purchases", "Purchases stated for the first time.", value: Double(summary.newPurchases))
        gauge(
            "run_rejected", "Lines that hold no readable receipt, by reason.", "reason",
            RejectionReason.allCases.map { ($0.rawValue, summary.rejected[$0] ?? 0) })
        gauge(
            "run_rejected_documents", "Documents that can't be read, those of lines read in part among them.",
            value: Double(summary.rejectedDocuments))
        gauge("run_reports", "Reports written.", value: Double(summary.reports))
        gauge(
            "run_failures", "Parts of the run that failed.",
            value: Double(summary.failures.count))
        gauge(
            "run_alarms", "Alarms raised, by cause.", "cause",
            Alarm.Cause.allCases.map { cause in (cause.rawValue, summary.alarms.count { $0.cause == cause }) })
        let (bytes, logBytes) = (
            FileStamp(path: database)?.bytes, FileStamp(path: RealPath.of(database) + "-wal")?.bytes
        )
        gauge("database_bytes", "Size of the database.", value: Double(bytes ?? 0))
        gauge("database_log_bytes", "Size of its write-ahead log after the run.", value: Double(logBytes ?? 0))
    }

    /// - Parameters:
    ///   - backup: nil where no copy was made.
    ///   - exitStatus: the status with which the process ends.
    ///   - endedAt: seconds since 1970.
    package init(backup: BackupSummary?, exitStatus: Int32, seconds: Double, endedAt: Double) {
        gauge("backup_end_timestamp_seconds", "When the backup ended.", value: endedAt)
        gauge("backup_exit_status", "What the backup ended with; 0 is success.", value: Double(exitStatus))
        gauge("backup_duration_seconds", "How long the backup took.", value: seconds)
        guard let backup else { return }
        gauge("backup_bytes", "Size of the copy.", value: Double(backup.bytes))
        gauge("backup_lines", "Lines of archives whose rows the copy holds.", value: Double(backup.lines))
    }

    /// Replaces the file as a whole, so that the collector never reads half a file. The file is readable for all users,
    /// whatever the umask, because the collector runs as another user.
    package func write(to path: String) throws {
        try OutputFile.write(to: path, mode: 0o644) { descriptor in
            // A device such as /dev/null is readable for all already.
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { fchmod(descriptor, 0o644) }
            try TextOutput.write(text, to: descriptor, named: path)
        }
    }

    private mutating func gauge(_ name: String, _ help: String, value: Double) {
        gauge(name, help, samples: [" \(value)"])
    }

    /// Adds one sample for each value of a label. No label value holds a character that the format would have to
    /// escape.
    private mutating func gauge(_ name: String, _ help: String, _ label: String, _ values: [(text: String, value: Int)])
    {
        gauge(name, help, samples: values.map { "{\(label)=\"\($0.text)\"} \($0.value)" })
    }

    private mutating func gauge(_ name: String, _ help: String, samples: [String]) {
        text += "# HELP receiptmill_\(name) \(help)\n# TYPE receiptmill_\(name) gauge\n"
        for sample in samples { text += "receiptmill_\(name)\(sample)\n" }
    }
}
