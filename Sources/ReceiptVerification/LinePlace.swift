internal import MillJSON

/// Describes the place of a value in a line, for rejections.
extension ScannedLine {
    /// The maximum number of keys that are shown.
    private static let shownKeys = 16
    /// The maximum number of levels that are searched, since the text after each level is read again.
    private static let maximumLevels = 32
    /// The maximum number of characters that are shown of a key.
    private static let shownCharacters = 32

    /// The keys that lead to a value, and the offset of its first character, in the line or in the value that encodes
    /// the text around it. Nil for a line that consists only of the value.
    ///
    /// - Parameter line: the range of the line in `bytes`.
    func place(of value: ScannedValue, in bytes: Span<UInt8>, _ line: Range<Int>) -> (keys: String, character: Int)? {
        var path: [String] = []
        var value = value
        while let text = value.text {
            let bytes = texts[text].bytes
            path = Self.keys(to: value.token, in: bytes.span, bytes.indices) + path
            value = texts[text].holder
        }
        path = Self.keys(to: value.token, in: bytes, line) + path
        guard !path.isEmpty else { return nil }
        return (path.prefix(Self.shownKeys).joined(separator: "."), value.token.range.lowerBound - line.lowerBound + 1)
    }

    /// The reason why a document can't be read; if it was cut, with the keys that lead to it.
    func fault(
        _ cause: Unreadable, of document: ScannedDocument, in bytes: Span<UInt8>, _ line: Range<Int>
    ) -> Unreadable {
        guard document.fault == nil, let place = place(of: document.value, in: bytes, line) else { return cause }
        let (token, text) = (document.value.token, document.value.text.map { texts[$0].bytes })
        let kind = text.map { TextForm.cutDocument($0.span, token.range) } ?? TextForm.cutDocument(bytes, token.range)
        guard let kind else { return cause }
        let detail =
            "`\(place.keys)` begins like \(kind), at character \(place.character), and ends after \(token.range.count): "
            + "is the line cut? (\(cause.detail))"
        return Unreadable(cause.reason, detail)
    }

    /// The reason why a line without a document is rejected.
    func noDocument(in bytes: Span<UInt8>, _ line: Range<Int>) -> Unreadable {
        guard !line.isEmpty else { return Unreadable(.noReceipt, "the line is empty") }
        let looked = "no text of the line is a receipt or a signed string with certificates (x5c)"
        guard let nearMiss else { return Unreadable(.noReceipt, looked) }
        let place = place(of: nearMiss.value, in: bytes, line).map { "`\($0.keys)`, at character \($0.character)," }
        return Unreadable(.noReceipt, "\(looked); \(place ?? "a text") \(nearMiss.what)")
    }

    /// The keys that lead to a value in JSON; none in other texts.
    private static func keys(to value: JSONToken, in bytes: Span<UInt8>, _ text: Range<Int>) -> [String] {
        var found: [String] = []
        var cursor = JSONCursor(bytes, in: text, mayHoldControls: true)
        cursor.skipWhitespace()
        do throws(InvalidJSON) {
            for _ in 0..<maximumLevels {
                guard let key = try next(&cursor, value.range.lowerBound) else { break }
                if let key { found.append(key) }
            }
        } catch {
            // The text is not JSON, or is cut after the value.
        }
        return found
    }

    /// Moves into the member or the element that contains an offset, and returns the member's key, or an inner nil for
    /// an element. Returns nil if the next value has no members.
    private static func next(_ cursor: inout JSONCursor, _ offset: Int) throws(InvalidJSON) -> String?? {
        var isFirst = true
        let isObject = cursor.next == UInt8(ascii: "{")
        guard isObject || cursor.next == UInt8(ascii: "[") else { return nil }
        while true {
            var key: JSONToken?
            if isObject {
                key = try cursor.nextKey(&isFirst)
                if key == nil { return nil }
            } else if try !cursor.nextValue(&isFirst) {
                return nil
            }
            let ahead = cursor
            _ = try cursor.readValue()
            guard offset < cursor.position else { continue }
            cursor = ahead
            return .some(key.map { Self.shown($0, cursor.bytes) })
        }
    }

    /// The key in a form that may be shown. Details of rejections are kept after an erasure, and a key may name a
    /// person, so only short names without digits are shown.
    private static func shown(_ key: JSONToken, _ bytes: Span<UInt8>) -> String {
        let name = key.range.map { bytes[$0] }
        let isPlain =
            name.count <= shownCharacters
            && name.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || "_-".utf8.contains($0) }
        return isPlain ? String(decoding: name, as: UTF8.self) : "a key"
    }
}
