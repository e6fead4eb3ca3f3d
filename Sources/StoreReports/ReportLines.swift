internal import MillBytes
internal import MillSystem

/// The lines of a text that arrives in chunks, as UTF-8. UTF-16, which some web downloads were in, is converted.
struct ReportLines {
    /// The length from which on a line is skipped, as in archives.
    static let maximumLength = 16 << 20

    /// A line without its end.
    enum Line: Equatable {
        case text([UInt8])
        /// A line of more than ``ReportLines/maximumLength`` bytes.
        case tooLong
    }

    private let chunk: () throws(MillError) -> [UInt8]?
    private var decoder: UTF16Decoder?
    private var buffer: [UInt8] = []
    /// The offset in the buffer at which the next line begins.
    private var start = 0
    private var isAtEnd = false
    /// Whether lines end with a carriage return alone; nil until the first line end is found.
    private var endsWithReturn: Bool?

    init(chunk: @escaping () throws(MillError) -> [UInt8]?) throws(MillError) {
        self.chunk = chunk
        while buffer.count < 4, try fill() {}
        decoder = UTF16Decoder(of: buffer)
        if let mark = decoder?.markLength {
            let bytes = Array(buffer[mark...])
            buffer = []
            append(bytes)
        } else if buffer.starts(with: [0xef, 0xbb, 0xbf]) {
            start = 3
        }
    }

    /// The next line; nil at the end of the text. A newline at the very end is not followed by an empty line.
    mutating func next() throws(MillError) -> Line? {
        var (searched, isTooLong) = (start, false)
        while true {
            if let end = try endOfLine(from: searched) {
                let line = buffer[start..<end]
                start = end + 1
                return isTooLong || line.count > Self.maximumLength ? .tooLong : .text(Self.withoutReturn(line))
            }
            if buffer.count - start > Self.maximumLength {
                isTooLong = true
                buffer.removeAll(keepingCapacity: true)
                start = 0
            }
            // Until the kind of line end is known, a return at the end of the available bytes has to be examined again.
            searched = endsWithReturn == nil ? start : buffer.count
            let before = start
            guard try fill() else { break }
            searched -= before - start
        }
        defer { start = buffer.count }
        guard isTooLong || start < buffer.count else { return nil }
        return isTooLong ? .tooLong : .text(Self.withoutReturn(buffer[start...]))
    }

    private static func withoutReturn(_ line: ArraySlice<UInt8>) -> [UInt8] {
        Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }

    /// The offset of the end of the line that contains `offset`; nil if more bytes are needed.
    private mutating func endOfLine(from offset: Int) throws(MillError) -> Int? {
        if endsWithReturn == nil {
            let all = offset..<buffer.count
            let feed = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: buffer.span, all)
            let found = ByteSearch.firstIndex(
                of: UInt8(ascii: "\r"), in: buffer.span, offset..<(feed ?? buffer.count))
            // A return at the end of the available bytes may be followed by a line feed that belongs to it.
            if let found, found + 1 == buffer.count, !isAtEnd { return nil }
            if let found { endsWithReturn = found + 1 != feed } else if feed != nil { endsWithReturn = false }
        }
        let end = endsWithReturn == true ? UInt8(ascii: "\r") : UInt8(ascii: "\n")
        return ByteSearch.firstIndex(of: end, in: buffer.span, offset..<buffer.count)
    }

    /// Appends the next chunk, and drops the lines before `start`.
    private mutating func fill() throws(MillError) -> Bool {
        guard !isAtEnd else { return false }
        guard let bytes = try chunk() else {
            isAtEnd = true
            buffer += decoder?.end() ?? []
            return endsWithReturn == nil && start < buffer.count
        }
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        append(bytes)
        return true
    }

    private mutating func append(_ bytes: [UInt8]) {
        if decoder != nil { decoder?.decode(bytes, into: &buffer) } else { buffer += bytes }
    }
}
