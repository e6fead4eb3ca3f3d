internal import MillBytes
package import ReceiptFormat

/// The reason why a signed string can't be read.
package struct MalformedSignedData: Error, Sendable, Hashable {
    package enum Part: Sendable, Hashable {
        /// The string's form or its header is invalid.
        case container
        /// The payload is invalid.
        case payload
        /// The payload is well-formed, but its kind is not supported.
        case kind
    }

    package let part: Part
    /// The fault in words.
    package let what: String

    package init(_ part: Part, _ what: String) { (self.part, self.what) = (part, what) }
}

/// The three parts of a JWS in its compact form (RFC 7515, 7.1), as ranges of the buffer in which it was split.
package struct SignedString: Sendable, Hashable {
    package let header, payload, signature: ByteRange

    /// The signed characters: header, full stop and payload (RFC 7515, 5.1).
    package var signingInput: ByteRange {
        ByteRange(offset: header.offset, count: payload.end - header.offset)
    }

    /// Splits a text at its full stops.
    package init(splitting bytes: Span<UInt8>, in text: ByteRange) throws(MalformedSignedData) {
        func stop(from start: Int) -> Int? {
            ByteSearch.firstIndex(of: UInt8(ascii: "."), in: bytes, start..<text.end)
        }
        guard let first = stop(from: text.offset), let second = stop(from: first + 1) else {
            throw MalformedSignedData(.container, "a signed string has three parts, and this has fewer")
        }
        guard stop(from: second + 1) == nil else {
            throw MalformedSignedData(.container, "a signed string has three parts, and this has more")
        }
        header = ByteRange(offset: text.offset, count: first - text.offset)
        payload = ByteRange(offset: first + 1, count: second - first - 1)
        signature = ByteRange(offset: second + 1, count: text.end - second - 1)
    }

    /// Whether a text has the form of signed data: base64 never contains a full stop.
    package static func isSignedString(_ bytes: Span<UInt8>, in text: Range<Int>) -> Bool {
        ByteSearch.firstIndex(of: UInt8(ascii: "."), in: bytes, text) != nil
    }
}
