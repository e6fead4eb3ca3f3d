internal import MillBytes

/// The first line of an archive that is a table, as databases and services export it: CSV (RFC 4180) or TSV with the
/// names of its columns. The header is no line of the archive: lines are counted from the first row.
package struct TableHeader: Sendable, Hashable {
    /// The names of the columns.
    package let names: [[UInt8]]
    private let separator: UInt8

    private static let longest = 4_096

    /// Nil if a line is no header: at least two different names, which begin with a letter and have no spaces.
    init?(_ line: Span<UInt8>) {
        guard line.count <= Self.longest else { return nil }
        var end = line.count
        while end > 0, line[end - 1] == 0x0d || line[end - 1] == 0x0a { end -= 1 }
        // Some exports begin with a byte order mark.
        let start = end >= 3 && line[0] == 0xef && line[1] == 0xbb && line[2] == 0xbf ? 3 : 0
        let text = start..<end
        for separator in [UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: ";")] {
            guard let (content, fields) = Self.fields(line, text, separator, hasEscapes: false), fields.count > 1 else {
                continue
            }
            let names = fields.map { Array(content[$0]) }
            guard names.allSatisfy(Self.isName), Set(names).count == names.count else { continue }
            (self.names, self.separator) = (names, separator)
            return
        }
        return nil
    }

    private static func isName(_ name: [UInt8]) -> Bool {
        guard let first = name.first, name.count <= 64 else { return false }
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }
        return isLetter(first)
            && name.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2e }
    }

    /// The fields of a row, joined, with their places; nil if the row has another number of fields than the header.
    ///
    /// - Parameter hasEscapes: whether a backslash escapes the next character, as in the exports of MySQL and
    ///   PostgreSQL. RFC 4180 doubles quotes instead.
    package func fields(
        of line: Span<UInt8>, _ range: Range<Int>, hasEscapes: Bool
    ) -> (content: [UInt8], fields: [Range<Int>])? {
        guard let row = Self.fields(line, range, separator, hasEscapes: hasEscapes), row.fields.count == names.count
        else { return nil }
        return row
    }

    /// The order in which rows are tried with and without escapes.
    package var escapes: [Bool] { separator == UInt8(ascii: "\t") ? [true, false] : [false, true] }

    private static func fields(
        _ line: Span<UInt8>, _ range: Range<Int>, _ separator: UInt8, hasEscapes: Bool
    ) -> (content: [UInt8], fields: [Range<Int>])? {
        var content: [UInt8] = []
        content.reserveCapacity(range.count)
        var fields: [Range<Int>] = []
        var (index, start, isQuoted) = (range.lowerBound, 0, false)
        let quote = UInt8(ascii: "\"")
        if index < range.upperBound, line[index] == quote { (isQuoted, index) = (true, index + 1) }
        while index < range.upperBound {
            let byte = line[index]
            index += 1
            if hasEscapes, byte == UInt8(ascii: "\\"), index < range.upperBound {
                if let byte = escaped(line[index]) { content.append(byte) }
                index += 1
            } else if isQuoted, byte == quote {
                if index < range.upperBound, line[index] == quote {
                    content.append(quote)
                    index += 1
                } else {
                    // A quote ends its field.
                    guard index == range.upperBound || line[index] == separator else { return nil }
                    isQuoted = false
                }
            } else if !isQuoted, byte == separator {
                fields.append(start..<content.count)
                start = content.count
                if index < range.upperBound, line[index] == quote { (isQuoted, index) = (true, index + 1) }
            } else {
                content.append(byte)
            }
        }
        guard !isQuoted else { return nil }
        fields.append(start..<content.count)
        return (content, fields)
    }

    /// The character that an escape stands for; nil for a missing value (`\N`).
    private static func escaped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "0"): 0
        case UInt8(ascii: "N"): nil
        default: byte
        }
    }
}
