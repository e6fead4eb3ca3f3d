internal import Foundation
internal import MillConfiguration
internal import MillSystem

/// The folders where an entry of `archives` finds its archives: two entries may
/// find files of the same name, in folders of their own.
struct ArchiveFolders {
    private let source: ArchiveSource
    /// Folders that exist now, and a pattern for folders that have been removed since.
    private let folders: Set<String>
    private let pattern: String

    init(of source: ArchiveSource) {
        self.source = source
        pattern = RealPath.ofFolder(source.path)
        let folder = PathParts.folder(of: source.path)
        folders = source.isPattern ? Set(ArchiveSource.glob(folder).map(RealPath.of)) : [pattern]
    }

    /// - Parameter folder: an absolute path without symbolic links.
    func contain(folder: String, name: String) -> Bool {
        guard source.isPattern else { return folder == pattern && name == PathParts.name(of: source.path) }
        return source.matches(name: name)
            && (folders.contains(folder) || fnmatch(pattern, folder, FNM_PATHNAME | FNM_PERIOD) == 0)
    }
}
