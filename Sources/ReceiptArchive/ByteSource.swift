package import MillSystem

/// The text of an archive: the file's bytes unchanged or, if they begin like gzip, inflated. The content decides this,
/// never the name.
package struct ByteSource: ~Copyable {
    private let file: InputFile
    private let inputCapacity: Int
    private var input: [UInt8]
    private var start = 0
    private var end = 0
    private var inflater: (any Inflater)?
    /// Whether the inflater may still hold text of input that it has consumed.
    private var inflaterIsFull = false
    private var isInsideMember = false
    private var header = GzipHeader()
    private var isAtEndOfFile = false
    /// The number of the file's bytes taken so far.
    package private(set) var consumedBytes = 0

    /// The number of bytes of text returned so far.
    private var producedBytes = 0
    /// The number of bytes of text in the gzip members that have ended and whose checksums match.
    package private(set) var soundBytes = 0
    /// The first bytes of inflated text, as many as are needed to recognise a foreign format.
    private var beginning: [UInt8] = []
    private let inflationLimit: Int
    private let takesOtherText: Bool
    /// The reason why no more text follows. It is stored, because an inflater that is called again after a fault might
    /// continue with the bytes that follow.
    private var damage: String?

    /// The number of bytes of text before the inflation ratio is checked, because the beginning of a small file is not
    /// representative.
    static let uncheckedBytes = 16 << 20

    /// Whether the file is compressed.
    package var isPacked: Bool { inflater != nil }

    package enum ReadResult: Equatable {
        /// The number of bytes written; 0 if the file produced nothing during its longest silence.
        case produced(Int)
        case end
        /// The text ends here, although the file should have more.
        case damaged(String)
    }

    /// How a file is read; tests vary it.
    package struct Method {
        /// The fastest inflater of this build.
        static var fastestInflater: any Inflater.Type {
            #if ISAL
                ISALInflater.self
            #else
                ZlibInflater.self
            #endif
        }

        package var inflater: any Inflater.Type = Method.fastestInflater
        /// The number of bytes that are read from the file at a time.
        package var inputCapacity = 1 << 17
        /// Whether text that no archive contains, such as UTF-16, is returned, for readers of other files.
        package var takesOtherText = false
    }

    /// The first bytes of a gzip member (RFC 1952, 2.3.1).
    private static let magic: [UInt8] = [0x1f, 0x8b]

    /// - Parameter inflationLimit: the limit as in ``Limits/inflation``.
    package init(file: InputFile, inflationLimit: Int, method: Method = Method()) throws(MillError) {
        self.file = file
        self.inflationLimit = inflationLimit
        takesOtherText = method.takesOtherText
        inputCapacity = method.inputCapacity
        input = [UInt8](repeating: 0, count: max(method.inputCapacity, ForeignFormat.longestBeginning))
        // A pipe may return fewer bytes at once than are needed to recognise a format.
        try fill(atLeast: ForeignFormat.longestBeginning)
        if input[..<end].starts(with: Self.magic) {
            guard let inflater = method.inflater.init() else {
                throw MillError(
                    stage: .reading, path: file.path, what: "inflation can't start: out of memory",
                    exitStatus: .internalFault)
            }
            self.inflater = inflater
            isInsideMember = true
        } else {
            try ForeignFormat.refuse(input.span.extracting(0..<end), of: file.path, takesOtherText: takesOtherText)
        }
    }

    /// Writes text into `output`, which must not be empty. After damage, no more text follows.
    package mutating func read(into output: UnsafeMutableRawBufferPointer) throws(MillError) -> ReadResult {
        if let damage { return .damaged(damage) }
        let outcome = try readUndamaged(into: output)
        if case .damaged(let reason) = outcome { damage = reason }
        return outcome
    }

    private mutating func readUndamaged(into output: UnsafeMutableRawBufferPointer) throws(MillError) -> ReadResult {
        while true {
            if start == end, !isAtEndOfFile, !inflaterIsFull {
                if try file.isSilent() { return .produced(0) }
                try fill(atLeast: 1)
            }
            guard let inflater else { return copy(into: output) }
            if producedBytes > Self.uncheckedBytes, producedBytes / inflationLimit > consumedBytes {
                return .damaged("the text is more than \(inflationLimit) times as large as the file")
            }
            if start == end, isAtEndOfFile, !isInsideMember { return .end }
            if !isInsideMember {
                // Zeros may pad the last member (gzip(1)); any other byte must begin another
                // member.
                while start < end, input[start] == 0 { advance(1) }
                if start == end { continue }
                guard input[start] == Self.magic[0] else {
                    return .damaged("bytes that are not gzip follow the last member")
                }
                inflater.startMember()
                isInsideMember = true
                header = GzipHeader()
            }
            if !header.isComplete {
                if start == end { return .damaged("the gzip stream is cut short") }
                if let fault = readHeader(inflater, output) { return .damaged(fault) }
                continue
            }
            let part = start..<end
            let step = input.withUnsafeMutableBytes { bytes in
                inflater.inflate(UnsafeMutableRawBufferPointer(rebasing: bytes[part]), into: output)
            }
            advance(step.consumed)
            if producedBytes < ForeignFormat.longestBeginning, step.produced > 0 {
                beginning += output.prefix(min(step.produced, ForeignFormat.longestBeginning - producedBytes))
                try ForeignFormat.refuse(beginning.span, of: file.path, takesOtherText: takesOtherText)
            }
            producedBytes += step.produced
            switch step.ending {
            case .damaged(let reason):
                // Text that was inflated before the fault is returned as usual.
                if step.produced > 0 {
                    damage = reason
                    return .produced(step.produced)
                }
                return .damaged(reason)
            case .endOfMember: (isInsideMember, inflaterIsFull, soundBytes) = (false, false, producedBytes)
            case .open: inflaterIsFull = step.produced == output.count
            }
            if step.produced > 0 { return .produced(step.produced) }
            // This check comes after the inflation, because the inflater may hold text for which `output` had no space.
            if isInsideMember, start == end, isAtEndOfFile { return .damaged("the gzip stream is cut short") }
        }
    }

    /// Continues reading a member's header; at its end, passes a plain header to the inflater instead.
    ///
    /// - Parameter output: memory for the inflater, which writes no text for a header.
    /// - Returns: the header's fault; nil if there is none.
    private mutating func readHeader(
        _ inflater: any Inflater, _ output: UnsafeMutableRawBufferPointer
    ) -> String? {
        var header = header
        var count = 0
        if let fault = header.read(input.span.extracting(start..<end), consumed: &count) { return fault }
        self.header = header
        advance(count)
        guard header.isComplete else { return nil }
        var plain = GzipHeader.plain
        let step = plain.withUnsafeMutableBytes { inflater.inflate($0, into: output) }
        if case .damaged(let fault) = step.ending { return fault }
        precondition(step.consumed == GzipHeader.plain.count && step.produced == 0, "a header is no text")
        return nil
    }

    private mutating func copy(into output: UnsafeMutableRawBufferPointer) -> ReadResult {
        guard start < end else { return .end }
        let count = min(output.count, end - start)
        let part = start..<(start + count)
        input.withUnsafeBytes { output.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[part])) }
        advance(count)
        return .produced(count)
    }

    private mutating func advance(_ count: Int) {
        start += count
        consumedBytes += count
    }

    /// Reads until the buffer has `count` bytes, or to the file's end: a header may be split between two reads.
    private mutating func fill(atLeast count: Int) throws(MillError) {
        guard end - start < count else { return }
        for offset in 0..<(end - start) { input[offset] = input[start + offset] }
        end -= start
        start = 0
        let (file, inputCapacity) = (file, inputCapacity)
        while end < count, !isAtEndOfFile {
            let used = end
            var space = input.mutableSpan
            let read = try space.withUnsafeMutableBytes { (space) throws(MillError) in
                let part = used..<min(used + inputCapacity, space.count)
                return try file.read(into: UnsafeMutableRawBufferPointer(rebasing: space[part]))
            }
            end += read
            isAtEndOfFile = read == 0
        }
    }
}
