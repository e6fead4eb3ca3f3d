/// A file that a command writes beside the database.
package struct OutputKind: Sendable {
    /// Its name in the error where another output would replace it.
    package let owner: String
    /// The ending of its name: node_exporter reads no other files, browsers
    /// recognise a page by it, and a compressed file should show that it is.
    package let ending: String

    package static let report = OutputKind(owner: "another report", ending: "")
    package static let schema = OutputKind(owner: "the schema", ending: "")
    package static let dashboard = OutputKind(owner: "the dashboard", ending: ".html")
    package static let metrics = OutputKind(owner: "the metrics", ending: ".prom")
    package static let deadLetters = OutputKind(owner: "the dead letters", ending: ".gz")

    /// Whether a path has the ending, or is this process's own output, wherever
    /// that goes.
    package func accepts(_ path: String) -> Bool {
        path.hasSuffix(ending) || path == "/dev/stdout" || path.hasPrefix("/dev/fd/")
    }
}
