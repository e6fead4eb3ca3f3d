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
