internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// A part of a signed string, decoded up to its first fault.
struct DecodedPart {
    let characters: [UInt8]
    let bytes: [UInt8]
    /// The members of the part's JSON, in a header or payload.
    let listing: JSONListing
    /// The faults of the part's characters and of its JSON.
    let faults: [String]
    /// States where decoding stopped; nil if the whole part was decoded.
    let cut: String?

    init(_ name: String, _ characters: ArraySlice<UInt8>) {
        self.characters = Array(characters)
        let decodable = characters.prefix { Self.alphabet.contains($0) }
        // Zeros complete the last group of four characters, so that a partial group is decoded, too.
        let groups = decodable + repeatElement(UInt8(ascii: "A"), count: 3 - (decodable.count + 3) % 4)
        var buffer = ByteBuffer(capacity: groups.count)
        _ = buffer.appendBase64(Array(groups).span, in: 0..<groups.count)
        bytes = Array(buffer.bytes.prefix(decodable.count * 6 / 8))
        listing = JSONListing(reading: bytes)
        cut =
            decodable.count < characters.count
            ? "the \(name) is read up to character \(decodable.count) of its \(characters.count)" : nil
        let fault = listing.fault.map { "the \(name): \($0.what) (character \($0.offset + 1) of its JSON)" }
        faults = characters.isEmpty ? ["the \(name) is empty"] : [cut, fault].compactMap { $0 }
    }

    /// The characters of base64 and of base64url.
    private static let alphabet = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/".utf8)

    // MARK: Writing

    /// Writes the fields of the JSON, each with its meaning, or with a mark if it is unknown.
    func write(_ key: StaticString, to report: inout ReportWriter, _ known: KnownMembers) {
        let members = listing.members
        report.section(key, "\(key): \(bytes.count) bytes, \(members.count) fields") { report in
            report.member("bytes", bytes.count)
            report.member("readable", cut == nil && listing.fault == nil)
            Self.write(members, of: known, beside: members, to: &report)
        }
    }

    /// - Parameter known: the possible members of the object or array; nil if they are unknown.
    private static func write(
        _ members: [ListedMember], of known: KnownMembers?, beside top: [ListedMember], to report: inout ReportWriter
    ) {
        // The currency of an amount is in the same object or, if that has none, in the outermost one.
        let beside = members.contains { $0.name == "currency" } ? members : top
        let currency = beside.first { $0.name == "currency" }?.text?.string
        let knowledge = members.map { known?.knowledge(of: $0) ?? MemberKnowledge() }
        let title = { (index: Int) in members[index].line(knowledge[index], currency: currency) }
        report.list("fields", Array(zip(members, knowledge)), title: title) { report, pair in
            let (member, knowledge) = pair
            let field = knowledge.field
            report.member("name", member.name)
            report.member("meaning", field?.meaning)
            report.member("unknown", knowledge.unknown)
            report.member("whole", member.isWhole)
            if !member.isListed { report.member("value", member) }
            if let words = member.words(field, currency: currency) { report.member(words.key, words.text) }
            if member.isListed {
                write(member.members, of: known?.members(within: member, knowledge), beside: beside, to: &report)
            }
        }
    }
}

extension ListedMember: FieldValue {
    /// Whether members are listed instead of a value: for an object, and for an array with objects.
    var isListed: Bool {
        !members.isEmpty && (kind == .object || members.contains { $0.kind == .object })
    }

    /// Writes the value as valid JSON. An incomplete value, and half a surrogate pair, which some readers reject, are
    /// written as texts.
    func write(to json: inout JSONWriter) {
        switch kind {
        case .array where isWhole && !members.isEmpty:
            json.openArray()
            for element in members { element.write(to: &json) }
            json.closeArray()
        case .number, .boolean, .null: json.written(written)
        case .object where written == Array("{}".utf8), .array where written == Array("[]".utf8): json.written(written)
        case .string, .object, .array: json.value(shown)
        }
    }

    /// The maximum number of a value's characters that are shown in text.
    private static let shownCharacters = 120
    private static let nameWidth = 28

    /// The field as a line of text.
    func line(_ knowledge: MemberKnowledge, currency: String?) -> String {
        var value = isListed ? "" : DocumentText(shown).shortened(over: Self.shownCharacters, to: 24)
        if !isWhole { value += value.isEmpty ? "(cut short)" : " (cut short)" }
        value += knowledge.mark
        if knowledge.unknown == nil, let words = words(knowledge.field, currency: currency) {
            value += " = \(words.text ?? "no date")"
        }
        let content = [value, knowledge.explanation.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }
        let label = TerminalText.padded(
            name.string, to: max(Self.nameWidth, TerminalText.width(of: name.string) + 1))
        return content.isEmpty ? name.string : label + content.joined(separator: "  ")
    }

    /// The meaning of a number in words, and the JSON key for them; nil for a number without words. The words
    /// themselves are nil if the number should be a date and is not.
    func words(_ field: SignedField?, currency: String?) -> (key: StaticString, text: String?)? {
        guard let field, let integer else { return nil }
        switch field.type {
        case .date, .signingDate:
            return ("date", ReceiptDate.range.contains(integer) ? integer.date : nil)
        case .amount: return ("amount", SignedWords.amount(ofMilliunits: integer, currency: currency))
        case .share: return ("share", SignedWords.share(ofMilliPercent: integer))
        case .code: return field.words[integer].map { ("words", $0) }
        default: return nil
        }
    }
}
