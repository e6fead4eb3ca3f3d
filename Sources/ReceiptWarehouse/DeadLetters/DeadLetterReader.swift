internal import Foundation
internal import MillJSON
package import MillSystem
package import ReceiptArchive

/// Reads the letters of a dead-letter file in their order. Memory stays within one batch of
/// text and one letter, whatever the file holds.
package struct DeadLetterReader: ~Copyable {
    private let path: String
    private let lineLimit: Int
    private var reader: ArchiveReader
    private var text: [UInt8] = []
    private var start = 0
    /// Line of the file that was read last, from 1.
    package private(set) var line = 0

    package init(_ file: InputFile, limits: Limits) throws(MillError) {
        path = file.path
        lineLimit = limits.lineBytes
        reader = try ArchiveReader(file: file, limits: Self.limits(of: limits))
    }

    /// A reader of a file that has to hold letters.
    ///
    /// - Throws: ``MillError`` where it holds none, or letters over several lines.
    package init(checking file: InputFile, limits: Limits) throws(MillError) {
        switch try DeadLetterForm.of(file, limits: limits) {
        case .lines: try self.init(file, limits: limits)
        case .formatted:
            throw MillError(
                stage: .reading, path: file.path, what: "holds letters over several lines, or in an array",
                hint: "write one letter a line: jq -c . (of an array: jq -c '.[]')", exitStatus: .badData)
        case nil:
            throw MillError(
                stage: .reading, path: file.path, what: "is no dead-letter file",
                hint: "give one that receiptmill ingest --dead-letters wrote, or lines of it", exitStatus: .badData)
        }
    }

    /// A letter is longer than its line: six bytes may stand for one.
    private static func limits(of limits: Limits) -> Limits {
        var letters = limits
        letters.lineBytes = 6 * limits.lineBytes + 64 << 10
        return letters
    }

    /// The next letter, or what is wrong with it; nil at the end.
    ///
    /// - Throws: ``MillError`` where the rest of the file can't be read.
    package mutating func next() throws(MillError) -> Result<DeadLetter, MillError>? {
        while true {
            while start < text.count {
                let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count)
                let range = start..<(newline ?? text.count)
                start = range.upperBound + 1
                line += 1
                if isBlank(range) { continue }
                return letter(range)
            }
            switch try reader.next() {
            case .lines(let next)?: (text, start) = (next, 0)
            case .overlongLine?:
                line += 1
                return .failure(fault("is longer than any letter of a line that is read", Self.hintOnLimit))
            case nil:
                guard let damage = reader.damage else { return nil }
                throw MillError(
                    stage: .reading, path: path, what: damage,
                    hint: "the letters before the damage are read; pack the file again", exitStatus: .badData)
            }
        }
    }

    /// Editors leave blank lines behind.
    private func isBlank(_ range: Range<Int>) -> Bool {
        range.allSatisfy { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(text[$0]) }
    }

    private func letter(_ range: Range<Int>) -> Result<DeadLetter, MillError> {
        do throws(InvalidJSON) {
            let letter = try DeadLetter(parsing: text.span, in: range)
            guard letter.text.count <= lineLimit else {
                return .failure(
                    fault(
                        "its line has \(letter.text.count) bytes, of which \(lineLimit) are allowed", Self.hintOnLimit))
            }
            return .success(letter)
        } catch {
            return .failure(
                fault(
                    "is no letter: \(error.what) (character \(error.offset + 1))",
                    "correct it, one letter a line: jq -c"))
        }
    }

    private static let hintOnLimit = "raise the limit (--max-line, limits.line_bytes), or receiptmill dismiss it"

    private func fault(_ what: String, _ hint: String) -> MillError {
        MillError(stage: .reading, path: path, line: line, what: what, hint: hint, exitStatus: .badData)
    }
}

/// Whether a file holds letters, by its beginning.
package enum DeadLetterForm {
    /// One letter a line.
    case lines
    /// Letters over several lines, or in an array.
    case formatted
}

extension DeadLetterForm {
    /// What only a letter's first line holds: within a JSON string, a backslash would stand
    /// before each quote.
    private static let marks = [Array(#""rejected""#.utf8), Array(#""archive_sha256""#.utf8)]
    private static let chunkSize = 1 << 16

    /// Looks at the first line of a file, or at the first letter where that is formatted; nil of
    /// a file that holds none. The file is then at its beginning again.
    package static func of(_ file: InputFile, limits: Limits) throws(MillError) -> DeadLetterForm? {
        let form = try search(file, limits)
        try file.rewind()
        return form
    }

    private static func search(_ file: InputFile, _ limits: Limits) throws(MillError) -> DeadLetterForm? {
        try file.rewind()
        var source = try ByteSource(file: file, inflationLimit: limits.inflation)
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        var window: [UInt8] = []
        var first: UInt8?
        var isFormatted = false
        var isFound = marks.map { _ in false }
        var searched = 0
        while searched < 6 * limits.lineBytes + chunkSize {
            var room = chunk.mutableSpan
            let outcome = try room.withUnsafeMutableBytes { (room) throws(MillError) in try source.read(into: room) }
            guard case .produced(let count) = outcome else { return nil }
            window += chunk[..<count]
            searched += count
            if first == nil {
                window.removeFirst(window.prefix { $0 <= UInt8(ascii: " ") }.count)
                first = window.first
                guard let first else { continue }
                guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
                // A bracket alone begins a formatted letter, as [ does however it goes on.
                let line = window.prefix { $0 != UInt8(ascii: "\n") }
                isFormatted =
                    first == UInt8(ascii: "[")
                    || line.count < window.count && line.dropFirst().allSatisfy { $0 <= UInt8(ascii: " ") }
            }
            let end = isFormatted ? nil : window.firstIndex(of: UInt8(ascii: "\n"))
            for (index, mark) in marks.enumerated() where !isFound[index] {
                isFound[index] = window[..<(end ?? window.count)].firstRange(of: mark) != nil
            }
            if !isFound.contains(false) { return isFormatted ? .formatted : .lines }
            if end != nil { return nil }
            window = Array(window.suffix(marks[1].count))
        }
        return nil
    }
}
