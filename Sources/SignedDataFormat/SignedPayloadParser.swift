internal import MillBytes
internal import MillJSON
package import ReceiptFormat

/// Reads payloads of signed strings. JSON is read strictly (RFC 8259): a key that
/// stands twice, a lone surrogate and invalid UTF-8 are faults.
package struct SignedPayloadParser {
    /// The fields that are read. The number of a field is the number of its key.
    private static let read = SignedField.table.filter { $0.slot != nil || $0.type == .subject }
    private static let keys = KeyTable(read.map(\.name))
    private static let fields = read.map(ReadField.init)
    private static let externalPurchaseToken = read.firstIndex { $0.name == "externalPurchaseToken" }

    /// Texts that can't be ranges of the JSON: those with escapes, and the name of the sandbox. The
    /// caller appends them to the buffer that was parsed.
    private var appended: [UInt8] = []
    /// The offset that the first appended text will have.
    private let appendedStart: Int
    private var payload = SignedPayload()
    /// The kinds that the members read so far indicate.
    private var indicatedKinds: SignedKinds = []
    /// The number of the key under which `subject` stood, because a notification may have several
    /// objects of that kind.
    private var subjectKey: Int?
    /// The values of the object that a notification is about.
    private var subject: SignedPayload?

    private init(appendedStart: Int) { self.appendedStart = appendedStart }

    /// Reads a payload, whose kind its members decide.
    ///
    /// - Parameters:
    ///   - bytes: a buffer that holds the payload's JSON.
    ///   - json: the range of the JSON.
    /// - Returns: the payload, and the bytes that have to be appended to the buffer
    ///   for the payload's ranges to hold.
    package static func parse(
        _ bytes: Span<UInt8>, in json: ByteRange
    ) throws(MalformedSignedData) -> (payload: SignedPayload, appended: [UInt8]) {
        var parser = SignedPayloadParser(appendedStart: bytes.count)
        do throws(InvalidJSON) {
            var cursor = try JSONCursor(line: bytes, json.indices)
            cursor.skipWhitespace()
            var walk = StrictWalk()
            try walk.object(&cursor, depth: 0, number: keys.number) { walk, number, cursor throws(InvalidJSON) in
                try parser.readMember(number, &cursor, &walk)
            }
            cursor.skipWhitespace()
            guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
        } catch {
            throw MalformedSignedData(
                .payload, "the payload: \(error.what) (character \(error.offset + 1) of its JSON)")
        }
        try parser.finish(bytes)
        return (parser.payload, parser.appended)
    }

    // MARK: Members

    private mutating func readMember(
        _ number: Int, _ cursor: inout JSONCursor, _ walk: inout StrictWalk
    ) throws(InvalidJSON) {
        let field = Self.fields[number]
        if field.type == .subject {
            if cursor.next == UInt8(ascii: "{"), subjectKey.map({ number < $0 }) ?? true {
                return try readSubject(number, &cursor, &walk)
            }
            _ = try walk.value(&cursor, depth: 1)
            return
        }
        let token = try walk.value(&cursor, depth: 1)
        guard token.kind != .null else { return }
        indicatedKinds.formUnion(field.indicatedKinds)
        assign(field, token, cursor.bytes)
    }

    /// Reads the object that a notification is about.
    private mutating func readSubject(
        _ number: Int, _ cursor: inout JSONCursor, _ walk: inout StrictWalk
    ) throws(InvalidJSON) {
        subjectKey = number
        var subject = SignedPayloadParser(appendedStart: appendedStart + appended.count)
        try walk.object(&cursor, depth: 1, number: Self.keys.number) { walk, number, cursor throws(InvalidJSON) in
            let token = try walk.value(&cursor, depth: 2)
            guard token.kind != .null else { return }
            subject.assign(Self.fields[number], token, cursor.bytes)
        }
        appended += subject.appended
        self.subject = subject.payload
    }

    /// Copies the values of the object that a notification is about, which has no meaning in other
    /// kinds of documents.
    private mutating func takeSubject() {
        guard let subject else { return }
        for slot in SignedField.subjectSlots { payload.take(slot, of: subject) }
        // A token states its environment in its identifier alone.
        guard subjectKey == Self.externalPurchaseToken, payload[.environment] == nil else { return }
        payload[.environment] = append(payload[.externalPurchaseID] == 1 ? Self.productionSandbox : Self.production)
    }

    /// Stores the value of a member in the field's slot, if the value is of the field's type.
    private mutating func assign(_ field: ReadField, _ token: JSONToken, _ bytes: Span<UInt8>) {
        switch field.type {
        case .text, .product, .transaction, .signedString, .deviceProof:
            payload[text: field.slot] = text(token, bytes)
        case .environment: payload[text: field.slot] = environment(token, bytes)
        case .integer, .code, .amount: payload[number: field.slot] = integer(token, bytes)
        case .date: payload[number: field.slot] = date(token, bytes)
        case .signingDate: payload[number: field.slot] = milliseconds(token, bytes)
        case .identifier: payload[number: field.slot] = identifier(token, bytes)
        case .flag: payload[number: field.slot] = flag(token)
        case .share: payload[number: field.slot] = share(token, bytes)
        case .sandboxToken: payload[number: field.slot] = isSandboxToken(token, bytes) ? 1 : 0
        case .subject, .structure: break
        }
    }

    // MARK: The kind

    /// Decides the kind of the payload by its members, never by the place where the document stood.
    private mutating func finish(_ bytes: Span<UInt8>) throws(MalformedSignedData) {
        if indicatedKinds.contains(.notification) {
            payload.kind = .notification
            takeSubject()
            try require(.notificationType, "a notification without notificationType")
        } else if indicatedKinds.contains(.transaction) {
            payload.kind = .signedTransaction
            try require(.transactionID, "a transaction without transactionId")
        } else if indicatedKinds.contains(.renewal) {
            payload.kind = .signedRenewal
            try require(.originalTransactionID, "a renewal info without originalTransactionId")
        } else if indicatedKinds.contains(.appTransaction) {
            payload.kind = .appTransaction
            payload[.environment] = payload[.receiptType]
            payload[.signedDate] = payload[.receiptCreationDate]
        } else {
            throw MalformedSignedData(
                .kind, "the payload is no transaction, renewal info, app transaction or notification")
        }
        try requireShort(.environment, "environment")
        try requireShort(.bundleID, "bundleId")
        try requireShort(.applicationVersion, "applicationVersion")
        try requireShort(.originalApplicationVersion, "originalApplicationVersion")
    }

    private func requireShort(_ field: TextField, _ key: String) throws(MalformedSignedData) {
        guard let name = payload[field], name.count > AppReceipt.maximumNameBytes else { return }
        throw MalformedSignedData(
            .payload,
            "the payload: a \(key) of \(name.count) bytes, where \(AppReceipt.maximumNameBytes) are allowed")
    }

    private func require(_ field: TextField, _ what: String) throws(MalformedSignedData) {
        guard payload[field] != nil else { throw MalformedSignedData(.payload, "the payload is \(what)") }
    }

    // MARK: Values

    private static let sandbox = Array("Sandbox".utf8)
    private static let productionSandbox = Array("ProductionSandbox".utf8)
    private static let production = Array("Production".utf8)
    private static let sandboxPrefix = Array("SANDBOX".utf8)

    private mutating func append(_ text: [UInt8]) -> ByteRange {
        let range = ByteRange(offset: appendedStart + appended.count, count: text.count)
        appended += text
        return range
    }

    private mutating func text(_ token: JSONToken, _ bytes: Span<UInt8>) -> ByteRange? {
        guard token.kind == .string, !token.range.isEmpty else { return nil }
        guard token.hasEscapes else { return ByteRange(offset: token.range.lowerBound, count: token.range.count) }
        return JSONString.unescaped(bytes, in: token.range).map { append($0) }
    }

    private mutating func environment(_ token: JSONToken, _ bytes: Span<UInt8>) -> ByteRange? {
        guard token.kind == .string else { return nil }
        let isSandbox =
            token.hasEscapes
            ? JSONString.unescaped(bytes, in: token.range) == Self.sandbox
            : ByteSearch.isEqual(bytes, token.range, Self.sandbox)
        return isSandbox ? append(Self.productionSandbox) : text(token, bytes)
    }

    private func flag(_ token: JSONToken) -> Int64? {
        guard token.kind == .boolean else { return nil }
        return token.range.count == "true".utf8.count ? 1 : 0
    }

    /// The bits of a share (Apple, JWSTransactionDecodedPayload: thousandths of a percent).
    private func share(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        integer(token, bytes).map { Int64(bitPattern: (Double($0) / 100_000).bitPattern) }
    }

    private func isSandboxToken(_ token: JSONToken, _ bytes: Span<UInt8>) -> Bool {
        let identifier = token.kind == .string ? JSONString.unescaped(bytes, in: token.range) : nil
        return identifier?.starts(with: Self.sandboxPrefix) == true
    }

    /// A Double holds every whole number below this one without rounding.
    private static let roundedFrom = 0x1p53

    /// A number without a fraction. Digits alone are exact in 64 bits; with a decimal point or an exponent a number is
    /// read only where a Double holds it without rounding.
    private func integer(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        guard token.kind == .number else { return nil }
        if let exact = JSONNumber.integer(bytes, in: token.range) { return exact }
        guard let number = JSONNumber.double(bytes, in: token.range), abs(number) < Self.roundedFrom else { return nil }
        return Int64(exactly: number)
    }

    /// An identifier, which is written as a text of digits.
    private func identifier(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        guard token.kind == .string, !token.range.isEmpty else { return nil }
        return JSONNumber.integer(bytes, in: token.range)
    }

    /// Milliseconds since 1970, of which Xcode writes fractions; nil beyond the years
    /// 1 to 9999.
    private func milliseconds(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        guard token.kind == .number else { return nil }
        if let exact = JSONNumber.integer(bytes, in: token.range) {
            return ReceiptDate.range.contains(exact) ? exact : nil
        }
        guard let number = JSONNumber.double(bytes, in: token.range)?.rounded(.down),
            let whole = Int64(exactly: number), ReceiptDate.range.contains(whole)
        else { return nil }
        return whole
    }

    /// Milliseconds since 1970; nil before, because Xcode writes the year 1 for an event that did
    /// not happen.
    private func date(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        milliseconds(token, bytes).flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// The part of a field that reading needs, which can be copied without counting references.
private struct ReadField {
    let type: SignedFieldType
    let slot: Int
    /// The kind that a member with this field indicates; empty where several kinds state the field.
    let indicatedKinds: SignedKinds

    init(_ field: SignedField) {
        type = field.type
        indicatedKinds = field.tellsKind ? field.kinds : []
        switch field.slot {
        case .text(let text): slot = text
        case .number(let number): slot = number
        case nil: slot = 0
        }
    }
}

extension SignedField {
    /// The slots of values that a notification states in the object that it is about.
    fileprivate static let subjectSlots = table.compactMap { $0.place == .subject ? $0.slot : nil }
}
