internal import MillBytes
internal import MillJSON
package import ReceiptFormat

extension SignedHeader {
    /// Reads a header, and refuses JSON that two readers could interpret differently.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of `text`.
    ///   - text: the first part of a signed string, in base64url.
    package init(decoding bytes: Span<UInt8>, in text: ByteRange) throws(MalformedSignedData) {
        var json: [UInt8] = []
        guard Base64.appendURL(bytes, in: text.indices, to: &json) else {
            throw MalformedSignedData(.container, "the header is no base64url")
        }
        self.init(algorithm: nil, hasCriticalExtensions: false, certificates: nil)
        do throws(InvalidJSON) {
            var cursor = try JSONCursor(line: json.span, json.indices)
            cursor.skipWhitespace()
            var walk = StrictWalk()
            try walk.object(&cursor, depth: 0, number: Self.keys.number) { walk, number, cursor throws(InvalidJSON) in
                switch Key.allCases[number] {
                case .algorithm: algorithm = try Self.algorithm(&cursor, &walk)
                case .critical:
                    _ = try walk.value(&cursor, depth: 1)
                    hasCriticalExtensions = true
                case .certificates: certificates = try Self.certificates(&cursor, &walk)
                }
            }
            cursor.skipWhitespace()
            guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
        } catch {
            throw MalformedSignedData(
                .container, "the header: \(error.what) (character \(error.offset + 1) of its JSON)")
        }
    }

    private enum Key: String, CaseIterable {
        case algorithm = "alg"
        case critical = "crit"
        case certificates = "x5c"
    }

    private static let keys = KeyTable(Key.allCases.map(\.rawValue))

    /// The name of the algorithm; nil if the value is not a text. Its length is limited, because reasons of verdicts
    /// show it.
    private static func algorithm(
        _ cursor: inout JSONCursor, _ walk: inout StrictWalk
    ) throws(InvalidJSON) -> DocumentText? {
        let token = try walk.value(&cursor, depth: 1)
        guard token.kind == .string else { return nil }
        let name =
            (token.hasEscapes ? JSONString.unescaped(cursor.bytes, in: token.range) : nil)
            ?? token.range.map { cursor.bytes[$0] }
        guard name.count <= maximumAlgorithmBytes else {
            throw cursor.failure("an alg of \(name.count) bytes, where \(maximumAlgorithmBytes) are allowed")
        }
        return DocumentText(decoding: name)
    }

    /// The elements of `x5c`; nil if the value is not an array. If there are too many certificates, one more than the
    /// maximum is returned, so that the caller can refuse the header.
    private static func certificates(
        _ cursor: inout JSONCursor, _ walk: inout StrictWalk
    ) throws(InvalidJSON) -> [[UInt8]?]? {
        guard cursor.next == UInt8(ascii: "[") else {
            _ = try walk.value(&cursor, depth: 1)
            return nil
        }
        var found: [[UInt8]?] = []
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            let token = try walk.value(&cursor, depth: 2)
            guard found.count <= SignedDataLimits.certificates else { continue }
            if token.kind != .string {
                found.append(nil)
            } else if token.hasEscapes {
                let text = JSONString.unescaped(cursor.bytes, in: token.range) ?? []
                found.append(Base64.canonicalBytes(text.span, in: text.indices))
            } else {
                found.append(Base64.canonicalBytes(cursor.bytes, in: token.range))
            }
        }
        return found
    }
}
