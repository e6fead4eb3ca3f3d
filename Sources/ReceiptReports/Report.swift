internal import MillDatabase
internal import MillSystem

/// One SQL file with a header that says what it answers.
package struct Report: Sendable, Hashable {
    /// Where a report's text is from.
    package struct Origin: Sendable, Hashable {
        /// The file's path; in the project, of a report that is compiled into the binary.
        package var path: String
        /// Whether it is compiled into the binary, and no file of the user's.
        var isBuiltIn = false

        /// Whose fault the report's is: the binary's, or the file's author's.
        var exitStatusOfFault: ExitStatus { isBuiltIn ? .internalFault : .configuration }

        /// A fault in the report's text.
        func fault(line: Int?, _ what: String, hint: String?) -> MillError {
            MillError(
                stage: .reporting, path: path, line: line, what: what, hint: hint, exitStatus: exitStatusOfFault)
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
            throw origin.fault(line: error.line, error.what, hint: error.hint)
        }
    }
}
