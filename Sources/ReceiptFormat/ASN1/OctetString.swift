/// An OCTET STRING, which BER lets a writer cut into chunks (X.690 8.7.3).
public struct OctetString: Sendable, Hashable {
    /// The octets, where one chunk holds them all.
    ///
    /// Else the content of the constructed string, to be joined with
    /// ``ByteReader/appendBytes(of:to:)`` before it is read.
    public let range: ByteRange
    /// Whether the octets stand in several chunks.
    public let isFragmented: Bool

    /// How deep chunks may stand in chunks. Xcode's stand in one string; every
    /// level costs another pass over the bytes.
    public static let maximumDepth = 4

    public init(range: ByteRange, isFragmented: Bool) {
        self.range = range
        self.isFragmented = isFragmented
    }
}

extension ByteReader {
    /// Reads an OCTET STRING, primitive or constructed, and moves past it.
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

    /// Appends the octets of a fragmented string to `output`, in order.
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
