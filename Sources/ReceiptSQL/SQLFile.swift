/// One file of `sql/`, with the contents that it had when the binary was built.
public struct SQLFile: Sendable, Hashable {
    /// Path relative to `sql/`, such as `views/receipts.sql`.
    public let path: String
    /// The file's name without folder and `.sql`.
    public let name: String
    /// The file's text.
    public let text: String

    init(path: String, text: String) {
        (self.path, self.text) = (path, text)
        let file = path.split(separator: "/").last.map(String.init) ?? path
        name = file.hasSuffix(".sql") ? String(file.dropLast(4)) : file
    }

    /// All embedded files, ordered by path.
    public static let all: [SQLFile] = embeddedSQLFiles.map { SQLFile(path: $0.path, text: $0.text) }
    /// The embedded files in a folder of `sql/` and below it, ordered by path.
    public static func files(in folder: String) -> [SQLFile] {
        all.filter { $0.path.hasPrefix(folder + "/") }
    }
}
