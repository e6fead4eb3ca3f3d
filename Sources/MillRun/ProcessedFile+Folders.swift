internal import Foundation
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

/// Moving files into the folders that a pipeline file names for them.
extension ProcessedFile {
    /// Moves a file into a folder, which is created if it is missing. The file keeps its name; if another file has that
    /// name there, the file's digest is added to the name. If a copy of the file is already there, because it was
    /// delivered again or a killed run left it, the copy stays and the file is removed.
    ///
    /// - Parameter remember: called with the new path before the file is moved, so that the new path is recorded even
    ///   if the run is killed during the move.
    /// - Returns: the new path; nil if another file has taken the file's old name meanwhile.
    /// - Throws: ``Errno``; ``MillError`` if another user may have made the folder, or the run is asked to stop; and
    ///   any error of `remember`, in which case the file is not moved.
    func move(
        to path: String, _ sha256: SHA256Digest, _ stop: CancellationFlag, remember: (String) throws -> Void = { _ in }
    ) throws -> String? {
        let folder = try OpenFolder.own(path, making: true)
        for name in Self.names(of: self.path, sha256) {
            let copy = Place(folder: folder, name: name)
            if copy.status() == nil {
                try remember("\(path)/\(name)")
                do throws(Errno) {
                    return try move(into: folder, as: name) ? "\(path)/\(name)" : nil
                } catch {
                    guard error.code == EEXIST else { throw error }
                }
            }
            guard let opened = try Self.openCopy(copy, of: self.path, sha256, stop) else { continue }
            defer { close(opened) }
            // The copy is written to the disk before the original is removed.
            guard fsync(opened) == 0 else { throw Errno() }
            try folder.sync()
            try remember("\(path)/\(name)")
            return try remove() ? "\(path)/\(name)" : nil
        }
        throw Errno(EEXIST)
    }

    /// The name that a file would get if it were moved to a folder.
    static func target(for path: String, _ sha256: SHA256Digest, in folder: String) throws(MillError) -> String {
        let names = names(of: path, sha256)
        guard let folder = try? OpenFolder.own(folder, making: false),
            case let place = Place(folder: folder, name: names[0]), place.status() != nil
        else { return names[0] }
        guard let copy = try openCopy(place, of: path, sha256, nil) else { return names[1] }
        close(copy)
        return names[0]
    }

    private static func names(of path: String, _ sha256: SHA256Digest) -> [String] {
        let name = PathParts.name(of: path)
        return [name, MovedName.beside(name, sha256.hex)]
    }
}
