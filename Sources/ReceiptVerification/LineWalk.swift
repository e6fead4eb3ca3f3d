internal import MillBytes
internal import MillJSON

/// Finds the documents in a line, in the order of the line.
///
/// A text's content decides whether it is a document. Keys decide who presented it, on which device and when: the
/// nearest object around the document that has such a key counts. Texts are handled in LineWalk+Texts.swift.
struct LineWalk {
    let keys: LineKeyTable
    var line = ScannedLine()
    /// The index in the line's texts of the text that is being read; nil for the line itself.
    var text: Int?
    /// The number of encodings around the text that is being read.
    var layers = 0
    /// The number of bytes of texts that may still be read. It keeps time and memory proportional to the length of the
    /// line.
    var budget: Int
    /// The number of bytes that may still be inflated.
    var inflatable: Int
    /// Whether the JSON being read contains a text that begins like a document, or is meant as one.
    var hasMetDocument = false

    init(keys: LineKeyTable, lineBytes: Int) {
        self.keys = keys
        budget = Self.budgetPerByte * lineBytes + (1 << 12)
        inflatable = min(Self.maximumInflated, Self.inflationPerByte * lineBytes)
    }

    /// Reads a value, and moves past it.
    ///
    /// - Parameter isMeant: whether a text here, or in a list here, is meant as a document.
    mutating func value(_ cursor: inout JSONCursor, isMeant: Bool, depth: Int) throws(InvalidJSON) {
        switch cursor.next {
        case UInt8(ascii: "{"): try object(&cursor, depth: depth)
        case UInt8(ascii: "["):
            guard depth < JSONCursor.maximumDepth else { throw cursor.nestedTooDeep }
            var isFirst = true
            while try cursor.nextValue(&isFirst) { try value(&cursor, isMeant: isMeant, depth: depth + 1) }
        default:
            let token = try scalar(&cursor, isMeant: isMeant)
            if token.kind == .string { read(token, cursor.bytes, isMeant: isMeant, depth: depth) }
        }
    }

    private mutating func object(_ cursor: inout JSONCursor, depth: Int) throws(InvalidJSON) {
        guard depth < JSONCursor.maximumDepth else { throw cursor.nestedTooDeep }
        let first = line.documents.count
        var context = StatedContext()
        var isFirst = true
        while let token = try cursor.nextKey(&isFirst) {
            let key = keys.key(token, cursor.bytes)
            let isMeant = key?.meaning == .document
            if key?.meaning == .ignored {
                _ = try cursor.readValue(depth: depth + 1)
            } else if cursor.next == UInt8(ascii: "{") || cursor.next == UInt8(ascii: "[") {
                try value(&cursor, isMeant: isMeant, depth: depth + 1)
            } else {
                let value = try scalar(&cursor, isMeant: isMeant)
                take(value, under: key, cursor.bytes, depth: depth + 1, &context)
            }
        }
        close(context, from: first)
    }

    /// Reads a text, a number or a literal. If a text ends before its closing quote and begins like a document, this is
    /// recorded.
    private mutating func scalar(_ cursor: inout JSONCursor, isMeant: Bool) throws(InvalidJSON) -> JSONToken {
        let start = cursor.position
        do throws(InvalidJSON) { return try cursor.readValue() } catch {
            if start < cursor.end, cursor.bytes[start] == UInt8(ascii: "\"") {
                let rest = WhiteSpace.trimmed(start + 1..<cursor.end, of: cursor.bytes)
                if isMeant || TextForm(cursor.bytes, rest, isMeant: false) == .document { hasMetDocument = true }
            }
            throw error
        }
    }

    // MARK: Members

    /// Uses a member of an object, a form or a row whose value is neither an object nor a list.
    mutating func take(
        _ value: JSONToken, under key: LineKeyTable.KnownKey?, _ bytes: Span<UInt8>, depth: Int,
        _ context: inout StatedContext
    ) {
        switch key?.meaning {
        case .ignored: break
        case .device, .deviceVerification, .account, .time:
            // An empty text counts as absent, because another key may have a value.
            guard let key, value.kind != .null, !(value.kind == .string && value.range.isEmpty) else { return }
            context.choose(ScannedValue(token: value, text: text), key, bytes)
        case .document, nil:
            guard value.kind == .string else { return }
            read(value, bytes, isMeant: key != nil, depth: depth)
        }
    }

    /// Adds to documents what the object around them states.
    mutating func close(_ context: StatedContext, from first: Int) {
        guard context.isStated else { return }
        for index in first..<line.documents.count { line.documents[index].context.fill(from: context.values) }
    }

    /// What an object states under keys that it may have several of.
    struct StatedContext {
        private(set) var values = ScannedDocument.Context()
        private var ranks = (device: Int.max, deviceVerification: Int.max, account: Int.max, time: Int.max)
        private(set) var isStated = false

        /// Among several keys, the first in the list counts; among equal keys, the last in the line.
        mutating func choose(_ value: ScannedValue, _ key: LineKeyTable.KnownKey, _ bytes: Span<UInt8>) {
            func choose(_ chosen: inout ScannedValue?, _ rank: inout Int, _ isStated: inout Bool) {
                if key.rank <= rank { (chosen, rank, isStated) = (value, key.rank, key.isStated) }
            }
            isStated = true
            switch key.meaning {
            case .device: choose(&values.device, &ranks.device, &values.isStated.device)
            case .account:
                if let former = values.account, key.isStated == values.isStated.account {
                    if key.rank != ranks.account, !Self.areEqual(value.token.range, former.token.range, bytes) {
                        values.isOneOfTwoAccounts = true
                    }
                } else if key.isStated {
                    values.isOneOfTwoAccounts = false
                }
                choose(&values.account, &ranks.account, &values.isStated.account)
            case .time: choose(&values.time, &ranks.time, &values.isStated.time)
            case .deviceVerification:
                var isStated = false
                choose(&values.deviceVerification, &ranks.deviceVerification, &isStated)
            case .document, .ignored: break
            }
        }

        private static func areEqual(_ first: Range<Int>, _ second: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
            first.count == second.count && zip(first, second).allSatisfy { bytes[$0] == bytes[$1] }
        }
    }

    // MARK: Documents

    mutating func add(_ token: JSONToken, fault: Unreadable? = nil) {
        line.documentCount += 1
        hasMetDocument = true
        // The line will be refused, so the further documents need no memory.
        guard line.documents.count <= ScannedLine.maximumDocuments else { return }
        line.documents.append(ScannedDocument(value: ScannedValue(token: token, text: text), fault: fault))
    }
}
