internal import MillBytes
internal import MillJSON
package import ReceiptFormat

/// Reads payloads of signed strings. JSON is read strictly (RFC 8259): repeated keys, lone surrogates and invalid UTF-8
/// are errors.
package struct SignedPayloadParser {
    /// Texts that can't be ranges of the JSON: those with escapes, and the sandbox's name. The caller appends them to
    /// the buffer that was parsed.
    private var appended: [UInt8] = []
    /// The offset that the first appended text will have.
    private let appendedStart: Int
    private var payload = SignedPayload()
    /// The kinds that the members read so far indicate.
    private var indicatedKinds: SignedKinds = []
    /// The objects that a notification is about, usually one, with the numbers of their keys.
    private var subjects: [(key: Int, values: SlotValues)] = []
    private var commerce = SignedCommerce()
    private var hasCommerce = false
    private var unknown = UnknownMembers()
    /// The members found in objects whose members differ from kind to kind, until the kind is known.
    private var nested: [(shape: ObjectShape, seen: KeySet)] = []
    /// The seats and the price of the tier that is being read.
    private var tier: (price: Int64?, quantity: Int64?)

    private init(appendedStart: Int) { self.appendedStart = appendedStart }

    /// Reads a payload, whose members decide its kind.
    ///
    /// - Parameters:
    ///   - bytes: a buffer that contains the payload's JSON.
    ///   - json: the range of the JSON.
    /// - Returns: the payload, and the bytes that have to be appended to the buffer to make the payload's ranges valid.
    package static func parse(
        _ bytes: Span<UInt8>, in json: ByteRange
    ) throws(MalformedSignedData) -> (payload: SignedPayload, appended: [UInt8]) {
        var parser = SignedPayloadParser(appendedStart: bytes.count)
        let seen: KeySet
        do throws(InvalidJSON) {
            var cursor = try JSONCursor(line: bytes, json.indices)
            cursor.skipWhitespace()
            var walk = StrictWalk()
            seen = try parser.readObject(.payload, &cursor, &walk, depth: 0)
            cursor.skipWhitespace()
            guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
        } catch {
            throw MalformedSignedData(
                .payload, "the payload: \(error.what) (character \(error.offset + 1) of its JSON)")
        }
        try parser.finish(bytes, seen)
        return (parser.payload, parser.appended)
    }

    // MARK: Members

    /// Reads an object.
    ///
    /// - Returns: the numbers of the shape's fields that the object has.
    @discardableResult
    private mutating func readObject(
        _ shape: ObjectShape, _ cursor: inout JSONCursor, _ walk: inout StrictWalk, depth: Int
    ) throws(InvalidJSON) -> KeySet {
        let seen = try walk.object(&cursor, depth: depth, number: shape.keys.number) {
            walk, number, cursor throws(InvalidJSON) in
            try readMember(number, of: shape, &cursor, &walk, depth: depth + 1)
        } skipped: { key, name, value, bytes in
            guard value.kind != .null else { return }
            let name = name ?? key.range.prefix(Self.notedBytes).map { bytes[$0] }
            note(shape, String(decoding: name.prefix(Self.notedBytes), as: UTF8.self), value.kind.rawValue)
        }
        if shape.differsByKind { nested.append((shape, seen)) }
        return seen
    }

    private mutating func readMember(
        _ number: Int, of shape: ObjectShape, _ cursor: inout JSONCursor, _ walk: inout StrictWalk, depth: Int
    ) throws(InvalidJSON) {
        let field = shape.fields[number]
        let isObject = cursor.next == UInt8(ascii: "{")
        switch field.type {
        case .subject where isObject:
            subjects.append((number, SlotValues(of: .document)))
            try readObject(.subject, &cursor, &walk, depth: depth)
        case .structure where isObject:
            guard let inner = shape.inner(number) else { return _ = try walk.value(&cursor, depth: depth) }
            if inner.sink == .commerce { hasCommerce = true }
            try readObject(inner, &cursor, &walk, depth: depth)
        case .list where cursor.next == UInt8(ascii: "["):
            guard let inner = shape.inner(number) else { return _ = try walk.value(&cursor, depth: depth) }
            try readList(&cursor, depth: depth) { parser, cursor throws(InvalidJSON) in
                try parser.readElement(inner, &cursor, &walk, depth: depth + 1)
            }
        case .tiers where cursor.next == UInt8(ascii: "["):
            guard let inner = shape.inner(number) else { return _ = try walk.value(&cursor, depth: depth) }
            try readTiers(field, inner, &cursor, &walk, depth: depth)
        default:
            let token = try walk.value(&cursor, depth: depth)
            guard token.kind != .null else { return }
            if shape.sink == .document { indicatedKinds.formUnion(field.indicatedKinds) }
            try assign(number, of: shape, token, cursor.bytes)
        }
    }

    private mutating func readList(
        _ cursor: inout JSONCursor, depth: Int,
        _ element: (inout SignedPayloadParser, inout JSONCursor) throws(InvalidJSON) -> Void
    ) throws(InvalidJSON) {
        var isFirst = true
        var count = 0
        while try cursor.nextValue(&isFirst) {
            count += 1
            guard count <= SignedDataLimits.members, depth < SignedDataLimits.depth else {
                throw cursor.failure("a list of more than \(SignedDataLimits.members) elements, or nested too deep")
            }
            try element(&self, &cursor)
        }
    }

    /// Reads an item or a refund of an item; an element that is not an object is skipped.
    private mutating func readElement(
        _ shape: ObjectShape, _ cursor: inout JSONCursor, _ walk: inout StrictWalk, depth: Int
    ) throws(InvalidJSON) {
        guard cursor.next == UInt8(ascii: "{") else {
            let token = try walk.value(&cursor, depth: depth)
            guard token.kind != .null else { return }
            return unknown.insert(path: String(shape.prefix.dropLast()), valueType: token.kind.rawValue)
        }
        switch shape.sink {
        case .item: commerce.items.append(SignedCommerce.Item())
        case .refund: withLastItem { $0.refunds.append(SlotValues(of: .refund)) }
        case .document, .subject, .commerce, .tier: break
        }
        try readObject(shape, &cursor, &walk, depth: depth)
    }

    /// Reads the tiers of seats, and adds up their prices. There is no sum if a tier has no price or no quantity, or if
    /// the sum is too great.
    private mutating func readTiers(
        _ field: ReadField, _ shape: ObjectShape, _ cursor: inout JSONCursor, _ walk: inout StrictWalk, depth: Int
    ) throws(InvalidJSON) {
        let start = cursor.position
        var sum: Int64? = 0
        try readList(&cursor, depth: depth) { parser, cursor throws(InvalidJSON) in
            parser.tier = (nil, nil)
            try parser.readElement(shape, &cursor, &walk, depth: depth + 1)
            sum = sum.flatMap { parser.sum($0) }
        }
        guard let slot = field.slot, let derived = field.derivedSlot, cursor.position > start + 2 else { return }
        payload[text: slot] = ByteRange(offset: start, count: cursor.position - start)
        payload[number: derived] = sum
    }

    private func sum(_ former: Int64) -> Int64? {
        guard let price = tier.price, let quantity = tier.quantity, price >= 0, quantity >= 0 else { return nil }
        let (product, overflow) = price.multipliedReportingOverflow(by: quantity)
        let (sum, carry) = former.addingReportingOverflow(product)
        return overflow || carry || sum > JSONToken.maximumNumber ? nil : sum
    }

    /// Copies the values of the objects that a notification is about, which have no meaning in other kinds of
    /// documents. If there are several objects, the app and the environment come from the first in the table; any other
    /// field comes from the first object that states it.
    private mutating func takeSubjects(_ bytes: Span<UInt8>) {
        subjects.sort { $0.key < $1.key }
        guard let first = subjects.first else { return }
        for slot in SignedField.subjectSlots { payload.values.take(slot, of: first.values) }
        for subject in subjects.dropFirst() {
            for slot in SignedField.subjectSlots where !payload.has(slot) && !SignedField.appSlots.contains(slot) {
                payload.values.take(slot, of: subject.values)
            }
        }
        // A token states its environment only in its identifier.
        guard first.key == Self.externalPurchaseToken, let token = payload[.externalPurchaseID],
            payload[.environment] == nil
        else { return }
        let isSandbox = starts(token, with: Self.sandboxPrefix, bytes)
        payload[.environment] = append(isSandbox ? Self.productionSandbox : Self.production)
    }

    private static let externalPurchaseToken = ObjectShape.payload.number(of: "externalPurchaseToken")

    private func starts(_ text: ByteRange, with prefix: [UInt8], _ bytes: Span<UInt8>) -> Bool {
        guard text.count >= prefix.count else { return false }
        return prefix.indices.allSatisfy { index in
            let place = text.offset + index
            return prefix[index] == (place < appendedStart ? bytes[place] : appended[place - appendedStart])
        }
    }

    /// Stores the value of a member in the field's slot, if the value has the field's type.
    private mutating func assign(
        _ number: Int, of shape: ObjectShape, _ token: JSONToken, _ bytes: Span<UInt8>
    ) throws(InvalidJSON) {
        let field = shape.fields[number]
        guard field.type.accepts(token.kind) else { return note(shape, number, token.kind.rawValue) }
        if field.type.isText {
            let text: ByteRange? =
                switch field.type {
                case .environment: try environment(token, bytes)
                case .json: ByteRange(offset: token.range.lowerBound, count: token.range.count)
                default: try text(token, bytes)
                }
            store(text, field, shape.sink)
            guard let values = field.values, let text, !isKnown(token, values, bytes) else { return }
            if let derived = field.derivedSlot { payload[text: derived] = text }
            note(shape, number, "string \"\(string(token, bytes))\"")
        } else {
            let value: Int64? =
                switch field.type {
                case .date: token.date(bytes)
                case .signingDate: token.milliseconds(bytes)
                case .identifier: token.identifier(bytes)
                case .flag: token.flag
                case .share: token.share(bytes)
                default: token.number(bytes)
                }
            store(value, number, field, shape.sink)
            if let value {
                if let codes = field.codes, field.type == .code, !(0..<64 ~= value && codes >> UInt64(value) & 1 == 1) {
                    note(shape, number, "number \(value)")
                }
            } else if field.type != .date, !token.range.isEmpty {
                note(shape, number, token.kind.rawValue)
            }
        }
    }

    private mutating func store(_ text: ByteRange?, _ field: ReadField, _ sink: ObjectShape.Sink) {
        guard let slot = field.slot else { return }
        switch sink {
        case .document: payload[text: slot] = text
        case .subject: withLastSubject { $0[text: slot] = text }
        case .commerce: commerce.values[text: slot] = text
        case .item: withLastItem { $0.values[text: slot] = text }
        case .refund: withLastItem { $0.withLastRefund { $0[text: slot] = text } }
        case .tier: break
        }
    }

    private mutating func store(_ value: Int64?, _ number: Int, _ field: ReadField, _ sink: ObjectShape.Sink) {
        if sink == .tier {
            if field.type == .amount { tier.price = value } else { tier.quantity = value }
        }
        guard let slot = field.slot else { return }
        switch sink {
        case .document: payload[number: slot] = value
        case .subject: withLastSubject { $0[number: slot] = value }
        case .commerce: commerce.values[number: slot] = value
        case .item: withLastItem { $0.values[number: slot] = value }
        case .refund: withLastItem { $0.withLastRefund { $0[number: slot] = value } }
        case .tier: break
        }
    }

    private mutating func withLastSubject(_ body: (inout SlotValues) -> Void) {
        guard let last = subjects.indices.last else { return }
        body(&subjects[last].values)
    }

    private mutating func withLastItem(_ body: (inout SignedCommerce.Item) -> Void) {
        guard let last = commerce.items.indices.last else { return }
        body(&commerce.items[last])
    }

    // MARK: Unknown members

    /// The maximum number of bytes that are recorded of a name or value; a name may have a megabyte.
    private static let notedBytes = 4 * UnknownMembers.maximumPathLength

    private mutating func note(_ shape: ObjectShape, _ number: Int, _ valueType: String) {
        note(shape, String(decoding: shape.keys.names[number], as: UTF8.self), valueType)
    }

    private mutating func note(_ shape: ObjectShape, _ name: String, _ valueType: String) {
        var prefix = shape.prefix
        if shape.sink == .subject, let subject = subjects.last {
            prefix = String(decoding: ObjectShape.payload.keys.names[subject.key], as: UTF8.self) + "."
        }
        unknown.insert(path: prefix + name, valueType: valueType)
    }

    private func isKnown(_ token: JSONToken, _ values: KeySet, _ bytes: Span<UInt8>) -> Bool {
        let number: Int? =
            if token.hasEscapes {
                JSONString.unescaped(bytes, in: token.range).flatMap {
                    ReadField.knownValues.number($0.span, $0.indices)
                }
            } else {
                ReadField.knownValues.number(bytes, token.range)
            }
        return number.map(values.contains) ?? false
    }

    private func string(_ token: JSONToken, _ bytes: Span<UInt8>) -> String {
        let text = token.range.prefix(Self.notedBytes).map { bytes[$0] }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: The kind

    /// Decides the kind of the payload by its members, never by the place of the document.
    private mutating func finish(_ bytes: Span<UInt8>, _ seen: KeySet) throws(MalformedSignedData) {
        guard let found = SignedDocumentKind.all.first(where: { indicatedKinds.contains($0.fields) }) else {
            let nouns = SignedDocumentKind.all.map(\.noun).joined(separator: ", ")
            throw MalformedSignedData(.kind, "the payload is none of these: \(nouns)")
        }
        payload.kind = found.kind
        noteForeign(seen, found.fields)
        if found.kind == .notification { takeSubjects(bytes) }
        if found.kind == .appTransaction {
            payload[.environment] = payload[.receiptType]
            payload[.signedDate] = payload[.receiptCreationDate]
        }
        if let (field, name) = found.required { try require(field, "a \(found.noun) without \(name)") }
        if hasCommerce || !unknown.isEmpty {
            payload.extras = SignedExtras(commerce: hasCommerce ? commerce : nil, unknown: unknown)
        }
        try requireShort(.environment, "environment")
        try requireShort(.bundleID, "bundleId")
        try requireShort(.applicationVersion, "applicationVersion")
        try requireShort(.originalApplicationVersion, "originalApplicationVersion")
    }

    /// Records the members that only other kinds of documents are known to have.
    private mutating func noteForeign(_ seen: KeySet, _ kind: SignedKinds) {
        noteForeign(seen, of: .payload, kind)
        for (shape, seen) in nested { noteForeign(seen, of: shape, kind) }
    }

    private mutating func noteForeign(_ seen: KeySet, of shape: ObjectShape, _ kind: SignedKinds) {
        let foreign = seen.subtracting(shape.known(of: kind))
        guard !foreign.isEmpty else { return }
        for number in shape.fields.indices where foreign.contains(number) {
            let name = String(decoding: shape.keys.names[number], as: UTF8.self)
            // If the value is also unknown, the member has already been recorded with it.
            guard !unknown.members.contains(where: { $0.path == shape.prefix + name }) else { continue }
            note(shape, name, shape.fields[number].type.jsonKind.rawValue)
        }
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

    /// Reads a text that is stored. A text with NUL is refused, as in receipts, because it would end there in a text
    /// column. In JSON, NUL can only be written as an escape.
    private mutating func text(_ token: JSONToken, _ bytes: Span<UInt8>) throws(InvalidJSON) -> ByteRange? {
        guard token.kind == .string, !token.range.isEmpty else { return nil }
        guard token.hasEscapes else { return ByteRange(offset: token.range.lowerBound, count: token.range.count) }
        guard let text = JSONString.unescaped(bytes, in: token.range) else { return nil }
        guard !text.contains(0) else { throw InvalidJSON(what: "a text with NUL", offset: token.range.lowerBound) }
        return append(text)
    }

    private mutating func environment(_ token: JSONToken, _ bytes: Span<UInt8>) throws(InvalidJSON) -> ByteRange? {
        guard token.kind == .string else { return nil }
        let isSandbox =
            token.hasEscapes
            ? JSONString.unescaped(bytes, in: token.range) == Self.sandbox
            : ByteSearch.isEqual(bytes, token.range, Self.sandbox)
        return try isSandbox ? append(Self.productionSandbox) : text(token, bytes)
    }
}

extension SignedField {
    /// The slots of values that a notification states in the object that it is about.
    fileprivate static let subjectSlots = table.compactMap { $0.place == .subject ? $0.slot : nil }
    /// The slots of values that state the app and the environment.
    fileprivate static let appSlots: [Slot] = [
        .text(TextField.bundleID.rawValue), .text(TextField.environment.rawValue),
        .number(NumberField.appAppleID.rawValue),
    ]
}
