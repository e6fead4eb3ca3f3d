internal import MillDatabase
internal import MillSystem
internal import ReceiptSQL
package import ReportHeaders

/// The origin of a report's text.
package struct ReportOrigin: Sendable, Hashable {
    /// The path of the file. For a report that is compiled into the binary, the path in the project.
    package var path: String
    /// Whether the report is compiled into the binary; otherwise it is a file of the user's.
    var isBuiltIn = false

    /// The exit status for a fault in the text: an internal error for a built-in report, else a fault of the file's
    /// author.
    var exitStatusOfFault: ExitStatus { isBuiltIn ? .internalFault : .configuration }

    /// A fault in the report's text.
    func fault(line: Int?, _ what: String, hint: String?) -> MillError {
        MillError(
            stage: .reporting, path: path, line: line, what: what, hint: hint, exitStatus: exitStatusOfFault)
    }
}

/// One SQL file with a header that states what the report answers.
package struct Report: Sendable, Hashable {
    package var header: ReportHeader
    /// The name of the file's folder; nil if the file is in no subfolder.
    package var topic: String?
    /// The file's whole text, including the header.
    package var sql: String
    package var origin: ReportOrigin

    package var name: String { header.name }

    /// Reads a report's text.
    ///
    /// - Throws: ``MillError`` if the header can't be read, or if its name differs from the file's.
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

    /// A report with the price list of a database and the products that lack a price, in the format of ``ListedPrice``.
    package static func priceTemplate() throws -> Report {
        let file = SQLFile.files(in: "lists").first
        let origin = ReportOrigin(path: "sql/\(file?.path ?? "")", isBuiltIn: true)
        return try Report(sql: file?.text ?? "", fileName: "price-template", topic: nil, origin: origin)
    }
}
