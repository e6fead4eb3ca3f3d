internal import Foundation
internal import MillConfiguration
package import MillSystem
internal import ReceiptArchive

/// The files in the folders of one `archives` entry. They are not read: an archive is recognised by its name and
/// length.
package struct SpoolStatus: Sendable {
    package let pattern: String
    /// Why existing archives might not be found: a folder that is absent or can't be read, or a link of another user.
    package let faults: [MillError]
    /// Archives that are not completely in the database.
    package private(set) var waiting = FileCount()
    /// Those of the waiting archives that already existed when the last run began.
    package private(set) var missed = FileCount()
    package private(set) var loaded = FileCount()
    package let damagedFolder: String?
    /// Files in `damaged_to` for which no later archive of the same name was loaded completely.
    package private(set) var damaged = FileCount()
    /// Files in `damaged_to` for which a later archive of the same name was loaded completely.
    package private(set) var replaced = FileCount()
    package let movedFolder: String?
    /// Files in `move_to` that the database does not know.
    package private(set) var unknownMoved = FileCount()

    /// - Parameters:
    ///   - source: the entry.
    ///   - moved: real paths of all folders to which archives are moved.
    ///   - letters: the pipeline's dead-letter file, which is not an archive.
    ///   - lastRun: when the last run began, in milliseconds since 1970; nil if none did.
    ///   - known: looks up whether the database has a file; nil if the database can't be read, in which case no file
    ///     counts as known.
    init(
        _ source: ArchiveSource, outside moved: Set<String>, letters: String?, lastRun: Int64?, known: KnownFiles?
    ) throws {
        (pattern, damagedFolder, movedFolder) = (source.path, source.quarantine, source.destination)
        faults = source.searchFaults()
        for path in source.paths(outside: moved) where letters.map({ RealPath.of(path) == $0 }) != true {
            guard let file = SpoolFile(path) else { continue }
            let wasThere = lastRun.map { file.arrivedAt < $0 } ?? false
            if try known?.holds(name: file.name, bytes: file.bytes) == true {
                loaded.add(file)
            } else if wasThere, try known?.isLetters(file) == true {
                loaded.add(file)
            } else {
                waiting.add(file)
                if wasThere { missed.add(file) }
            }
        }
        for file in Self.files(in: source.quarantine) {
            let original = MovedName.original(of: file.name) ?? file.name
            if try known?.holds(name: original, completedAfter: file.arrivedAt) == true {
                replaced.add(file)
            } else {
                damaged.add(file)
            }
        }
        guard let known else { return }
        for file in Self.files(in: source.destination) where source.isMoved(name: file.name) {
            if try !known.holdsMoved(file) { unknownMoved.add(file) }
        }
    }

    static func files(in folder: String?) -> [SpoolFile] {
        guard let folder, let names = (try? OpenFolder.own(folder, making: false))?.names() else { return [] }
        return names.filter { !$0.hasPrefix(".") }.compactMap { SpoolFile("\(folder)/\($0)") }
    }
}

/// A file in a folder of archives.
struct SpoolFile {
    let path: String
    let bytes: Int64
    let writtenSeconds: Int
    /// When the file got its name, in milliseconds since 1970. The time at which it was written may be the sender's.
    let arrivedAt: Int64

    var name: String { PathParts.name(of: path) }

    /// Nil if there is no regular file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        (bytes, writtenSeconds) = (Int64(status.st_size), status.st_mtim.tv_sec)
        arrivedAt = Int64(status.st_ctim.tv_sec) * 1000 + Int64(status.st_ctim.tv_nsec) / 1_000_000
    }
}

/// The number of files, their total length, and the first of them.
package struct FileCount: Sendable, Hashable {
    package private(set) var files = 0
    package private(set) var bytes: Int64 = 0
    /// When the first file arrived, in milliseconds since 1970.
    package private(set) var since: Int64?
    /// Names of some files.
    package private(set) var names: [String] = []
    static let maximumNames = 3

    mutating func add(_ file: SpoolFile) {
        files += 1
        bytes += file.bytes
        since = min(since ?? file.arrivedAt, file.arrivedAt)
        if names.count < Self.maximumNames { names.append(file.name) }
    }

    mutating func add(_ other: FileCount) {
        files += other.files
        bytes += other.bytes
        since = [since, other.since].compactMap(\.self).min()
        names = Array((names + other.names).prefix(Self.maximumNames))
    }

    /// Names of some files, and the number of the others.
    var named: String {
        names.joined(separator: ", ") + (files > names.count ? " and \(files - names.count) more" : "")
    }
}
