internal import Foundation

extension ArchiveSource {
    /// The archives that are there, in the order of loading. A path without
    /// pattern is always among them: that it is missing is told when it is opened.
    func paths() -> [String] {
        guard path.contains(where: { "*?[".contains($0) }) else { return [path] }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(path, GLOB_NOSORT, nil, &found) == 0 else { return [] }
        let paths = (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
        let files = paths.compactMap { path -> (path: String, stamp: FileStamp)? in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                return nil
            }
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
