internal import Foundation
internal import ReceiptTrust

/// What becomes of archives after loading.
///
/// An archive is moved or deleted only when the disk holds its every line, and
/// only while the file is the one that was read. It is deleted only if nothing
/// of it is lost: a rejected line that the database does not keep is in the
/// archive alone.
struct ArchiveDisposal {
    enum Outcome: Sendable, Hashable {
        case moved(path: String, to: String)
        case deleted(path: String)
        /// It was to be deleted, and holds rejected lines that would be lost.
        case kept(path: String, lines: Int)
    }

    /// What is to become of an archive whose every line is in the database.
    enum Decision: Sendable, Hashable {
        case stay
        case move(to: String)
        case delete
        /// To be deleted, were it not for rejected lines that would be lost.
        case keep(lines: Int)
    }

    let warehouse: Warehouse

    func decision(on sha256: SHA256Digest, of source: ArchiveSource) throws(MillError) -> Decision {
        guard source.after != .keep, try warehouse.isComplete(sha256) else { return .stay }
        if source.after == .move, let folder = source.destination { return .move(to: folder) }
        let lines = try warehouse.unkeptRejections(of: sha256)
        return lines == 0 ? .delete : .keep(lines: lines)
    }

    /// - Returns: nil where the archive stays.
    func dispose(
        of archive: IngestSummary.SettledArchive, as source: ArchiveSource
    ) throws(MillError) -> Outcome? {
        guard FileStamp(path: archive.path) == archive.stamp else { return nil }
        let file = SettledFile(path: archive.path, stamp: archive.stamp)
        let decision = try decision(on: archive.sha256, of: source)
        do throws(SystemFault) {
            switch decision {
            case .stay: return nil
            case .keep(let lines): return .kept(path: archive.path, lines: lines)
            case .delete: return try file.remove() ? .deleted(path: archive.path) : nil
            case .move(let folder):
                let target = Self.place(for: archive.path, archive.sha256, in: folder)
                try Self.makeFolder(folder)
                return try file.move(to: target) ? .moved(path: archive.path, to: target) : nil
            }
        } catch {
            throw Self.failure(archive.path, source, String(cString: strerror(error.code)), .writing(error.code))
        }
    }

    /// Refuses an archive that could not be moved or deleted.
    static func refuseUnmovable(
        _ path: String, _ sha256: SHA256Digest, as source: ArchiveSource
    ) throws(MillError) {
        guard source.after != .keep else { return }
        var changes = [(folder: RealPath.ofFolder(path), name: (path as NSString).lastPathComponent)]
        if let folder = source.destination {
            changes.append((folder, (place(for: path, sha256, in: folder) as NSString).lastPathComponent))
        }
        for (folder, name) in changes {
            guard let fault = FolderAccess.fault(making: name, in: folder) else { continue }
            let what = String(cString: strerror(fault))
            throw failure(path, source, "\(folder): \(what)", .writing(fault), "would be")
        }
    }

    private static func failure(
        _ path: String, _ source: ArchiveSource, _ why: String, _ status: ExitStatus, _ verb: String = "is"
    ) -> MillError {
        MillError(
            stage: .reading, path: path,
            what: "\(verb) loaded, but can't be \(source.after == .move ? "moved" : "deleted"): \(why)",
            hint: status == .ioError
                ? "check the disk and the space left on it; the next run tries again"
                : "check names, folders and their permissions; the next run tries again", exitStatus: status)
    }

    private static func makeFolder(_ path: String) throws(SystemFault) {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        let parent = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != path else { throw SystemFault() }
        try makeFolder(parent)
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemFault() }
    }

    /// Another archive of the same name may lie there already; it is kept. One of
    /// the same name and content, delivered again, takes the place of its copy.
    private static func place(for path: String, _ sha256: SHA256Digest, in folder: String) -> String {
        let name = (path as NSString).lastPathComponent
        let target = folder + "/" + name
        var status = stat()
        guard lstat(target, &status) == 0 else { return target }
        return folder + "/" + MovedName.beside(name, sha256)
    }
}
