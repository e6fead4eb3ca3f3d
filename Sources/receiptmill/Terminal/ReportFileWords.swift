internal import MillSystem
internal import StoreLoading

/// Texts about App Store report files, for the log and for summaries.
enum ReportFileWords {
    static let hintOnRejected = "SELECT archive, line, reason, detail FROM rejections has these rows"

    /// The outcome of a file, as one line.
    static func line(_ file: LoadedReportFile) -> String {
        let path = PathParts.shown(file.path)
        let replaced = file.replaced.isEmpty ? "" : ", replaces \(file.replaced.joined(separator: ", "))"
        if let name = file.knownAs {
            return "\(path): loaded before\(PathParts.name(of: file.path) == name ? "" : " as \(name)")"
                + (replaced.isEmpty ? ", nothing to do" : replaced)
        }
        let erased = file.erased > 0 ? ", \(file.erased) left out of subscribers who were erased" : ""
        return
            "\(path): \(file.report), \(Console.count(file.rows, "row")), \(file.rejected) rejected\(erased)\(replaced)"
    }

    static func text(_ warning: ReportFileWarning) -> String {
        PathParts.shown(warning.path) + (warning.line.map { ":\($0)" } ?? "") + ": \(warning.what)"
    }
}
