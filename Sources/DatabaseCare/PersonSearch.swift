internal import Foundation
internal import MillBytes
internal import MillJSON
internal import MillSystem
internal import ReceiptArchive
internal import SignedDataFormat

/// Finds a person in lines that could not be read, wherever in a line the person is named.
///
/// JSON is searched by its decoded values, under keys of any name, since a line may be rejected for its keys. Other
/// bytes are searched for every spelling. Encoded contents of values and bytes are searched in the same way: JSON in
/// text, signed strings, base64, hexadecimal, zlib and gzip.
struct PersonSearch {
    private let spellings: PersonSpellings

    /// How deep arrays and objects may nest; the limit for lines is the same.
    private static let maximumDepth = 256
    /// How many encodings may be nested: four around a document, as a line is read, a notification and its transaction.
    private static let maximumLayers = 6
    /// How many bytes of each packed part are inflated: many times a usual line.
    private static let maximumInflated = 4 << 20
    /// How many bytes are inflated for one line, since packed parts may hold packed parts. A line that needs more can't
    /// be searched completely, and is erased in doubt.
    private let maximumInflatedOfLine: Int
    private let budget = InflationBudget()

    /// How many bytes may still be inflated for the current line.
    private final class InflationBudget { var left = 0 }

    init(_ identifier: Erasure.Identifier, maximumInflatedOfLine: Int = 64 << 20) {
        spellings = PersonSpellings(identifier)
        self.maximumInflatedOfLine = maximumInflatedOfLine
    }

    func finds(in line: [UInt8]) -> Bool {
        budget.left = maximumInflatedOfLine
        return finds(in: line, layer: 0)
    }

    /// Whether the payload of a signed string holds the person.
    func finds(inPayloadOf signed: [UInt8]) -> Bool {
        budget.left = maximumInflatedOfLine
        let parts = signed.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return finds(in: signed) }
        let text = Array(parts[1])
        var payload: [UInt8] = []
        guard Base64.appendURL(text.span, in: text.indices, to: &payload) else { return finds(in: signed) }
        return finds(in: payload, layer: 1)
    }

    private func finds(in bytes: [UInt8], layer: Int) -> Bool {
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        do throws(InvalidJSON) {
            return try findsValues(in: bytes, layer)
        } catch {
            return findsSpellings(in: bytes, layer)
        }
    }

    // MARK: JSON

    private func findsValues(in bytes: [UInt8], _ layer: Int) throws(InvalidJSON) -> Bool {
        var cursor = try JSONCursor(line: bytes.span, bytes.indices)
        cursor.skipWhitespace()
        let isFound = try findsValue(&cursor, isPersonal: true, depth: 0, layer)
        if isFound { return true }
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the value") }
        return false
    }

    /// Moves past a value, or stops within the value where the person is found.
    ///
    /// - Parameter isPersonal: whether the value stands under a key that may name a person.
    private func findsValue(
        _ cursor: inout JSONCursor, isPersonal: Bool, depth: Int, _ layer: Int
    ) throws(InvalidJSON) -> Bool {
        guard depth < Self.maximumDepth else { throw cursor.failure("nested too deep") }
        var isFirst = true
        switch cursor.next {
        case UInt8(ascii: "{"):
            while let key = try cursor.nextKey(&isFirst) {
                if findsText(key, cursor.bytes, isPersonal: false, layer) { return true }
                let isPersonal = PersonSpellings.mayNamePerson(key: Self.decoded(key, cursor.bytes))
                if try findsValue(&cursor, isPersonal: isPersonal, depth: depth + 1, layer) { return true }
            }
        case UInt8(ascii: "["):
            while try cursor.nextValue(&isFirst) {
                if try findsValue(&cursor, isPersonal: isPersonal, depth: depth + 1, layer) { return true }
            }
        default:
            let token = try cursor.readValue()
            switch token.kind {
            case .string: return findsText(token, cursor.bytes, isPersonal: isPersonal, layer)
            case .number:
                return spellings.isIdentifier(number: Self.raw(token, cursor.bytes), isPersonal: isPersonal)
            case .boolean, .null, .array, .object: break
            }
        }
        return false
    }

    private func findsText(_ token: JSONToken, _ bytes: Span<UInt8>, isPersonal: Bool, _ layer: Int) -> Bool {
        let text = Self.decoded(token, bytes)
        let texts = TextLayers.readings(of: text)
        return texts.contains {
            spellings.isIdentifier($0, isPersonal: isPersonal) || spellings.standClearly(in: $0)
                || findsEncoded(in: $0, layer)
        }
    }

    /// A string's decoded bytes; half a surrogate pair stays escaped.
    private static func decoded(_ token: JSONToken, _ bytes: Span<UInt8>) -> [UInt8] {
        token.hasEscapes
            ? JSONString.unescaped(bytes, in: token.range) ?? TextLayers.unescaped(raw(token, bytes))
            : raw(token, bytes)
    }

    private static func raw(_ token: JSONToken, _ bytes: Span<UInt8>) -> [UInt8] {
        bytes.extracting(token.range).withUnsafeBufferPointer { Array($0) }
    }

    // MARK: Other bytes

    private func findsSpellings(in bytes: [UInt8], _ layer: Int) -> Bool {
        let texts = TextLayers.readings(of: bytes)
        return texts.contains {
            spellings.stand(in: $0) || layer == 0 && spellings.areCut(atAnEndOf: $0) || findsEncoded(in: $0, layer)
        }
    }

    /// Whether an encoded part of a text or of bytes holds the person.
    private func findsEncoded(in bytes: [UInt8], _ layer: Int) -> Bool {
        guard layer < Self.maximumLayers, bytes.count >= spellings.shortest else { return false }
        if let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            if let isFound = try? findsValues(in: bytes, layer + 1) { return isFound }
        }
        if PackedBytes.isPacked(bytes) {
            guard budget.left > 0 else { return true }
            let limit = min(Self.maximumInflated, budget.left)
            if let inflated = PackedBytes.inflated(bytes, upTo: limit) {
                budget.left -= inflated.count
                // Bytes after the limit are not searched, so a part that reaches it counts as found.
                if inflated.count >= limit || finds(in: inflated, layer: layer + 1) { return true }
            }
        }
        return TextLayers.decodings(of: bytes, atLeast: spellings.shortest) { finds(in: $0, layer: layer + 1) }
    }
}
