/// The folder and the name of a path, from its text alone.
///
/// Foundation's `deletingLastPathComponent` crashes on a relative path of one character.
package enum PathParts {
    /// The folder in a path; `.` if the path has none.
    package static func folder(of path: String) -> String {
        let bytes = withoutSlashesAtEnd(path.utf8[...])
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return isRoot(path, bytes) ? "/" : "." }
        let folder = withoutSlashesAtEnd(bytes[..<slash])
        return folder.isEmpty ? "/" : String(Substring(folder))
    }

    /// The last component of a path; `/` for the root.
    package static func name(of path: String) -> String {
        let bytes = withoutSlashesAtEnd(path.utf8[...])
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
            return isRoot(path, bytes) ? "/" : String(Substring(bytes))
        }
        return String(Substring(bytes[bytes.index(after: slash)...]))
    }

    /// The name of a file in messages; `-` is shown as standard input.
    package static func shown(_ path: String) -> String { path == "-" ? "standard input" : path }

    private static func isRoot(_ path: String, _ bytes: Substring.UTF8View) -> Bool { bytes.isEmpty && !path.isEmpty }

    private static func withoutSlashesAtEnd(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        guard let last = bytes.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return bytes.prefix(0) }
        return bytes[...last]
    }
}
