/// An OCTET STRING, which BER allows to be split into chunks (X.690, 8.7.3).
public struct OctetString: Sendable, Hashable {
    /// The string's bytes, if they are in one chunk.
    ///
    /// If the string is fragmented, this is the content of the constructed element, whose chunks
    /// ``ByteReader/appendBytes(of:to:)`` joins.
    public let range: ByteRange
    /// Whether the bytes are in several chunks.
    public let isFragmented: Bool

    /// The maximum depth of nested chunks. Xcode's are one deep; every level costs another pass over the bytes.
    public static let maximumDepth = 4

    /// A string whose bytes are known to be in this range.
    public init(range: ByteRange, isFragmented: Bool) {
        self.range = range
        self.isFragmented = isFragmented
    }
}

extension ByteReader {
    /// Reads an OCTET STRING, primitive or constructed, and moves past it.
    ///
    /// - Throws: `.unexpectedTag` if the element or its first chunk is not an OCTET STRING, `.tooDeep` beyond
    ///   ``OctetString/maximumDepth``, and the errors of ``readElement()``.
    @_lifetime(self: copy self)
    public mutating func readOctetString() throws(MalformedReceipt) -> OctetString {
        let start = position
        let element = try readElement()
        if element.tag == Tag.octetString { return OctetString(range: element.content, isFragmented: false) }
        return try octetString(element, start: start, depth: 0)
    }

    private func octetString(
        _ element: Element, start: Int, depth: Int
    ) throws(MalformedReceipt) -> OctetString {
        if element.tag == Tag.octetString {
            return OctetString(range: element.content, isFragmented: false)
        }
        guard element.tag == Tag.constructedOctetString else {
            throw MalformedReceipt(
                .unexpectedTag(expected: Tag.octetString, found: element.tag), at: start)
        }
        guard depth < OctetString.maximumDepth else {
            throw MalformedReceipt(.tooDeep(limit: OctetString.maximumDepth), at: start)
        }
        var chunks = reader(in: element.content)
        guard !chunks.isAtEnd else {
            return OctetString(range: element.content, isFragmented: false)
        }
        let first = try chunks.readElement()
        guard chunks.isAtEnd else {
            return OctetString(range: element.content, isFragmented: true)
        }
        return try octetString(first, start: first.whole.offset, depth: depth + 1)
    }

    /// Appends the bytes of a string, fragmented or not, to `output` in order.
    ///
    /// - Throws: `.unexpectedTag` if a chunk is not an OCTET STRING, `.tooDeep` beyond ``OctetString/maximumDepth``,
    ///   and the errors of ``readElement()``. The chunks before the fault remain appended.
    public func appendBytes(
        of string: OctetString, to output: inout [UInt8]
    ) throws(MalformedReceipt) {
        try appendBytes(in: string.range, fragmented: string.isFragmented, to: &output, depth: 0)
    }

    private func appendBytes(
        in range: ByteRange, fragmented: Bool, to output: inout [UInt8], depth: Int
    ) throws(MalformedReceipt) {
        guard fragmented else {
            for index in range.indices { output.append(self[index]) }
            return
        }
        guard depth < OctetString.maximumDepth else {
            throw MalformedReceipt(.tooDeep(limit: OctetString.maximumDepth), at: range.offset)
        }
        var chunks = reader(in: range)
        while !chunks.isAtEnd {
            let chunk = try chunks.readElement()
            switch chunk.tag {
            case Tag.octetString:
                try appendBytes(in: chunk.content, fragmented: false, to: &output, depth: depth + 1)
            case Tag.constructedOctetString:
                try appendBytes(in: chunk.content, fragmented: true, to: &output, depth: depth + 1)
            default:
                throw MalformedReceipt(
                    .unexpectedTag(expected: Tag.octetString, found: chunk.tag),
                    at: chunk.whole.offset)
            }
        }
    }
}
