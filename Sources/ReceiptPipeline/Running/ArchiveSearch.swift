internal import Foundation

extension ArchiveSource {
    /// The archives that are there, in the order of loading. A path without
    /// pattern is always among them: that it is missing is told when it is opened.
    func paths() -> [String] {
        isPattern ? found(path) { _ in true } : [path]
    }

    /// Archives that earlier runs have moved, in the order of loading.
    func movedPaths() -> [String] {
        guard after == .move, let destination else { return [] }
        return found(destination + "/*") { name in
            // One whose name was taken has its digest before the name.
            let digest = name.prefix(while: \.isHexDigit)
            return matches(name: name)
                || digest.count == 16 && matches(name: String(name.dropFirst(digest.count + 1)))
        }
    }

    /// The same for archives that stay where they are.
    var kept: ArchiveSource {
        var source = self
        (source.after, source.destination) = (.keep, nil)
        return source
    }

    private var isPattern: Bool { path.contains { "*?[".contains($0) } }

    private func found(_ pattern: String, where isWanted: (String) -> Bool) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, GLOB_NOSORT, nil, &found) == 0 else { return [] }
        let paths = (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
        let files = paths.compactMap { path -> (path: String, stamp: FileStamp)? in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                isWanted((path as NSString).lastPathComponent)
            else { return nil }
            return FileStamp(path: path).map { (path, $0) }
        }
        let sorted =
            switch order {
            case .name: files.sorted { $0.path < $1.path }
            case .modified:
                files.sorted {
                    ($0.stamp.writtenSeconds, $0.stamp.writtenNanoseconds, $0.path)
                        < ($1.stamp.writtenSeconds, $1.stamp.writtenNanoseconds, $1.path)
                }
            }
        return sorted.map(\.path)
    }

    /// Whether an archive of this name, without its folder, could be one of these.
    func matches(name: String) -> Bool {
        fnmatch((path as NSString).lastPathComponent, name, 0) == 0
    }
}
