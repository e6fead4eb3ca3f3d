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
        let decision = try decision(on: archive.sha256, of: source)
        do {
            switch decision {
            case .stay: return nil
            case .keep(let lines): return .kept(path: archive.path, lines: lines)
            case .delete:
                try FileManager.default.removeItem(atPath: archive.path)
                return .deleted(path: archive.path)
            case .move(let folder):
                let target = Self.place(for: archive, in: folder)
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Self.move(archive.path, to: target)
                return .moved(path: archive.path, to: target)
            }
        } catch {
            throw Self.failure(
                archive.path, source,
                (error as NSError).localizedFailureReason ?? (error as NSError).localizedDescription)
        }
    }

    /// Refuses an archive that could not be moved or deleted.
    static func refuseUnmovable(_ path: String, as source: ArchiveSource) throws(MillError) {
        guard source.after != .keep else { return }
        var folders = [RealPath.ofFolder(path)]
        if let destination = source.destination {
            // What of it is there; the rest is made.
            var folder = RealPath.of(destination)
            while !FileManager.default.fileExists(atPath: folder), folder != "/" {
                folder = (folder as NSString).deletingLastPathComponent
            }
            folders.append(folder)
        }
        for folder in folders where faccessat(AT_FDCWD, folder + "/", W_OK | X_OK, AT_EACCESS) != 0 {
            throw failure(path, source, "\(folder): \(String(cString: strerror(errno)))", status: "would be")
        }
    }

    private static func failure(
        _ path: String, _ source: ArchiveSource, _ why: String, status: String = "is"
    ) -> MillError {
        MillError(
            stage: .reading, path: path,
            what: "\(status) loaded, but can't be \(source.after == .move ? "moved" : "deleted"): \(why)",
            hint: "check the permissions of the folders; the next run tries again", exitStatus: .cannotCreate)
    }

    /// Moves a file, also to another file system: there it stands under its name
    /// only when all of it is on the disk, and only then goes from here.
    private static func move(_ path: String, to target: String) throws {
        if rename(path, target) == 0 { return }
        guard errno == EXDEV else { throw CocoaError(.fileWriteUnknown, userInfo: reason) }
        OutputFile.removeLeftovers(of: target)
        let copy = OutputFile.neighbour(of: target, process: getpid())
        do {
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let descriptor = open(copy, O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            guard fsync(descriptor) == 0, rename(copy, target) == 0 else {
                throw CocoaError(.fileWriteUnknown, userInfo: reason)
            }
        } catch {
            unlink(copy)
            throw error
        }
        guard unlink(path) == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: reason) }
    }

    private static var reason: [String: Any] {
        [NSLocalizedFailureReasonErrorKey: String(cString: strerror(errno))]
    }

    /// Another archive of the same name may lie there already; it is kept. One of
    /// the same name and content, delivered again, takes the place of its copy.
    private static func place(for archive: IngestSummary.SettledArchive, in folder: String) -> String {
        let name = (archive.path as NSString).lastPathComponent
        let target = folder + "/" + name
        guard FileManager.default.fileExists(atPath: target) else { return target }
        return folder + "/" + archive.sha256.hex.prefix(16) + "-" + name
    }
}
