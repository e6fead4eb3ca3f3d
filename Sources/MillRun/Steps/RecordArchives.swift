internal import MillSystem
internal import ReceiptWarehouse

/// Records how much of each archive the run loaded, before rows are removed because of their age. If this run loaded an
/// archive in several parts, one row has their sum.
struct RecordArchives: RunStep {
    func run(in context: RunContext) throws(MillError) {
        guard let record = context.record else { return }
        let hasUntrusted = try context.database.documents.hasUntrusted()
        for load in context.summary.loads {
            let untrusted =
                hasUntrusted ? try context.database.documents.untrustedLines(ofArchive: load.id, in: load.lines) : 0
            try record.add(
                archive: load.id, named: PathParts.name(of: load.path),
                lines: (load.lines.count, load.rejectedLines, untrusted), context.database)
        }
    }
}
