internal import Foundation
internal import MillConfiguration
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// Archives that were moved and have lain long enough.
extension PipelineWork {
    /// Deletes them. A file goes only where its content is that of an archive that was loaded whole so
    /// long ago, and of which no rejected line stands there alone.
    func expire(_ database: LoadDatabase) {
        for source in pipeline.archives {
            guard let folder = source.destination, let days = source.expiryDays else { continue }
            let time = LoadProgress.now - Int64(days) * 86_400_000
            for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
            where source.isMoved(name: name) {
                guard !isStopped() else { return }
                do throws(MillError) {
                    try expire("\(folder)/\(name)", loadedBefore: time, database)
                } catch {
                    fail(error)
                }
            }
        }
    }

    private func expire(_ path: String, loadedBefore time: Int64, _ database: LoadDatabase) throws(MillError) {
        let name = PathParts.name(of: path)
        let names = [name, MovedName.original(of: name)].compactMap(\.self)
        guard let stamp = FileStamp(path: path) else { return }
        let candidates = try database.archives(named: names, bytes: stamp.bytes, loadedBefore: time)
        guard !candidates.isEmpty else { return }
        let sha256 = try InputFile(path: path, isFound: true, stop: stop).digest().sha256
        guard candidates.contains(sha256), try database.rejectionsKeptNowhere(in: sha256) == 0 else { return }
        do throws(Errno) {
            guard try ProcessedFile(path: path, stamp: stamp).remove() else { return }
        } catch {
            throw MillError(
                stage: .reading, path: path, what: "has lain long enough, but can't be deleted: \(error.text)",
                hint: "check the folder and its permissions; the next run tries again", exitStatus: .writing(error.code)
            )
        }
        summary.deletedArchives += 1
        onEvent(.deleted(path: path))
    }
}
