/// A file that a command writes beside the database.
package enum OutputKind: Sendable {
    case report, schema, dashboard, metrics, deadLetters

    /// Its name in the error where another output would replace it.
    package var owner: String {
        switch self {
        case .report: "another report"
        case .schema: "the schema"
        case .dashboard: "the dashboard"
        case .metrics: "the metrics"
        case .deadLetters: "the dead letters"
        }
    }

    /// The ending of its name: node_exporter reads no other files, browsers
    /// recognise a page by it, and a compressed file should show that it is.
    package var ending: String {
        switch self {
        case .report, .schema: ""
        case .dashboard: ".html"
        case .metrics: ".prom"
        case .deadLetters: ".gz"
        }
    }

    /// Whether a path has the ending, or is this process's own output, wherever
    /// that goes.
    package func accepts(_ path: String) -> Bool {
        path.hasSuffix(ending) || path == "/dev/stdout" || path.hasPrefix("/dev/fd/")
    }
}
