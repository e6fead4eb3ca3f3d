package import MillSystem

/// The format of a user's list: a CSV file (RFC 4180) whose first line names the columns, in any order. Other columns
/// are allowed.
package struct ListForm: Sendable {
    /// The option of the command line, or the key of a pipeline file, that names the file; for messages.
    var option: String
    /// A word for one entry, for messages.
    var noun: String
    var required: [String]
    var optional: [String] = []
    /// Columns of which a list needs at least one; empty if the required ones are enough.
    var oneOf: [String] = []
    /// An example of a line with the required columns, for messages.
    var example: String

    package init(
        option: String, noun: String, required: [String], optional: [String] = [], oneOf: [String] = [], example: String
    ) {
        (self.option, self.noun, self.oneOf) = (option, noun, oneOf)
        (self.required, self.optional, self.example) = (required, optional, example)
    }

    /// A line's trimmed values by column; an optional column that the file lacks is empty.
    package struct Line {
        package var number: Int
        fileprivate var values: [String: String]
        fileprivate var form: ListForm

        package subscript(column: String) -> String { values[column] ?? "" }

        package func fault(_ what: String) -> MillError { form.fault(number, what) }

        /// The currency in a column.
        package func currency(_ column: String) throws -> String {
            let text = self[column]
            guard let code = CurrencyCode(text) else {
                throw fault("the currency '\(text)' is not three letters of ISO 4217 such as EUR")
            }
            return code.letters
        }

        /// The number in a column, which must not be negative.
        ///
        /// - Parameter noun: a word for the number, for messages.
        package func amount(_ column: String, _ noun: String) throws -> Double {
            let text = self[column]
            guard !text.hasPrefix("-") else { throw fault("the \(noun) \(text) is negative") }
            guard let value = ListForm.decimal(text) else {
                throw fault("the \(noun) '\(text)' is no number such as 4.99")
            }
            return value
        }

        /// The day in a column, in the form `YYYY-MM-DD`; nil if the column is empty.
        package func day(_ column: String) throws -> String? {
            let text = self[column]
            guard !text.isEmpty else { return nil }
            guard CivilTime.isDay(text) else {
                throw fault("\(column) '\(text)' is no day such as 2024-02-29")
            }
            return text
        }
    }

    /// The value of a text of digits with an optional decimal point. Signs, exponents, hexadecimal digits, words and
    /// thousands separators are refused. A `Double` represents 15 digits exactly.
    package static func decimal(_ text: some StringProtocol) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, text.utf8.count <= 16,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return Double(String(text))
    }

    /// The maximum size of a list, larger than any catalogue of products.
    private static let maximumBytes = 64 << 20

    /// Reads the entries of a file.
    ///
    /// - Parameters:
    ///   - read: reads a line: returns its entry, the entry's key, which must be unique, and words for the subject of
    ///     the message about a duplicate key.
    /// - Throws: ``MillError`` with the number of the line that can't be read.
    package func entries<Entry>(
        ofFile path: String, _ read: (Line) throws -> (entry: Entry, key: [String], name: String)
    ) throws -> [Entry] {
        let text: String
        do throws(TextFile.Fault) { text = try TextFile.read(path, atMost: Self.maximumBytes) } catch {
            throw MillError(
                stage: .reporting, path: path, line: error.line, what: error.what,
                hint: error.isMissing
                    ? "\(option) names a CSV file with the columns \(required.joined(separator: ", "))" : error.hint,
                exitStatus: error.isMissing ? .missingInput : .badData)
        }
        var seen: [[String]: Int] = [:]
        do {
            return try lines(of: text).map { line in
                let (entry, key, name) = try read(line)
                if let first = seen.updateValue(line.number, forKey: key) {
                    throw line.fault("\(name) already, on line \(first)")
                }
                return entry
            }
        } catch var error as MillError {
            error.path = path
            throw error
        }
    }

    private func lines(of text: String) throws -> [Line] {
        var records = try records(of: text)[...]
        let first = records.popFirst()
        let heading = (first?.fields ?? []).map { $0.trimmed.lowercased() }
        try check(heading, of: text.prefix { $0 != "\n" })
        let columns = (required + optional + oneOf).compactMap { name in heading.firstIndex(of: name).map { (name, $0) }
        }
        return try records.filter { $0.fields.count > 1 || !$0.fields[0].allSatisfy(\.isWhitespace) }.map { record in
            guard record.fields.count == heading.count else {
                throw fault(record.line, "the line has \(record.fields.count) fields, the first \(heading.count)")
            }
            let values = columns.map { ($0, record.fields[$1].trimmed) }
            return Line(number: record.line, values: Dictionary(uniqueKeysWithValues: values), form: self)
        }
    }

    /// The fields of each record, and the line on which the record begins. A quoted field may contain line ends.
    private func records(of text: String) throws -> [(line: Int, fields: [String])] {
        var records: [(line: Int, fields: [String])] = []
        var fields = [String.UnicodeScalarView()]
        var (line, begin) = (1, 1)
        var (isQuoted, wasQuote) = (false, false)
        for scalar in text.unicodeScalars {
            if scalar == "\n" { line += 1 }
            if scalar == "\n", !isQuoted {
                records.append((begin, fields.map(String.init)))
                (fields, begin) = ([String.UnicodeScalarView()], line)
            } else if scalar == ",", !isQuoted {
                fields.append(String.UnicodeScalarView())
            } else if scalar != "\"" || (wasQuote && !isQuoted) {
                fields[fields.count - 1].append(scalar)
            }
            wasQuote = scalar == "\""
            if wasQuote { isQuoted.toggle() }
        }
        guard !isQuoted else { throw fault(begin, "a quote is not closed") }
        records.append((begin, fields.map(String.init)))
        return records
    }

    private func check(_ heading: [String], of line: Substring) throws {
        guard required.allSatisfy(heading.contains), oneOf.isEmpty || oneOf.contains(where: heading.contains) else {
            let other = [";": "semicolons", "\t": "tabs"].first { heading.count == 1 && line.contains($0.key) }
            throw fault(
                1,
                other.map { "the fields are separated by \($0.value), not by commas" }
                    ?? (required.isEmpty
                        ? "the first line names none of \(oneOf.joined(separator: ", "))"
                        : "the first line does not name \(required.dropLast().joined(separator: ", ")) and "
                            + (required.last ?? "")))
        }
        if let twice = (required + optional + oneOf).first(where: { name in heading.count { $0 == name } > 1 }) {
            throw fault(1, "the first line names \(twice) twice")
        }
    }

    private func fault(_ line: Int, _ what: String) -> MillError {
        let columns = required.isEmpty ? oneOf.prefix(1) : required[...]
        return MillError(
            stage: .reporting, line: line, what: what,
            hint: "write \(columns.joined(separator: ",")) on the first line and one \(noun) on each that follows, "
                + "such as: \(example)",
            exitStatus: .badData)
    }
}
