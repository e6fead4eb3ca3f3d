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
        return found(destination + "/*", where: isMoved)
    }

    /// Whether an archive of this name, where archives are moved, could be one of these.
    func isMoved(name: String) -> Bool {
        // One whose name was taken has its digest before the name.
        let digest = name.prefix(while: \.isHexDigit)
        return matches(name: name) || digest.count == 16 && matches(name: String(name.dropFirst(digest.count + 1)))
    }

    /// The same for archives that stay where they are.
    var kept: ArchiveSource {
        var source = self
        (source.after, source.destination) = (.keep, nil)
        return source
    }

    /// Why archives that are there may not be found; nil where all were.
    func searchFault() -> MillError? {
        guard isPattern else { return nil }
        // The folder that the pattern names without a wildcard, as glob(7) reads it.
        let plain = path.prefix { !"*?[".contains($0) }
        let named = plain[..<(plain.lastIndex(of: "/").map(plain.index(after:)) ?? plain.startIndex)]
        let folder = named.isEmpty ? "." : String(named).replacing(#/\\(.)/#) { $0.1 }
        guard let opened = opendir(folder) else {
            return Self.searchFault(path, "the folder \(folder) can't be read: \(String(cString: strerror(errno)))")
        }
        closedir(opened)
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(path, GLOB_NOSORT | GLOB_ERR, nil, &found) == GLOB_ABORTED else { return nil }
        return Self.searchFault(path, "a folder below \(folder) can't be read")
    }

    private static func searchFault(_ path: String, _ what: String) -> MillError {
        MillError(
            stage: .reading, path: path, what: what, hint: "check the path, what is mounted, and the permissions",
            exitStatus: .missingInput)
    }

    var isPattern: Bool { path.contains { "*?[".contains($0) } }

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
