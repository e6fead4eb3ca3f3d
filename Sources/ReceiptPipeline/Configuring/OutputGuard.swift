internal import Foundation

/// Refuses outputs that would replace each other, or what is read.
public struct OutputGuard {
    private var owners: [String: String] = [:]
    private var sources: [ArchiveSource] = []

    /// - Parameter database: it and the files that belong to it are protected.
    public init(database: String?) {
        guard let database else { return }
        let file = RealPath.of(database)
        for suffix in ["", "-wal", "-shm", "-journal", "-lock"] { owners[file + suffix] = "the database" }
    }

    /// - Parameter owner: what the file is, in words.
    public mutating func protect(_ path: String, as owner: String) {
        owners[RealPath.of(path)] = owner
    }

    /// Archives of the source, and those that are moved after loading.
    mutating func protect(_ source: ArchiveSource) { sources.append(source) }

    /// Sets a file aside for an output.
    ///
    /// - Throws: ``MillError`` (usage) where it is another's, or has not the ending
    ///   of its kind. What is there and no regular file is written as it stands, and
    ///   may be.
    public mutating func claim(_ path: String, as kind: OutputKind) throws(MillError) {
        let file = RealPath.of(path)
        var status = stat()
        // By its own name: what a pipe's link in /proc leads to has none.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return }
        let former =
            sources.lazy.compactMap { Self.archive($0, at: file) }.first ?? owners.updateValue(kind.owner, forKey: file)
        guard let former else {
            guard !kind.accepts(path) else { return }
            throw MillError(
                stage: .configuring, what: "\(path) does not end in \(kind.ending), as \(kind.owner) has to",
                hint: "name the file \(path)\(kind.ending), or so", exitStatus: .usage)
        }
        throw MillError(
            stage: .configuring, what: "\(path) is \(former), which would be overwritten", hint: "name another file",
            exitStatus: .usage)
    }

    /// What the file would be to the source; nil where it is nothing.
    private static func archive(_ source: ArchiveSource, at file: String) -> String? {
        let pattern = RealPath.of(source.path)
        if file == pattern || fnmatch(pattern, file, FNM_PATHNAME) == 0 { return "an archive" }
        guard let folder = source.destination, RealPath.of(folder) == (file as NSString).deletingLastPathComponent,
            source.isMoved(name: (file as NSString).lastPathComponent)
        else { return nil }
        return "an archive that was moved"
    }
}
