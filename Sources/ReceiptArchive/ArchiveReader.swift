internal import MillBytes
package import MillSystem

/// Splits an archive's text into batches of whole lines.
///
/// The memory in use is limited to one batch and one line, whatever the archive contains.
package struct ArchiveReader: ~Copyable {
    private var source: ByteSource
    private let lineLimit: Int
    private let batchSize: Int
    /// Whether a stream's lines are returned without waiting for a full batch, because the stream's writer may wait for
    /// the answer.
    private let isPrompt: Bool
    /// The number of lines at the beginning that an earlier run has loaded.
    private var linesToSkip: Int64
    /// The beginning of a line whose end has not been read yet.
    private var carry: [UInt8] = []
    private var isFinished = false
    /// Whether nothing of the archive was returned yet, so that a header may follow.
    private var isAtBeginning = true
    /// The header of an archive that may be a table, once its first line was read. The header is returned as a line
    /// like others.
    package private(set) var header: TableHeader?
    /// The reason why the text ended before the file's end; nil if no damage was found so far.
    package private(set) var damage: String?
    /// Digests the returned text; nil if no digest is wanted, or if the file's bytes are the text.
    private let digest: ArchiveTextDigest?
    /// Whether more text will be appended. It is called once, at the end of the text; if so, a last line without a
    /// newline is incomplete.
    private let isGrowing: () throws(MillError) -> Bool

    /// The size of a batch's text in bytes. It is large enough that handing over a batch costs almost nothing, and
    /// small enough for a core's cache.
    package static let defaultBatchSize = 1 << 18

    package init(
        file: InputFile, skippingLines: Int64 = 0, limits: Limits, batchSize: Int = ArchiveReader.defaultBatchSize,
        method: ByteSource.Method = ByteSource.Method(), digestsText: Bool = false,
        isGrowing: @escaping () throws(MillError) -> Bool = { () throws(MillError) in false }
    ) throws(MillError) {
        let source = try ByteSource(file: file, inflationLimit: limits.inflation, method: method)
        digest = digestsText && source.isPacked ? try ArchiveTextDigest() : nil
        self.source = source
        self.isGrowing = isGrowing
        isPrompt = file.isStream
        linesToSkip = skippingLines
        lineLimit = limits.lineBytes
        self.batchSize = batchSize
    }

    /// The number of the file's bytes read so far.
    package var consumedBytes: Int { source.consumedBytes }

    /// The number of bytes of text whose checksums match.
    package var soundBytes: Int { source.soundBytes }

    /// The text of all lines that were returned or skipped; nil if it is not digested.
    package func text() throws(MillError) -> ArchiveText? { try digest?.current() }

    /// The next whole lines; no line if a stream is silent; nil at the end of the archive.
    package mutating func next() throws(MillError) -> LineBatch.Content? {
        while let piece = try nextOfAll() {
            if case .lines(let text) = piece {
                try digest?.add(text[...])
                if isAtBeginning { header = TableHeader(beginningOf: text.span) }
                // A stream may deliver no bytes at first.
                isAtBeginning = isAtBeginning && text.isEmpty
            } else {
                isAtBeginning = false
            }
            guard linesToSkip > 0 else { return piece }
            if case .lines(var text) = piece, let start = skipLines(in: text) {
                text.removeSubrange(..<start)
                return .lines(text)
            }
            if case .overlongLine = piece { linesToSkip -= 1 }
        }
        return nil
    }

    /// The offset of the first line that is not to be skipped; nil if all are to be skipped.
    private mutating func skipLines(in text: [UInt8]) -> Int? {
        var start = 0
        while start < text.count {
            if linesToSkip == 0 { return start }
            linesToSkip -= 1
            guard let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count) else {
                return nil
            }
            start = newline + 1
        }
        return nil
    }

    private mutating func nextOfAll() throws(MillError) -> LineBatch.Content? {
        if isFinished { return nil }
        var text = carry
        carry = []
        text.reserveCapacity(text.count + batchSize)
        // The text after an overlong line may hold newlines already, so the search begins at 0.
        var searched = 0
        while true {
            let filling = try fill(&text)
            guard filling != .end else {
                isFinished = true
                if !text.isEmpty, try isCut() {
                    // A line without its newline is not complete yet.
                    guard let lastNewline = text.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
                    text.removeSubrange((lastNewline + 1)...)
                }
                return text.isEmpty ? nil : .lines(text)
            }
            let newline = ByteSearch.lastIndex(of: UInt8(ascii: "\n"), in: text.span, from: searched)
            let isHeaderAlone = isAtBeginning && text.count <= lineLimit && Self.isHeaderAlone(text, newline)
            if let newline, !isHeaderAlone {
                carry = Array(text[(newline + 1)...])
                text.removeSubrange((newline + 1)...)
                return .lines(text)
            }
            if filling == .nothing {
                carry = text
                return .lines([])
            }
            if !isHeaderAlone { searched = text.count }
            if text.count > lineLimit {
                try digest?.add(text[...])
                return try skipLine(from: text.count).map { .overlongLine(bytes: $0) }
            }
        }
    }

    /// Whether a text has only one line end, and may begin with a header. Then the second line is needed to decide.
    private static func isHeaderAlone(_ text: [UInt8], _ newline: Int?) -> Bool {
        newline != nil && text.firstIndex(of: UInt8(ascii: "\n")) == newline
            && TableHeader(beginningOf: text.span.extracting(...(newline ?? 0))) != nil
    }

    private enum Filling {
        case more
        /// The stream is silent.
        case nothing
        case end
    }

    /// Reads up to `batchSize` more bytes.
    private mutating func fill(_ text: inout [UInt8]) throws(MillError) -> Filling {
        let old = text.count
        var outcome = ByteSource.ReadResult.end
        let isPrompt = isPrompt
        try text.append(addingCapacity: batchSize) { (output) throws(MillError) in
            while !output.isFull {
                outcome = try output.withUnsafeMutableBufferPointer { (space, count) throws(MillError) in
                    let free = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(space)[count...])
                    let outcome = try source.read(into: free)
                    if case .produced(let produced) = outcome { count += produced }
                    return outcome
                }
                guard case .produced = outcome, !isPrompt else { break }
            }
        }
        if case .damaged(let reason) = outcome { damage = reason }
        if text.count > old { return .more }
        return outcome == .produced(0) ? .nothing : .end
    }

    /// Skips the rest of an overlong line and returns the length of the whole line; nil if
    /// damage cut the line.
    private mutating func skipLine(from count: Int) throws(MillError) -> Int? {
        var total = count
        var text: [UInt8] = []
        while true {
            let filling = try fill(&text)
            if filling == .end { break }
            if let newline = text.firstIndex(of: UInt8(ascii: "\n")) {
                carry = Array(text[(newline + 1)...])
                try digest?.add(text[...newline])
                return total + newline
            }
            try digest?.add(text[...])
            total += text.count
            text.removeAll(keepingCapacity: true)
        }
        isFinished = true
        return try isCut() ? nil : total
    }

    /// Whether the text ends before the end of its last line.
    private func isCut() throws(MillError) -> Bool {
        if damage != nil { return true }
        return try isGrowing()
    }
}
