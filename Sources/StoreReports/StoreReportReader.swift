package import MillSystem

/// Reads a report file of the store, whose header says which report the file holds.
package struct StoreReportReader {
    package let kind: StoreReportKind
    private var lines: ArraySlice<Substring>
    private var line = 1

    /// - Parameters:
    ///   - name: the file's name, which messages state.
    ///   - chunk: the next bytes of the inflated text, of any number; nil at its end.
    /// - Throws: ``MillError`` where no header of a known report stands in the first lines, and what `chunk` throws.
    package init(name: String, chunk: @escaping () throws(MillError) -> [UInt8]?) throws(MillError) {
        var text: [UInt8] = []
        while let bytes = try chunk() { text += bytes }
        let all = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard all.first?.hasPrefix("Provider\t") == true else {
            throw MillError(
                stage: .reading, path: name, line: 1, what: "no header of a known report",
                hint: "give a report of the store", exitStatus: .badData)
        }
        kind = .sales
        lines = all.dropFirst()
    }

    /// - Parameter text: the inflated text.
    package init(text: [UInt8], name: String) throws(MillError) {
        var rest: [UInt8]? = text
        try self.init(name: name) { () throws(MillError) in
            defer { rest = nil }
            return rest
        }
    }

    /// What the next lines state; nil at the end of the file.
    package mutating func next() throws(MillError) -> StoreReportItem? {
        while let text = lines.popFirst() {
            line += 1
            let cells = text.split(separator: "\t", omittingEmptySubsequences: false)
            guard !text.isEmpty else { continue }
            guard cells.count > 17 else {
                return .rejection(line: line, reason: "columns", detail: "\(cells.count) columns")
            }
            return .sale(StoreSale(line: line, beginsDay: 0, endsDay: 0, sku: String(cells[2])))
        }
        return nil
    }
}
