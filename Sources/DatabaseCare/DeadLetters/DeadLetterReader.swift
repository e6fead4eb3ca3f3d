internal import MillBytes
internal import MillJSON
package import MillSystem
package import ReceiptArchive

/// Reads the rejected lines of a dead-letter file in order. Memory is bounded by one batch of text and one rejected
/// line.
package final class DeadLetterReader {
    private let path: String
    private let limits: Limits
    private var reader: ArchiveReader
    private var text: [UInt8] = []
    private var start = 0
    /// Number of the file's line that was read last, from 1.
    package private(set) var line = 0

    package init(_ file: InputFile, limits: Limits) throws(MillError) {
        path = file.path
        self.limits = limits
        reader = try ArchiveReader(file: file, limits: limits.ofLetters)
    }

    /// Opens a file, and checks that it is a dead-letter file.
    ///
    /// - Throws: ``MillError`` if the file is not a dead-letter file, or has objects that take several lines.
    package convenience init(checking file: InputFile, limits: Limits) throws(MillError) {
        let fault: (what: String, hint: String)
        switch try DeadLetterForm.of(file, limits: limits) {
        case .lines:
            try self.init(file, limits: limits)
            return
        case .formatted:
            fault = (
                "has an object over several lines, or an array",
                "write one object a line: jq -c . (of an array: jq -c '.[]')"
            )
        case nil:
            fault = (
                "is no dead-letter file", "give one that receiptmill ingest --dead-letters wrote, or lines of it"
            )
        }
        throw MillError(stage: .reading, path: file.path, what: fault.what, hint: fault.hint, exitStatus: .badData)
    }

    /// The next rejected line, or the error that explains why it can't be read; nil at the end.
    ///
    /// - Throws: ``MillError`` if the rest of the file can't be read.
    package func next() throws(MillError) -> Result<DeadLetter, MillError>? {
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
            case .lines(let next)?: (text, start) = (next, line == 0 ? DeadLetterForm.byteOrderMark(of: next) : 0)
            case .overlongLine?:
                line += 1
                return .failure(fault("is longer than any rejected line that is read", Self.hintOnLimit))
            case nil:
                guard let damage = reader.damage else { return nil }
                throw MillError(
                    stage: .reading, path: path, what: damage,
                    hint: "the lines before the damage are read; pack the file again", exitStatus: .badData)
            }
        }
    }

    /// Whether a line is blank: editors may add blank lines, which are to be ignored.
    private func isBlank(_ range: Range<Int>) -> Bool {
        range.allSatisfy { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(text[$0]) }
    }

    private func letter(_ range: Range<Int>) -> Result<DeadLetter, MillError> {
        do throws(InvalidJSON) {
            let letter = try DeadLetter(parsing: text.span, in: range)
            let (count, limit) = (letter.text.count, limits.lineBytes)
            if count <= limit { return .success(letter) }
            return .failure(fault("its line has \(count) bytes, of which \(limit) are allowed", Self.hintOnLimit))
        } catch {
            let what = "is not a line of a dead-letter file: \(error.what) (character \(error.offset + 1))"
            return .failure(fault(what, "correct it, one object a line: jq -c"))
        }
    }

    private static let hintOnLimit = "raise the limit (--max-line, limits.line_bytes), or receiptmill dismiss it"

    private func fault(_ what: String, _ hint: String) -> MillError {
        MillError(stage: .reading, path: path, line: line, what: what, hint: hint, exitStatus: .badData)
    }
}

/// The layout of the objects in a dead-letter file, recognised by its first lines.
package enum DeadLetterForm {
    /// The file has one object on each line.
    case lines
    /// The file has objects that take several lines, or an array of them.
    case formatted

    /// Texts that only the first line of an object contains: within a JSON string, a backslash would precede each
    /// quote.
    private static let marks = [Array(#""rejected""#.utf8), Array(#""archive_sha256""#.utf8)]
    /// The maximum number of batches that are searched for ``marks`` if the file is formatted.
    private static let maximumBatchCount = 100

    /// Recognises the layout by the first line, or by the first object if that takes several lines; nil if the file is
    /// not a dead-letter file. The file is rewound to its beginning.
    package static func of(_ file: InputFile, limits: Limits) throws(MillError) -> DeadLetterForm? {
        try file.rewind()
        let form = try search(file, limits)
        try file.rewind()
        return form
    }

    /// The length of the byte order mark that editors may write at the beginning of a file.
    static func byteOrderMark(of text: [UInt8]) -> Int { text.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

    private static func search(_ file: InputFile, _ limits: Limits) throws(MillError) -> DeadLetterForm? {
        var reader = try ArchiveReader(file: file, limits: limits.ofLetters, batchSize: 1 << 16)
        var missing = marks
        var isFormatted = false
        for _ in 0..<maximumBatchCount {
            guard case .lines(let text)? = try reader.next() else { return nil }
            for line in text.dropFirst(byteOrderMark(of: text)).split(separator: UInt8(ascii: "\n")) {
                if !isFormatted {
                    let line = line.drop { $0 <= UInt8(ascii: " ") }
                    guard let first = line.first else { continue }
                    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
                    // A brace alone on a line begins an object of several lines; a bracket begins an array, whatever
                    // follows.
                    isFormatted =
                        first == UInt8(ascii: "[") || line.dropFirst().allSatisfy { $0 <= UInt8(ascii: " ") }
                }
                missing.removeAll { ByteSearch.contains(line, $0) }
                if missing.isEmpty { return isFormatted ? .formatted : .lines }
                if !isFormatted { return nil }
            }
        }
        return nil
    }
}

extension Limits {
    /// Limits for lines of a dead-letter file. They are longer than the kept lines, since JSON may escape a byte as
    /// six.
    fileprivate var ofLetters: Limits {
        var limits = self
        limits.lineBytes = 6 * lineBytes + 64 << 10
        return limits
    }
}
