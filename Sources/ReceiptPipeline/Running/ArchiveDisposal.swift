internal import Foundation
internal import ReceiptTrust

/// What becomes of archives after loading.
///
/// An archive is moved or deleted only when the disk holds its every line, and
/// only if the file is still the one that was read.
struct ArchiveDisposal {
    enum Outcome: Sendable, Hashable {
        case moved(path: String, to: String)
        case deleted(path: String)
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
                try FileManager.default.removeItem(atPath: archive.path)
                return .deleted(path: archive.path)
            }
            let target = Self.place(for: archive, in: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: archive.path, toPath: target)
            return .moved(path: archive.path, to: target)
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
