internal import Foundation
internal import MillDatabase
package import MillSystem

/// Refuses outputs that would replace each other or an input file, and archive patterns that match a file with another
/// purpose.
package struct OutputGuard {
    private var owners: [String: String] = [:]
    private var sources: [ArchiveSource] = []

    /// - Parameter database: the database to be protected, with SQLite's files beside it.
    package init(database: String?) {
        guard let database else { return }
        let file = RealPath.of(database)
        for ending in DatabaseName.endings { owners[file + ending] = "the database" }
    }

    /// - Parameter owner: what the file is, in words such as "the price list".
    package mutating func protect(_ path: String, as owner: String) {
        owners[RealPath.of(path)] = owner
    }

    /// Protects the archives of a source, also under their names in the folder of moved archives.
    ///
    /// - Throws: ``MillError`` (configuration) if a protected file is among the archives: it would be loaded, and then
    ///   moved or deleted.
    package mutating func protect(_ source: ArchiveSource) throws(MillError) {
        sources.append(source)
        // Names are compared first, because a file may not exist yet; then the targets of links are compared.
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

    /// Protects the App Store report files that a source finds.
    ///
    /// - Throws: ``MillError`` (configuration) if one of them is another protected file, or is also an archive, which
    ///   would be loaded as one and may be moved away.
    package mutating func protect(reportsOf source: ArchiveSource) throws(MillError) {
        let paths = source.paths().map(RealPath.of)
        for path in paths {
            guard let owner = sources.compactMap({ Self.archive($0, at: path) }).first ?? owners[path] else { continue }
            throw MillError(
                stage: .configuring,
                what: "\(path) is \(owner), and would also be loaded as a report file of the store",
                hint: "let report files lie in a folder of their own", exitStatus: .configuration)
        }
        for path in paths { owners[path] = "a report file of the store" }
    }

    /// Reserves a file for an output.
    ///
    /// - Throws: ``MillError`` (usage) if the file has another purpose, or lacks the ending of its kind. An existing
    ///   file that is not a regular one, such as a pipe, may always be written.
    package mutating func claim(_ path: String, as kind: OutputKind) throws(MillError) {
        let file = RealPath.of(path)
        var status = stat()
        // The path is examined instead of the resolved file, because the target of a pipe's link in /proc has no name.
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

    /// What a file is, in words, if the source would find it or has moved it; nil for any other file.
    private static func archive(_ source: ArchiveSource, at file: String) -> String? {
        let pattern = RealPath.of(source.path)
        if file == pattern || fnmatch(pattern, file, FNM_PATHNAME) == 0 { return "an archive" }
        guard let folder = source.destination, RealPath.of(folder) == PathParts.folder(of: file),
            source.isMoved(name: PathParts.name(of: file)), OpenFolder.fault(of: folder) == nil
        else { return nil }
        return "an archive that was moved"
    }
}

/// A file that a command writes beside the database.
package struct OutputKind: Sendable {
    /// What the file is, in words, for the error if another output would replace it.
    package let owner: String
    /// The ending of the file's name: node_exporter reads no other files, browsers recognise a page by its ending, and
    /// a compressed file should be recognisable.
    package let ending: String

    package static let report = OutputKind(owner: "another report", ending: "")
    package static let schema = OutputKind(owner: "the schema", ending: "")
    package static let dashboard = OutputKind(owner: "the dashboard", ending: ".html")
    package static let metrics = OutputKind(owner: "the metrics", ending: ".prom")
    package static let deadLetters = OutputKind(owner: "the dead letters", ending: ".gz")

    /// Whether a path has the ending, or is an output of this process, such as /dev/stdout, which may be a file of any
    /// name.
    package func accepts(_ path: String) -> Bool {
        path.hasSuffix(ending) || path == "/dev/stdout" || path.hasPrefix("/dev/fd/")
    }
}
