import MillSystem
import StoreReports

/// All that a reader says of a text.
struct ReportReading: Equatable {
    let kind: StoreReportKind
    var sales: [StoreSale] = []
    var rows: [StoreRow] = []
    /// Lines, reasons and details.
    var rejections: [String] = []
    var warnings: [String] = []
    var lines: [Int] = []

    init(_ text: String, name: String = "report.txt") throws { try self.init(Array(text.utf8), name: name) }

    init(_ bytes: [UInt8], name: String = "report.txt") throws {
        var rest: [UInt8]? = bytes
        try self.init(
            try StoreReportReader(name: name) { () throws(MillError) in
                defer { rest = nil }
                return rest
            })
    }

    /// Reads a text that comes in chunks of a size.
    init(_ bytes: [UInt8], chunkSize: Int) throws {
        var rest = bytes[...]
        try self.init(
            try StoreReportReader(name: "report.txt") { () throws(MillError) in
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(chunkSize) }
                return Array(rest.prefix(chunkSize))
            })
    }

    init(_ reader: StoreReportReader) throws {
        var reader = reader
        kind = reader.kind
        while let item = try reader.next() {
            switch item {
            case .sale(let sale):
                sales.append(sale)
                lines.append(sale.line)
            case .row(let row):
                rows.append(row)
                lines.append(row.line)
            case .rejection(let line, let reason, let detail):
                rejections.append("\(line) \(reason): \(detail)")
                lines.append(line)
            case .warning(let line, let text):
                warnings.append("\(line): \(text)")
            }
        }
    }
}
