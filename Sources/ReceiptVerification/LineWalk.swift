internal import MillBytes
internal import MillJSON
internal import SignedDataFormat

/// Finds the documents in a line's JSON, in the order of the line.
///
/// Each character of the line is read once for each text that it stands in, and texts nest a few deep, so that the time
/// grows with the line's length alone.
struct LineWalk {
    private let keys: LineKeyTable
    private(set) var line = ScannedLine()
    /// The index of the text that is read, in the line's texts; nil for the line itself.
    private var text: Int?
    private var textDepth = 0
    /// Whether a key of documents was met in the text that is read.
    private var hasMetDocument = false
    /// The outermost key around the present value that is not read; nil if all keys are read.
    private var unreadKey: UnreadDocument.Key?

    /// How deep objects, lists and texts with documents may nest. Logged answers of the store nest six deep; what nests
    /// deeper is passed over.
    private static let maximumDepth = 16
    /// How deep texts that hold JSON may nest: a body in the record of a gateway, in the record of a logger. The search
    /// for persons in rejected lines looks at least as deep.
    private static let maximumTextDepth = 4

    init(keys: LineKeyTable) { self.keys = keys }

    /// Reads an object or a list, and moves past the value.
    mutating func value(_ cursor: inout JSONCursor, depth: Int) throws(InvalidJSON) {
        switch cursor.next {
        case UInt8(ascii: "{") where depth < Self.maximumDepth: try object(&cursor, depth: depth)
        case UInt8(ascii: "[") where depth < Self.maximumDepth:
            var isFirst = true
            while try cursor.nextValue(&isFirst) { try value(&cursor, depth: depth + 1) }
        default:
            let start = cursor.position
            let value: JSONToken
            do throws(InvalidJSON) { value = try cursor.readValue(depth: depth) } catch {
                noteCutDocument(cursor.bytes, from: start)
                throw error
            }
            if value.kind == .string, !value.range.isEmpty { read(value, cursor.bytes, depth: depth) }
        }
    }

    // MARK: Objects

    private mutating func object(_ cursor: inout JSONCursor, depth: Int) throws(InvalidJSON) {
        let first = line.documents.count
        var receipt: ChosenReceipt?
        var context = StatedContext()
        var isFirst = true
        while let token = try cursor.nextKey(&isFirst) {
            guard unreadKey == nil, let key = keys.key(token, cursor.bytes) else {
                try passOver(&cursor, under: token, depth: depth + 1)
                continue
            }
            switch key.meaning {
            case .document: try document(&cursor, under: token, depth: depth + 1)
            case .documents:
                guard cursor.next == UInt8(ascii: "[") else {
                    try passOver(&cursor, under: token, depth: depth + 1)
                    continue
                }
                var isFirst = true
                while try cursor.nextValue(&isFirst) { try document(&cursor, under: token, depth: depth + 2) }
            case .wrapper: try value(&cursor, depth: depth + 1)
            case .receipt:
                if cursor.next != UInt8(ascii: "\"") {
                    if key.isWrapper {
                        try value(&cursor, depth: depth + 1)
                    } else {
                        try passOver(&cursor, under: token, depth: depth + 1)
                    }
                } else {
                    noteDocument(cursor.next)
                    let value = try cursor.readValue(depth: depth + 1)
                    if !value.range.isEmpty {
                        add(value, rank: key.rank, cursor.bytes, to: &receipt)
                    }
                }
            case .device, .deviceVerification, .account, .time:
                let value = try cursor.readValue(depth: depth + 1)
                // An empty text counts as absent, so that another key may still hold one.
                guard value.kind != .null, !(value.kind == .string && value.range.isEmpty) else { continue }
                context.choose(ScannedValue(token: value, text: text), key)
            }
        }
        if context.isStated {
            for index in first..<line.documents.count { line.documents[index].context.override(with: context.values) }
        }
    }

    /// What an object states under keys of which several may stand in it.
    private struct StatedContext {
        private(set) var values = ScannedDocument.Context()
        private var ranks = (device: Int.max, deviceVerification: Int.max, account: Int.max, time: Int.max)
        private(set) var isStated = false

        /// Of several keys the first named counts, of equal keys the last in the line.
        mutating func choose(_ value: ScannedValue, _ key: LineKeyTable.KnownKey) {
            func choose(_ chosen: inout ScannedValue?, _ rank: inout Int) {
                if key.rank <= rank { (chosen, rank) = (value, key.rank) }
            }
            isStated = true
            switch key.meaning {
            case .device: choose(&values.device, &ranks.device)
            case .deviceVerification: choose(&values.deviceVerification, &ranks.deviceVerification)
            case .account: choose(&values.account, &ranks.account)
            case .time: choose(&values.time, &ranks.time)
            case .document, .documents, .wrapper, .receipt: break
            }
        }
    }

    // MARK: Documents

    /// The receipt of an object so far, and the rank of its key.
    private struct ChosenReceipt {
        let token: JSONToken
        /// The index of the receipt among the line's documents.
        let index: Int
        let rank: Int
        /// Whether the text is a signed string; nil while no caller asked. A long text is searched once, however many
        /// others stand beside it.
        private var isSigned: Bool?

        init(token: JSONToken, index: Int, rank: Int) { (self.token, self.index, self.rank) = (token, index, rank) }

        mutating func isSignedString(_ bytes: Span<UInt8>) -> Bool {
            let found = isSigned ?? LineWalk.isSignedString(token, bytes)
            isSigned = found
            return found
        }
    }

    /// Adds a text under a receipt key. Of several receipts of an object the one under the first key counts; every
    /// signed string counts.
    private mutating func add(_ token: JSONToken, rank: Int, _ bytes: Span<UInt8>, to receipt: inout ChosenReceipt?) {
        if let former = receipt, receipt?.isSignedString(bytes) == false {
            if Self.isSignedString(token, bytes) { return add(token) }
            guard rank <= former.rank else { return }
            line.documentCount -= 1
            if former.index < line.documents.count { line.documents.remove(at: former.index) }
        }
        receipt = ChosenReceipt(token: token, index: line.documents.count, rank: rank)
        add(token)
    }

    private static func isSignedString(_ token: JSONToken, _ bytes: Span<UInt8>) -> Bool {
        guard token.hasEscapes else { return SignedString.isSignedString(bytes, in: token.range) }
        let text = JSONString.unescaped(bytes, in: token.range) ?? []
        return SignedString.isSignedString(text.span, in: text.indices)
    }

    /// Moves past a value under a key of documents.
    private mutating func document(
        _ cursor: inout JSONCursor, under key: JSONToken, depth: Int
    ) throws(InvalidJSON) {
        guard cursor.next == UInt8(ascii: "\"") else { return try passOver(&cursor, under: key, depth: depth) }
        noteDocument(cursor.next)
        let value = try cursor.readValue(depth: depth)
        if !value.range.isEmpty { add(value) }
    }

    private mutating func add(_ token: JSONToken, fault: Unreadable? = nil) {
        precondition(unreadKey == nil)
        line.documentCount += 1
        hasMetDocument = true
        // The line is refused then, and the others need no memory.
        guard line.documents.count <= ScannedLine.maximumDocuments else { return }
        line.documents.append(ScannedDocument(value: ScannedValue(token: token, text: text), fault: fault))
    }

    // MARK: Keys that are not read

    /// Skips a value under a key that is not read. A document in it does not belong to the line, but is noted.
    private mutating func passOver(
        _ cursor: inout JSONCursor, under key: JSONToken, depth: Int
    ) throws(InvalidJSON) {
        let isOutermost = unreadKey == nil
        if isOutermost { unreadKey = UnreadDocument.Key(token: key, text: text) }
        defer { if isOutermost { unreadKey = nil } }
        try value(&cursor, depth: depth)
    }

    /// Adds a text that begins like a document, or notes it if it is under a key that is not read.
    private mutating func addOrNote(_ token: JSONToken, _ bytes: Span<UInt8>, _ characters: Range<Int>) {
        guard let unreadKey else { return add(token) }
        guard line.unread.count < UnreadDocument.maximumCount else { return }
        line.unread.append(UnreadDocument(key: unreadKey, digest: UnreadDocument.digest(bytes, characters)))
    }

    // MARK: Texts

    /// Reads a text that may be a document, or hold JSON.
    private mutating func read(_ token: JSONToken, _ bytes: Span<UInt8>, depth: Int) {
        // JSON with documents has quotes, which are escaped in a text.
        if unreadKey != nil, token.range.count < UnreadDocument.shortest { return }
        guard token.hasEscapes else {
            if DocumentBeginning.matches(bytes, in: token.range) { addOrNote(token, bytes, token.range) }
            return
        }
        guard let unescaped = JSONString.unescaped(bytes, in: token.range) else { return }
        switch unescaped.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
            if textDepth < Self.maximumTextDepth { readJSON(unescaped, of: token, depth: depth) }
        default:
            if DocumentBeginning.matches(unescaped.span, in: unescaped.indices) {
                addOrNote(token, unescaped.span, unescaped.indices)
            }
        }
    }

    /// Reads JSON in a text. A text that is no JSON is passed over, unless documents begin in it: the text is then a
    /// document that can't be read.
    private mutating func readJSON(_ json: [UInt8], of token: JSONToken, depth: Int) {
        let former = (text: text, hasMetDocument: hasMetDocument, documentCount: line.documentCount)
        let (documents, texts, unread) = (line.documents.count, line.texts.count, line.unread.count)
        line.texts.append(json)
        (text, hasMetDocument) = (texts, false)
        textDepth += 1
        var fault: InvalidJSON?
        do throws(InvalidJSON) {
            var cursor = try JSONCursor(line: json.span, json.indices)
            cursor.skipWhitespace()
            try value(&cursor, depth: depth + 1)
            cursor.skipWhitespace()
            guard cursor.isAtEnd else { throw cursor.failure("text follows the value") }
        } catch {
            fault = error
            line.documentCount = former.documentCount
            line.documents.removeSubrange(documents...)
        }
        textDepth -= 1
        if line.documents.count == documents, line.unread.count == unread { line.texts.removeSubrange(texts...) }
        let isUnreadable = fault != nil && hasMetDocument
        (text, hasMetDocument) = (former.text, former.hasMetDocument || hasMetDocument)
        guard isUnreadable, let fault else { return }
        let detail = "JSON in a text of the line: \(fault.what) (character \(fault.offset + 1) of the text)"
        add(token, fault: Unreadable(.invalidJSON, detail))
    }

    /// Notes that a text follows under a key of documents.
    private mutating func noteDocument(_ next: UInt8?) {
        if next == UInt8(ascii: "\"") { hasMetDocument = true }
    }

    /// Notes a text that ends before its closing quote, and begins like a document.
    private mutating func noteCutDocument(_ bytes: Span<UInt8>, from start: Int) {
        // A line that is no JSON is rejected as a whole.
        guard text != nil, unreadKey == nil, start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return }
        if DocumentBeginning.matches(bytes, in: start + 1..<bytes.count) { hasMetDocument = true }
    }
}
