internal import MillSystem
internal import ReceiptWarehouse

/// Records what the run loaded of each archive, before rows are removed for their age. A row of an archive that this run
/// loaded in several parts adds them up.
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
