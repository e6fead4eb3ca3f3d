internal import Foundation

/// The canonical name of a file.
package enum RealPath {
    /// The canonical absolute path; components that don't exist are appended unchanged.
    package static func of(_ path: String) -> String { resolved(path, links: maximumLinks) }

    /// The canonical path of the folder that contains a file, or the files of a pattern.
    package static func ofFolder(_ file: String) -> String {
        of(PathParts.folder(of: file))
    }

    /// The number of links that Linux follows (path_resolution(7)).
    private static let maximumLinks = 40

    private static func resolved(_ path: String, links: Int) -> String {
        // A longer path can't be opened anyway.
        guard !path.isEmpty, path.utf8.count < PATH_MAX else { return path }
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        // `realpath` fails on `.` only if the working directory has been removed.
        if path == "." { return path }
        let folder = PathParts.folder(of: path)
        let name = PathParts.name(of: path)
        if links > 0, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
            return resolved(target.hasPrefix("/") ? target : folder + "/" + target, links: links - 1)
        }
        guard folder != path else { return path }
        let parent = resolved(folder, links: links)
        switch name {
        case ".": return parent
        case "..": return parent.hasPrefix("/") ? PathParts.folder(of: parent) : parent + "/.."
        default: return parent == "/" ? "/" + name : parent + "/" + name
        }
    }
}

/// Computes the canonical paths of files' folders. The last one is cached, because many files are in the same folder.
package struct RealFolder {
    private var last: (named: String, real: String)?

    package init() {}

    package mutating func of(_ file: String) -> String {
        let named = PathParts.folder(of: file)
        if let last, last.named == named { return last.real }
        let real = RealPath.of(named)
        last = (named, real)
        return real
    }
}
