internal import MillBytes

/// The first line of an archive that may be a table, as exported by databases and services: CSV (RFC 4180) or TSV with
/// column names.
package struct TableHeader: Sendable, Hashable {
    /// The names of the columns.
    package let names: [[UInt8]]
    /// Whether the first line is UTF-8 and the second has the same number of fields. Then the first is a header, even
    /// if no name is known.
    package let isConfirmed: Bool
    private let separator: UInt8
    private let line: [UInt8]

    private static let longest = 4_096

    /// Nil if a text does not begin with a header. A header has at least two fields, each empty or like a name.
    ///
    /// - Parameter text: the first lines of an archive.
    package init?(beginningOf text: Span<UInt8>) {
        let first = Self.content(of: text, Self.line(of: text, from: 0))
        guard first.count <= Self.longest else { return nil }
        for separator in [UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: ";")] {
            guard let row = TableRow(text, first, separator, hasEscapes: false, fieldLimit: first.count),
                case let names = row.fields.map({ Array(row.content[$0]) }), names.count > 1,
                names.allSatisfy(Self.isName), names.count(where: { !$0.isEmpty }) > 1
            else { continue }
            (self.names, self.separator) = (names, separator)
            line = Self.bytes(of: text, first)
            let second = Self.content(of: text, Self.line(of: text, from: first.upperBound))
            let beginning = second.first.map { text[$0] }
            isConfirmed =
                beginning != UInt8(ascii: "{") && beginning != UInt8(ascii: "[")
                && String(validating: line, as: UTF8.self) != nil
                && TableRow(text, second, separator, hasEscapes: false, fieldLimit: names.count)?.fieldCount
                    == names.count
            return
        }
        return nil
    }

    /// The range of the line after the one that ends at an offset; for offset 0, of the first line.
    private static func line(of text: Span<UInt8>, from offset: Int) -> Range<Int> {
        var start = offset
        if offset > 0 {
            let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text, offset..<text.count)
            start = newline.map { $0 + 1 } ?? text.count
        }
        return start..<(ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text, start..<text.count) ?? text.count)
    }

    /// Whether a field can be a column's name. A blank at its beginning indicates prose.
    private static func isName(_ name: [UInt8]) -> Bool {
        guard let first = name.first else { return true }
        let isBegun = (0x61...0x7a).contains(first | 0x20) || first >= 0x80 || "_$@".utf8.contains(first)
        return isBegun && name.count <= 64 && name.allSatisfy { $0 >= 0x20 && !"{}\"\\=<>".utf8.contains($0) }
    }

    /// A line without its byte order mark and without the carriage return at its end. Tabs at its ends are kept, since
    /// they are empty fields.
    package static func content(of bytes: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
        let isMarked = ByteSearch.isEqual(bytes, line.prefix(3), [0xef, 0xbb, 0xbf])
        let start = line.lowerBound + (isMarked ? 3 : 0)
        let isReturned = start < line.upperBound && bytes[line.upperBound - 1] == 0x0d
        return start..<line.upperBound - (isReturned ? 1 : 0)
    }

    private static func bytes(of text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        text.extracting(range).withUnsafeBufferPointer { Array($0) }
    }

    /// Whether a line is the header: the first line, or the first line of a table that was appended.
    ///
    /// - Parameter content: the result of ``content(of:_:)`` for the line.
    package func isHeader(_ bytes: Span<UInt8>, _ content: Range<Int>) -> Bool {
        content.count == line.count && ByteSearch.isEqual(bytes, content, line)
    }

    /// The fields of a line; nil if its quotes or escapes are invalid in a row.
    package func row(of bytes: Span<UInt8>, _ content: Range<Int>, hasEscapes: Bool) -> TableRow? {
        TableRow(bytes, content, separator, hasEscapes: hasEscapes, fieldLimit: names.count)
    }

    /// The order in which reading rows with and without escapes is tried. Exports with tabs usually have escapes.
    package var escapes: [Bool] { separator == UInt8(ascii: "\t") ? [true, false] : [false, true] }
}

/// The fields of a line of a table.
package struct TableRow {
    /// The fields without quotes and escapes, joined.
    package private(set) var content: [UInt8] = []
    /// The ranges of the first fields in the content.
    package private(set) var fields: [Range<Int>] = []
    /// The number of all fields.
    package private(set) var fieldCount = 0

    /// - Parameters:
    ///   - hasEscapes: whether a backslash escapes the next character, as in the exports of MySQL and PostgreSQL. RFC
    ///     4180 doubles quotes instead.
    ///   - fieldLimit: the maximum number of fields that are kept; further ones are only counted.
    fileprivate init?(
        _ line: Span<UInt8>, _ range: Range<Int>, _ separator: UInt8, hasEscapes: Bool, fieldLimit: Int
    ) {
        content.reserveCapacity(range.count)
        var (index, start, isQuoted) = (range.lowerBound, 0, false)
        let quote = UInt8(ascii: "\"")
        if index < range.upperBound, line[index] == quote { (isQuoted, index) = (true, index + 1) }
        while index < range.upperBound {
            let byte = line[index]
            index += 1
            if hasEscapes, byte == UInt8(ascii: "\\") {
                guard index < range.upperBound, let escaped = Self.escaped(line[index], separator, isQuoted: isQuoted)
                else { return nil }
                content += escaped
                index += 1
            } else if isQuoted, byte == quote {
                if index < range.upperBound, line[index] == quote {
                    content.append(quote)
                    index += 1
                } else {
                    // A closing quote must end its field.
                    guard index == range.upperBound || line[index] == separator else { return nil }
                    isQuoted = false
                }
            } else if !isQuoted, byte == separator {
                end(&start, fieldLimit)
                if index < range.upperBound, line[index] == quote { (isQuoted, index) = (true, index + 1) }
            } else {
                content.append(byte)
            }
        }
        guard !isQuoted else { return nil }
        end(&start, fieldLimit)
    }

    private mutating func end(_ start: inout Int, _ fieldLimit: Int) {
        if fieldCount < fieldLimit { fields.append(start..<content.count) }
        fieldCount += 1
        start = content.count
    }

    /// The meaning of an escape; nil if no export writes it, as in `C:\Users`. `\N`, a missing value, is kept as it is.
    private static func escaped(_ byte: UInt8, _ separator: UInt8, isQuoted: Bool) -> [UInt8]? {
        switch byte {
        case UInt8(ascii: "t"): [0x09]
        case UInt8(ascii: "n"): [0x0a]
        case UInt8(ascii: "r"): [0x0d]
        case UInt8(ascii: "b"): [0x08]
        case UInt8(ascii: "f"): [0x0c]
        case UInt8(ascii: "v"): [0x0b]
        case UInt8(ascii: "0"): [0]
        case UInt8(ascii: "N"): [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\\"), separator: [byte]
        case UInt8(ascii: "\""): isQuoted ? [byte] : nil
        default: nil
        }
    }
}
