internal import GRDB
internal import MillConfiguration
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptWarehouse

/// The alarm on a run in which too many lines hold a document that is not trusted.
struct UntrustedLines {
    private(set) var alarm: Alarm?

    /// Counts the lines with a document that is not trusted, unless their share is certain to be small. They have to be
    /// counted before submissions are removed because of their age.
    init(of summary: RunSummary, allowing share: Double, _ database: Warehouse) throws(MillError) {
        guard share < 1 else { return }
        let archives = try ArchiveLoad.reviewed(by: summary, database)
        let lines = archives.reduce(0) { $0 + $1.lines.count - $1.rejectedLines }
        guard lines > 0, !Self.areTrusted(summary, archives, allowing: share) else { return }
        var untrusted: [(name: String, count: Int)] = []
        for archive in archives where archive.lines.count > archive.rejectedLines {
            untrusted.append(
                (archive.path, try database.documents.untrustedLines(ofArchive: archive.id, in: archive.lines)))
        }
        let count = untrusted.reduce(0) { $0 + $1.count }
        guard Double(count) > share * Double(lines) else { return }
        alarm = Alarm(
            cause: .tooManyUntrusted,
            message: "\(count) of \(lines) lines that hold a document hold one that is not trusted, more than "
                + "untrusted_share \(share) allows\(ArchiveLoad.named(untrusted))",
            hint: "SELECT verdict, count(*), min(verdict_detail) FROM receipts GROUP BY verdict; where an anchor is "
                + "missing, correct `trust` and receiptmill regrade, for which keep_receipts has to be true; else "
                + "receiptmill retract the archives and load them again")
    }

    /// Whether the counts of the load prove that the share is small, without a query. This is the case if each line
    /// holds one document: then every new trusted document belongs to a line without an untrusted one.
    private static func areTrusted(
        _ summary: RunSummary, _ archives: [ArchiveLoad], allowing share: Double
    ) -> Bool {
        let lines = archives.reduce(0) { $0 + $1.lines.count - $1.rejectedLines }
        guard archives.count == summary.loads.count, summary.counts.submissions == lines else { return false }
        let trusted = (summary.counts.verdicts[.trusted] ?? 0) - summary.counts.parts
        return Double(lines - trusted) <= share * Double(lines)
    }
}

/// An archive in which more lines than allowed hold a document that is not trusted. If a trust anchor is missing, all
/// lines do. Unless receipts are kept, the archive is then the only copy of documents that the missing anchor would
/// make trusted.
struct UntrustedArchive {
    let lines: Int
    let untrusted: Int

    /// Nil if the share of lines with an untrusted document is allowed.
    init?(_ sha256: SHA256Digest, allowing share: Double, _ database: Warehouse) throws(MillError) {
        guard let id = try database.archives.archive(of: sha256)?.id,
            let (all, loaded) = try database.access({ db in
                try Row.fetchOne(
                    db.cachedStatement(sql: "SELECT lines, loaded_lines FROM archive WHERE archive_id = ?"),
                    arguments: [id]
                ).map { ($0[0] as Int64, $0[1] as Int) }
            }), loaded > 0
        else { return nil }
        untrusted = try database.documents.untrustedLines(ofArchive: id, in: 1...all)
        lines = loaded
        guard Double(untrusted) > share * Double(lines) else { return nil }
    }

    func fault(at path: String) -> MillError {
        MillError(
            stage: .reading, path: path,
            what:
                "holds the only copy of documents that are not trusted, in \(untrusted) of its \(lines) lines, and is not deleted",
            hint:
                "where an anchor is missing, correct `trust`, retract the archive and load it again; with keep_receipts "
                + "regrade does that; else raise untrusted_share, or remove the archive",
            exitStatus: .badData)
    }
}

extension Pipeline {
    /// The maximum share of lines with an untrusted document up to which an archive may be deleted; if nil, any share
    /// is allowed.
    var untrustedShareOfDeleted: Double? { keepsReceipts || alarms.untrustedShare >= 1 ? nil : alarms.untrustedShare }
}
