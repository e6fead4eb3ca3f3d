internal import Foundation

/// The canonical name of a file.
package enum RealPath {
    /// The canonical absolute path; components that don't exist are appended as they are.
    package static func of(_ path: String) -> String { resolved(path, links: greatestLinks) }

    /// The same of the folder that a file lies in, or whose files a pattern names.
    package static func ofFolder(_ file: String) -> String {
        of(PathParts.folder(of: file))
    }

    /// Linux follows as many.
    private static let greatestLinks = 40

    private static func resolved(_ path: String, links: Int) -> String {
        // A longer path can't be opened either.
        guard !path.isEmpty, path.utf8.count < PATH_MAX else { return path }
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        // The working directory has been removed.
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

/// Real paths of the folders that files lie in, of which many lie in one.
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
