internal import Foundation
internal import ReceiptTrust

/// What becomes of archives after loading.
///
/// An archive is moved or deleted only when the disk holds its every line, and
/// only if the file is still the one that was read. It is deleted only if nothing
/// of it is lost: a rejected line that the database does not keep is in the
/// archive alone.
struct ArchiveDisposal {
    enum Outcome: Sendable, Hashable {
        case moved(path: String, to: String)
        case deleted(path: String)
        /// It was to be deleted, and holds rejected lines that would be lost.
        case kept(path: String, lines: Int)
    }

    let warehouse: Warehouse

    /// - Returns: nil where the archive stays.
    func dispose(
        of archive: IngestSummary.SettledArchive, as source: ArchiveSource
    ) throws(MillError) -> Outcome? {
        guard source.after != .keep, FileStamp(path: archive.path) == archive.stamp,
            try warehouse.isComplete(archive.sha256)
        else { return nil }
        do {
            guard source.after == .move, let folder = source.destination else {
                let lines = try warehouse.unkeptRejections(of: archive.sha256)
                guard lines == 0 else { return .kept(path: archive.path, lines: lines) }
                try FileManager.default.removeItem(atPath: archive.path)
                return .deleted(path: archive.path)
            }
            let target = Self.place(for: archive, in: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: archive.path, toPath: target)
            return .moved(path: archive.path, to: target)
        } catch let error as MillError {
            throw error
        } catch {
            throw MillError(
                stage: .reading, path: archive.path,
                what: "is loaded, but can't be \(source.after == .move ? "moved" : "deleted"): "
                    + ((error as NSError).localizedFailureReason ?? (error as NSError).localizedDescription),
                hint: "check the permissions of the folders; the next run tries again", exitStatus: .cannotCreate)
        }
    }

    /// Another archive of the same name may lie there already; it is kept.
    private static func place(for archive: IngestSummary.SettledArchive, in folder: String) -> String {
        let name = (archive.path as NSString).lastPathComponent
        let target = folder + "/" + name
        guard FileManager.default.fileExists(atPath: target) else { return target }
        return folder + "/" + archive.sha256.hex.prefix(16) + "-" + name
    }
}
