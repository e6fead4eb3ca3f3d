package import ReceiptTrust

/// Lines that were erased with a person whom they named. They are recognised by their digests if they are loaded again.
package struct ErasedLines: Sendable {
    /// The digests, by the length of their lines. Nearly all other lines have another length, so their digests need not
    /// be computed.
    private var digests: [Int: Set<SHA256Digest>] = [:]

    package init() {}

    package mutating func insert(_ digest: SHA256Digest, bytes: Int) { digests[bytes, default: []].insert(digest) }

    package var isEmpty: Bool { digests.isEmpty }

    package func contains(
        _ bytes: Span<UInt8>, _ line: Range<Int>, _ digest: MessageDigest
    ) throws(OpenSSLError) -> Bool {
        guard !digests.isEmpty else { return false }
        let line = Self.content(of: bytes, line)
        guard let known = digests[line.count] else { return false }
        return known.contains(try digest.sha256(bytes, in: line))
    }

    /// Replaces the rejections of erased lines by rejections that state the erasure and do not contain the line.
    package func mark(_ rejections: inout [Rejection], _ digest: MessageDigest) throws(OpenSSLError) {
        guard !digests.isEmpty else { return }
        for (index, rejection) in rejections.enumerated() {
            guard let content = rejection.content, try contains(content.span, content.indices, digest) else { continue }
            rejections[index] = .erased(line: rejection.line, document: rejection.document)
        }
    }

    /// The line without what may differ from one file to the next: a byte order mark, and white space at its ends.
    package static func content(of bytes: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
        var end = line.upperBound
        while end > line.lowerBound, bytes[end - 1] == 0x0d || bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 {
            end -= 1
        }
        var start = line.lowerBound
        if end - start >= 3, bytes[start] == 0xef, bytes[start + 1] == 0xbb, bytes[start + 2] == 0xbf { start += 3 }
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        return start..<end
    }
}

extension Rejection {
    /// The detail of the rejection of an erased line.
    package static let erasedDetail = "the line was erased"

    /// The rejection of an erased line, which is neither read nor kept.
    static func erased(line: Int, document: Int = 1) -> Rejection {
        var rejection = Rejection(line: line, document: document, cause: Unreadable(.noReceipt, erasedDetail))
        rejection.isDismissed = true
        return rejection
    }
}
