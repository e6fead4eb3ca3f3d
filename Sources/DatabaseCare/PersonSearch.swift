internal import MillBytes
internal import MillJSON
internal import ReceiptArchive

/// Finds a person in lines that could not be read, anywhere in a line.
///
/// JSON is searched by its decoded values, under any key, since a line may be rejected because of its keys. Other bytes
/// are searched for every spelling. Texts encoded in values and bytes are searched in the same way, however encodings
/// are nested: escapes, forms, JSON in text, signed strings, base64, hexadecimal, zlib and gzip.
struct PersonSearch {
    private let spellings: PersonSpellings
    /// The number of bytes that are searched for one line; if nil, the usual number. A line that needs more, because of
    /// nested encodings, can't be searched completely, and is erased to be safe.
    private let budget: Int?

    /// The maximum depth of nested arrays and objects, the same as for reading lines.
    private static let maximumDepth = 256
    /// The maximum number of bytes that are inflated for each compressed part, many times a usual line.
    private static let maximumInflated = 4 << 20
    /// The usual budget for each byte of a line. Each run of base64 is searched in four alignments, with and without
    /// its plus signs, so a receipt in base64 uses about fifteen bytes of budget for each byte.
    private static let budgetPerByte = 32
    /// The additional budget of every line, so that compressed parts of short lines can be inflated.
    private static let budgetOfPacked = 8 << 20

    init(_ identifier: Erasure.Identifier, budget: Int? = nil) {
        spellings = PersonSpellings(identifier)
        self.budget = budget
    }

    func finds(in line: [UInt8]) -> Bool { finds(in: line, .line) }

    /// Whether the payload of a signed string names the person.
    func finds(inPayloadOf signed: [UInt8]) -> Bool {
        let parts = signed.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return finds(in: signed) }
        let text = Array(parts[1])
        var payload: [UInt8] = []
        guard Base64.appendURL(text.span, in: text.indices, to: &payload) else { return finds(in: signed) }
        return finds(in: payload, .bytes)
    }

    private func finds(in bytes: [UInt8], _ role: SearchedTexts.Role) -> Bool {
        var texts = SearchedTexts(
            SearchedTexts.Text(bytes: bytes, role: role),
            budget: budget ?? Self.budgetPerByte * bytes.count + Self.budgetOfPacked)
        while let text = texts.next() {
            if finds(text, &texts) { return true }
        }
        return texts.isExhausted
    }

    /// Whether a text names the person. If not, the texts encoded in it are added to those to be searched.
    private func finds(_ text: SearchedTexts.Text, _ texts: inout SearchedTexts) -> Bool {
        let isMarked = text.bytes.starts(with: [0xef, 0xbb, 0xbf])
        let bytes = isMarked ? Array(text.bytes.dropFirst(3)) : text.bytes
        var mayBeJSON = true
        if case .value(let isPersonal) = text.role {
            if spellings.isIdentifier(bytes, isPersonal: isPersonal) { return true }
            if spellings.occurUnambiguously(in: bytes) { return true }
            mayBeJSON = bytes.first { $0 > 0x20 }.map("{[\"".utf8.contains) == true
        }
        if mayBeJSON, let isFound = try? findsValues(in: bytes, &texts) { return isFound }
        switch text.role {
        case .line where spellings.occur(in: bytes) || spellings.areCut(atAnEndOf: bytes): return true
        case .bytes where spellings.occur(in: bytes): return true
        case .line, .bytes, .value: break
        }
        if TextLayers.mayBeText(bytes) {
            for reading in TextLayers.readings(of: bytes) { texts.add(reading, text.role) }
            TextLayers.forEachMember(of: bytes) { add(value: $1, under: $0, &texts) }
        }
        for decoded in TextLayers.decodings(of: bytes, atLeast: spellings.shortest) { texts.add(decoded, .bytes) }
        return findsPacked(bytes, &texts)
    }

    private func findsPacked(_ bytes: [UInt8], _ texts: inout SearchedTexts) -> Bool {
        guard PackedBytes.isPacked(bytes) else { return false }
        let limit = min(Self.maximumInflated, texts.budget)
        guard limit > 0 else { return true }
        guard let inflated = PackedBytes.inflated(bytes, upTo: limit) else { return false }
        // Bytes after the limit are not searched, so a part that reaches it counts as a match.
        if inflated.count >= limit { return true }
        texts.add(inflated, .bytes)
        return false
    }

    private func add(value: [UInt8], under key: [UInt8]?, _ texts: inout SearchedTexts) {
        guard value.count >= spellings.shortest else { return }
        texts.add(value, .value(isPersonal: key.map(PersonSpellings.mayNamePerson) ?? false))
    }

    // MARK: JSON

    private func findsValues(in bytes: [UInt8], _ texts: inout SearchedTexts) throws(InvalidJSON) -> Bool {
        var cursor = try JSONCursor(line: bytes.span, bytes.indices)
        cursor.skipWhitespace()
        // An identifier may be the whole text.
        let isFound = try findsValue(&cursor, under: Array("id".utf8), depth: 0, &texts)
        if isFound { return true }
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the value") }
        return false
    }

    /// Moves past a value, or stops within the value if the person is found. Encoded texts are added to those to be
    /// searched.
    private func findsValue(
        _ cursor: inout JSONCursor, under key: [UInt8], depth: Int, _ texts: inout SearchedTexts
    ) throws(InvalidJSON) -> Bool {
        guard depth < Self.maximumDepth else { throw cursor.failure("nested too deep") }
        var isFirst = true
        switch cursor.next {
        case UInt8(ascii: "{"):
            while let token = try cursor.nextKey(&isFirst) {
                let key = Self.decoded(token, cursor.bytes)
                add(value: key, under: nil, &texts)
                if try findsValue(&cursor, under: key, depth: depth + 1, &texts) { return true }
            }
        case UInt8(ascii: "["):
            while try cursor.nextValue(&isFirst) {
                if try findsValue(&cursor, under: key, depth: depth + 1, &texts) { return true }
            }
        default:
            let token = try cursor.readValue()
            if token.kind == .string { add(value: Self.decoded(token, cursor.bytes), under: key, &texts) }
            guard token.kind == .number else { return false }
            return spellings.isIdentifier(
                number: Self.raw(token, cursor.bytes), isPersonal: PersonSpellings.mayNamePerson(key: key))
        }
        return false
    }

    /// A string's decoded bytes; an unpaired surrogate remains escaped.
    private static func decoded(_ token: JSONToken, _ bytes: Span<UInt8>) -> [UInt8] {
        token.hasEscapes
            ? JSONString.unescaped(bytes, in: token.range) ?? TextLayers.unescaped(raw(token, bytes))
            : raw(token, bytes)
    }

    private static func raw(_ token: JSONToken, _ bytes: Span<UInt8>) -> [UInt8] {
        bytes.extracting(token.range).withUnsafeBufferPointer { Array($0) }
    }
}
