package import MillDigest
package import MillSystem

/// A file's text, inflated if the file is gzip, and the SHA-256 of the text read so far.
///
/// Unlike the digest of a file's bytes, the text's digest stays the same if the file is compressed again.
package final class DigestedText {
    private let path: String
    private var source: ByteSource
    private let digest: MessageDigest
    /// The number of bytes of the text that have been read.
    package private(set) var bytes = 0
    /// The remaining lengths, in descending order, at which digests are to be stored.
    private var marks: [Int]
    /// The digests of the text's beginnings, for the wanted lengths that were reached.
    package private(set) var beginnings: [Int: SHA256Digest] = [:]
    /// The first bytes, from which a reader may recognise the kind of text.
    package private(set) var beginning: ArraySlice<UInt8> = []

    private static let chunkBytes = 1 << 18
    private static let beginningBytes = 64

    /// - Parameters:
    ///   - file: the file, positioned at its first byte.
    ///   - inflationLimit: the limit as in ``Limits/inflation``.
    ///   - marks: lengths of beginnings whose digests are wanted.
    package init(of file: InputFile, inflationLimit: Int, marks: [Int] = []) throws(MillError) {
        (path, self.marks) = (file.path, Set(marks).sorted(by: >))
        var method = ByteSource.Method()
        method.takesOtherText = true
        source = try ByteSource(file: file, inflationLimit: inflationLimit, method: method)
        digest = try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in try MessageDigest() }
        try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in try digest.start(.sha256) }
    }

    /// The next bytes of the text; nil at its end.
    ///
    /// - Throws: ``MillError`` if the file is damaged.
    package func next() throws(MillError) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        var space = chunk.mutableSpan
        let outcome = try space.withUnsafeMutableBytes { (space) throws(MillError) in try source.read(into: space) }
        switch outcome {
        case .produced(let count): chunk.removeSubrange(count...)
        case .end: return nil
        case .damaged(let reason):
            throw MillError(
                stage: .reading, path: path, what: "\(reason) (near byte \(source.consumedBytes))",
                hint: "fetch the file again; nothing of it is loaded", exitStatus: .badData)
        }
        try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in try add(chunk) }
        if beginning.count < Self.beginningBytes {
            beginning += chunk.prefix(Self.beginningBytes - beginning.count)
        }
        return chunk
    }

    /// Reads to the end of the text, and returns the digest of the whole text.
    package func wholeSHA256() throws(MillError) -> SHA256Digest {
        while try next() != nil {}
        return try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in try digest.currentSHA256() }
    }

    private func add(_ chunk: [UInt8]) throws(OpenSSLError) {
        var start = 0
        while let mark = marks.last, mark <= bytes + chunk.count {
            try digest.update(chunk.span, in: start..<(mark - bytes))
            start = mark - bytes
            beginnings[mark] = try digest.currentSHA256()
            marks.removeLast()
        }
        try digest.update(chunk.span, in: start..<chunk.count)
        bytes += chunk.count
    }
}
