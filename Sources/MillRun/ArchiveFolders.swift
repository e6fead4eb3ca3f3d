internal import Foundation
internal import MillConfiguration
internal import MillSystem

/// The folders in which an entry of the pipeline file's `archives` finds its archives. Two entries may find files of
/// the same name in different folders.
struct ArchiveFolders {
    private let source: ArchiveSource
    /// Folders that exist now, and a pattern for folders that were removed since.
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
