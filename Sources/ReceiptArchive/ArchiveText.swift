package import MillDigest
package import MillSystem

/// The text of an archive, or the beginning of its text. Compressing a file again changes the file's bytes, but not the
/// text.
package struct ArchiveText: Sendable, Hashable {
    package let sha256: SHA256Digest
    package let bytes: Int64

    package init(sha256: SHA256Digest, bytes: Int64) { (self.sha256, self.bytes) = (sha256, bytes) }
}

/// Digests text as it is read.
final class ArchiveTextDigest {
    private let digest: MessageDigest
    private var bytes: Int64 = 0

    init() throws(MillError) {
        digest = try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in try MessageDigest() }
        try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in try digest.start(.sha256) }
    }

    func add(_ text: UnsafeRawBufferPointer) throws(MillError) {
        try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in try digest.update(text) }
        bytes += Int64(text.count)
    }

    func add(_ text: ArraySlice<UInt8>) throws(MillError) {
        let span = text.span
        try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in try digest.update(span, in: 0..<span.count) }
        bytes += Int64(span.count)
    }

    func current() throws(MillError) -> ArchiveText {
        let sha256 = try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in try digest.currentSHA256() }
        return ArchiveText(sha256: sha256, bytes: bytes)
    }
}

extension InputFile {
    /// The beginnings of the file's text with the given ascending lengths, in one pass from the file's first byte. If
    /// the text ends earlier, complete or damaged, the beginning is shorter.
    ///
    /// - Parameter inflationLimit: the limit as in ``Limits/inflation``.
    package func texts(upTo lengths: [Int64], inflationLimit: Int) throws(MillError) -> [ArchiveText] {
        var source = try ByteSource(file: self, inflationLimit: inflationLimit)
        let digest = try ArchiveTextDigest()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var texts: [ArchiveText] = []
        var (bytes, isAtEnd) = (Int64(0), false)
        for length in lengths {
            while bytes < length, !isAtEnd {
                let wanted = Int(min(Int64(buffer.count), length - bytes))
                var count = 0
                var space = buffer.mutableSpan
                try space.withUnsafeMutableBytes { (space) throws(MillError) in
                    let part = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
                    if case .produced(let produced) = try source.read(into: part) {
                        count = produced
                    } else {
                        isAtEnd = true
                    }
                    try digest.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(part)[..<count]))
                }
                bytes += Int64(count)
            }
            texts.append(try digest.current())
        }
        return texts
    }

    /// The number of whole lines in the first bytes of the file's text. The file is read from its first byte.
    package func countLines(inFirst bytes: Int, inflationLimit: Int) throws(MillError) -> Int64 {
        var source = try ByteSource(file: self, inflationLimit: inflationLimit)
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var (left, lines) = (bytes, Int64(0))
        while left > 0 {
            var count = 0
            var space = buffer.mutableSpan
            try space.withUnsafeMutableBytes { (space) throws(MillError) in
                let part = UnsafeMutableRawBufferPointer(rebasing: space[..<min(left, space.count)])
                if case .produced(let produced) = try source.read(into: part) { count = produced }
                lines += Int64(part[..<count].count { $0 == UInt8(ascii: "\n") })
            }
            if count == 0 { break }
            left -= count
        }
        return lines
    }
}
