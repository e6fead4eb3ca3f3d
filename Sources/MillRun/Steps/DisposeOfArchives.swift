internal import DatabaseCare
internal import MillConfiguration
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// Moves and deletes this run's archives, and deletes archives that were moved long ago. This is the run's last step,
/// because no archive may be moved or deleted if any step has met a fault of the database.
struct DisposeOfArchives: RunStep {
    let pipeline: Pipeline

    func run(in context: RunContext) {
        guard !context.mustStop() else { return }
        guard let disposal = ArchiveDisposal(after: context, untrustedShare: pipeline.untrustedShareOfDeleted) else {
            let count = context.summary.durable.count
            return context.log(
                .warning,
                "no archive is moved or deleted, \(count) that are loaded included: a fault of the database was met",
                ["archives": count])
        }
        dispose(disposal, context)
        expire(disposal, context)
    }

    func plan(in context: RunContext) {
        for archive in context.archives {
            guard let content = archive.content, let source = archive.source else { continue }
            do throws(MillError) {
                try ArchiveDisposal.refuseUnmovable(archive.path, content, as: source)
            } catch {
                context.plan.add("archive \(archive.path)", to: .disposal, unless: error)
            }
        }
    }

    /// Whether further archives may be moved or deleted: not if the run was stopped or the database has failed
    /// meanwhile.
    private func mayGoOn(_ context: RunContext) -> Bool {
        !context.mustStop() && context.summary.failures.allSatisfy { $0.databaseFault == nil }
    }

    private func dispose(_ disposal: ArchiveDisposal, _ context: RunContext) {
        let found = context.archives.compactMap { archive in archive.source.map { (archive.path, $0) } }
        let sources = Dictionary(found) { first, _ in first }
        /// Disposes of one archive. If the run ends early, the next run recognises the remaining archives and disposes
        /// of them.
        func disposeOne(_ dispose: () throws(MillError) -> Void) {
            guard mayGoOn(context) else { return }
            do throws(MillError) { try dispose() } catch { context.fail(error) }
        }
        for archive in context.summary.durable {
            guard let source = sources[archive.path] else { continue }
            disposeOne { () throws(MillError) in try disposal.dispose(of: archive, as: source) }
        }
        for file in context.summary.damaged {
            guard let folder = file.folder ?? sources[file.path]?.quarantine else { continue }
            disposeOne { () throws(MillError) in try disposal.dispose(ofDamaged: file, in: folder) }
        }
    }

    /// Deletes moved archives older than `expire_days`. A file is deleted only if its content is that of an archive
    /// that was loaded completely before the cutoff, and if no rejected line exists in the file alone.
    private func expire(_ disposal: ArchiveDisposal, _ context: RunContext) {
        for source in pipeline.archives {
            guard let folder = source.destination, let days = source.expiryDays,
                let cutoff = context.clock?.cutoff(days: days),
                let opened = try? OpenFolder.own(folder, making: false)
            else { continue }
            var count = 0
            for name in opened.names() ?? [] where source.isMoved(name: name) && mayGoOn(context) {
                do throws(MillError) {
                    let path = "\(folder)/\(name)"
                    guard try expire(path, in: opened, loadedBefore: cutoff, disposal.database, context.stop) else {
                        continue
                    }
                    count += 1
                    try disposal.database.access { try context.record?.count(1, .archives, $0) }
                    disposal.noteDeletion(of: path)
                } catch {
                    context.fail(error)
                }
            }
            context.reportExpired(
                count, "archives deleted from \(folder) that were loaded \(days) days ago,", days: days, before: cutoff)
        }
    }

    /// - Returns: whether the file was deleted.
    private func expire(
        _ path: String, in folder: OpenFolder, loadedBefore time: Int64, _ database: Warehouse, _ stop: CancellationFlag
    ) throws(MillError) -> Bool {
        let name = PathParts.name(of: path)
        let names = [name, MovedName.original(of: name)].compactMap(\.self)
        guard let stamp = FileStamp(path: path) else { return false }
        let candidates = try database.archives.named(names, bytes: stamp.bytes, loadedBefore: time)
        guard !candidates.isEmpty else { return false }
        let sha256 = try InputFile(path: path, isFound: true, stop: stop).digest().sha256
        guard candidates.contains(sha256), try database.rejections.countKeptNowhere(in: sha256) == 0 else {
            return false
        }
        // The archive is the only copy of documents that another trust anchor would make trusted.
        if let share = pipeline.untrustedShareOfDeleted,
            try UntrustedArchive(sha256, allowing: share, database) != nil
        {
            return false
        }
        do throws(Errno) {
            guard try ProcessedFile(path: path, stamp: stamp, folder: folder).remove() else { return false }
        } catch {
            throw MillError(
                stage: .reading, path: path, what: "has lain long enough, but can't be deleted: \(error.text)",
                hint: "check the folder and its permissions; the next run tries again", exitStatus: .writing(error.code)
            )
        }
        return true
    }
}
