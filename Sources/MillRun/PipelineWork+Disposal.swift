internal import DatabaseCare
internal import Foundation
internal import MillConfiguration
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// What becomes of archives at the end of a run.
extension PipelineWork {
    /// Moves and deletes archives, this run's and those that were moved long ago. Where a stage met a fault of the
    /// database, none.
    func giveAway(_ archives: [PipelineRun.Archive], clock: RunClock, _ database: Warehouse) {
        guard !isStopped() else { return }
        guard let release = ArchiveRelease(of: summary, in: database) else {
            return onEvent(.withheld(archives: summary.ingest.durable.count))
        }
        dispose(archives, release)
        expire(release, clock)
    }

    /// Whether more may be given away: not where the run was stopped, nor where the database failed meanwhile.
    private func mayGoOn() -> Bool {
        !isStopped() && summary.allFailures.allSatisfy { $0.databaseFault == nil }
    }

    private func dispose(_ archives: [PipelineRun.Archive], _ release: ArchiveRelease) {
        let disposal = ArchiveDisposal(release, untrustedShare: pipeline.untrustedShareOfDeleted, stop: stop)
        let sources = Dictionary(archives.map { ($0.path, $0.source) }) { first, _ in first }
        for archive in release.durable {
            // The next run finds the rest known, and goes on.
            guard mayGoOn() else { return }
            guard let source = sources[archive.path] else { continue }
            do throws(MillError) {
                guard let event = try disposal.dispose(of: archive, as: source) else { continue }
                switch event {
                case .moved: summary.movedArchives += 1
                case .deleted: summary.deletedArchives += 1
                case .refused(let fault, _?): summary.failures.append(fault)
                default: summary.keptArchives += 1
                }
                onEvent(event)
            } catch {
                fail(error)
            }
        }
        for archive in release.damaged {
            guard mayGoOn(), let source = sources[archive.path] else { continue }
            do throws(MillError) {
                if let event = try disposal.quarantine(archive, as: source) { onEvent(event) }
            } catch {
                fail(error)
            }
        }
    }

    /// Deletes archives that were moved and have lain long enough. A file goes only where its content is that of an
    /// archive that was loaded whole so long ago, and of which no rejected line stands there alone.
    private func expire(_ release: ArchiveRelease, _ clock: RunClock) {
        for source in pipeline.archives {
            guard let folder = source.destination, let days = source.expiryDays, let cutoff = clock.cutoff(days: days)
            else { continue }
            var count = 0
            for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
            where source.isMoved(name: name) && mayGoOn() {
                do throws(MillError) {
                    if try expire("\(folder)/\(name)", loadedBefore: cutoff, release.database) { count += 1 }
                } catch {
                    fail(error)
                }
            }
            guard count > 0 else { continue }
            onEvent(.aged(Aged(kind: .archives(folder: folder), count: count, days: days, before: cutoff)))
        }
    }

    /// - Returns: whether it was deleted.
    private func expire(_ path: String, loadedBefore time: Int64, _ database: Warehouse) throws(MillError) -> Bool {
        let name = PathParts.name(of: path)
        let names = [name, MovedName.original(of: name)].compactMap(\.self)
        guard let stamp = FileStamp(path: path) else { return false }
        let candidates = try database.archives.named(names, bytes: stamp.bytes, loadedBefore: time)
        guard !candidates.isEmpty else { return false }
        let sha256 = try InputFile(path: path, isFound: true, stop: stop).digest().sha256
        guard candidates.contains(sha256), try database.rejections.countKeptNowhere(in: sha256) == 0 else {
            return false
        }
        // Of what another anchor would make trusted the archive is the only copy.
        if let share = pipeline.untrustedShareOfDeleted,
            try UntrustedArchive(sha256, allowing: share, database) != nil
        {
            return false
        }
        do throws(Errno) {
            guard try ProcessedFile(path: path, stamp: stamp).remove() else { return false }
        } catch {
            throw MillError(
                stage: .reading, path: path, what: "has lain long enough, but can't be deleted: \(error.text)",
                hint: "check the folder and its permissions; the next run tries again", exitStatus: .writing(error.code)
            )
        }
        summary.deletedArchives += 1
        onEvent(.deleted(path: path))
        return true
    }
}
