package import MillSystem

/// One SQL file with a header that says what it answers.
package struct Report: Sendable, Hashable {
    /// Where a report's text is from.
    package enum Origin: Sendable, Hashable {
        /// Compiled into the binary; the path in the project.
        case builtIn(path: String)
        /// A file of the user's.
        case file(path: String)

        package var path: String {
            switch self {
            case .builtIn(let path), .file(let path): path
            }
        }

        /// Whom a fault in the report is to be laid to: us or the file's author.
        var exitStatusOfFault: ExitStatus {
            switch self {
            case .builtIn: .internalFault
            case .file: .configuration
            }
        }
    }

    package var header: ReportHeader
    /// The folder that the file lies in, nil at the top.
    package var topic: String?
    /// The file's whole text, header included.
    package var sql: String
    package var origin: Origin

    package var name: String { header.name }

    /// Reads a report's text.
    ///
    /// - Throws: ``MillError`` if the header can't be read, or if the name that
    ///   it states is not the file's.
    package init(sql: String, fileName: String, topic: String?, origin: Origin) throws {
        self.sql = sql
        self.topic = topic
        self.origin = origin
        do throws(MalformedReportHeader) {
            header = try ReportHeader(parsing: sql)
            guard header.name == fileName else {
                throw MalformedReportHeader(
                    line: 1, what: "the header names the report \(header.name), the file \(fileName)",
                    hint: "give both one name")
            }
        } catch {
            throw MillError(
                stage: .reporting, path: origin.path, line: error.line, what: error.what, hint: error.hint,
                exitStatus: origin.exitStatusOfFault)
        }
    }

    /// A fault in the report's text.
    package func fault(line: Int?, _ what: String, hint: String?) -> MillError {
        MillError(
            stage: .reporting, path: origin.path, line: line, what: what, hint: hint,
            exitStatus: origin.exitStatusOfFault)
    }
}
