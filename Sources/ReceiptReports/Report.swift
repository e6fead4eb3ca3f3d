internal import MillDatabase
internal import MillSystem
package import ReportHeaders

/// Where a report's text is from.
package struct ReportOrigin: Sendable, Hashable {
    /// The file's path; of a report that is compiled into the binary, the path in the project.
    package var path: String
    /// Whether the report is compiled into the binary, and is no file of the user's.
    var isBuiltIn = false

    /// The status that says whether a fault is the binary's or that of the file's author.
    var exitStatusOfFault: ExitStatus { isBuiltIn ? .internalFault : .configuration }

    /// A fault in the report's text.
    func fault(line: Int?, _ what: String, hint: String?) -> MillError {
        MillError(
            stage: .reporting, path: path, line: line, what: what, hint: hint, exitStatus: exitStatusOfFault)
    }
}

/// One SQL file with a header that says what it answers.
package struct Report: Sendable, Hashable {
    package var header: ReportHeader
    /// The folder that the file lies in, nil at the top.
    package var topic: String?
    /// The file's whole text, header included.
    package var sql: String
    package var origin: ReportOrigin

    package var name: String { header.name }

    /// Reads a report's text.
    ///
    /// - Throws: ``MillError`` if the header can't be read, or if the name that
    ///   it states is not the file's.
    package init(sql: String, fileName: String, topic: String?, origin: ReportOrigin) throws {
        self.sql = sql
        self.topic = topic
        self.origin = origin
        do throws(MalformedReportHeader) {
            header = try ReportHeader(parsing: sql)
            guard header.name == fileName else {
                throw MalformedReportHeader(
                    line: 1, message: "the header names the report \(header.name), the file \(fileName)",
                    hint: "give both one name")
            }
        } catch {
            throw origin.fault(line: error.line, error.message, hint: error.hint)
        }
    }
}
