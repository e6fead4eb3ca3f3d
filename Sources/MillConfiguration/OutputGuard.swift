internal import Foundation
package import MillDatabase
package import MillSystem

/// Refuses outputs that would replace each other, or what is read, and archives
/// that are something else.
package struct OutputGuard {
    private var owners: [String: String] = [:]
    private var sources: [ArchiveSource] = []

    /// - Parameter database: it and the files that belong to it are protected.
    package init(database: String?) {
        guard let database else { return }
        let file = RealPath.of(database)
        for ending in DatabaseName.endings { owners[file + ending] = "the database" }
    }

    /// - Parameter owner: what the file is, in words.
    package mutating func protect(_ path: String, as owner: String) {
        owners[RealPath.of(path)] = owner
    }

    /// Archives of the source, and those that are moved after loading.
    ///
    /// - Throws: ``MillError`` (configuration) where a protected file is among them: it
    ///   would be loaded, and moved or deleted after that.
    package mutating func protect(_ source: ArchiveSource) throws(MillError) {
        sources.append(source)
        // First by name, for files that do not exist yet; then by the targets of links.
        let taken =
            owners.keys.sorted().first { Self.archive(source, at: $0) != nil }
            ?? source.paths().lazy.map(RealPath.of).first { owners[$0] != nil }
        guard let taken, let owner = owners[taken] else { return }
        let fate = source.after == .keep ? "loaded" : "loaded and \(source.after == .move ? "moved" : "deleted")"
        throw MillError(
            stage: .configuring, what: "\(taken) is \(owner), which would be \(fate) as an archive",
            hint: "let archives lie in a folder of their own, or name them by a pattern that does not find it",
            exitStatus: .configuration)
    }

    /// Sets a file aside for an output.
    ///
    /// - Throws: ``MillError`` (usage) where it is another's, or has not the ending
    ///   of its kind. An existing file that is not a regular one, such as a pipe, may
    ///   always be written.
    package mutating func claim(_ path: String, as kind: OutputKind) throws(MillError) {
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
        guard let folder = source.destination, RealPath.of(folder) == PathParts.folder(of: file),
            source.isMoved(name: PathParts.name(of: file))
        else { return nil }
        return "an archive that was moved"
    }
}
