internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust

extension SignedInspection {
    /// Writes the content of the report, all but the faults.
    ///
    /// - Parameter holder: the string that holds this one. In text its header is not
    ///   shown again where it is the same.
    func write(to report: inout ReportWriter, heldBy holder: SignedInspection? = nil) {
        report.field("kind", report.isText ? kind?.rawValue ?? "not known" : kind?.rawValue)
        report.member("bytes", count)
        report.text("characters", String(count))
        report.field("sha256", digest.hex)
        if report.isText, let holder, holder.header.characters == header.characters {
            report.text("header", "the same as above")
        } else {
            writePart("header", header, SignedFieldMeaning.header, to: &report)
            writeCertificates(to: &report)
        }
        writePart("payload", payload, SignedFieldMeaning.payload, to: &report)
        writeSignature(to: &report)
        guard holder == nil else { return }
        report.list("holds", held, title: { "\(held[$0].field), opened" }) { report, held in
            report.member("field", held.field)
            held.inspection.write(to: &report, heldBy: self)
        }
    }

    private func writePart(
        _ name: StaticString, _ part: SignedPartContent, _ meanings: [DocumentText: SignedFieldMeaning],
        to report: inout ReportWriter
    ) {
        let members = part.listing.members
        report.section(name, "\(name): \(part.bytes.count) bytes, \(members.count) fields") { report in
            report.member("bytes", part.bytes.count)
            report.member("readable", part.cut(named: "\(name)") == nil && part.listing.fault == nil)
            Self.write(members, meanings, beside: members, to: &report)
        }
    }

    private func writeCertificates(to report: inout ReportWriter) {
        let count = certificates.count
        report.list("certificates", certificates, title: { "certificate \($0 + 1) of \(count)" }) {
            report, certificate in
            report.member("bytes", certificate.count)
            if certificate.description == nil {
                report.member("readable", false)
                report.text("unreadable", certificate.count.map { "\($0) bytes" } ?? "no base64")
            }
            certificate.description?.write(to: &report)
        }
    }

    private func writeSignature(to report: inout ReportWriter) {
        guard let signature else { return report.member("signature", nil as String?) }
        let bytes = signature.bytes
        let isWhole = bytes.count == ES256Signature.size
        report.section("signature", "signature: \(bytes.count) bytes") { report in
            report.member("bytes", bytes.count)
            let half = ByteRange(offset: 0, count: bytes.count / 2)
            let rest = ByteRange(offset: half.count, count: bytes.count - half.count)
            report.field("r", isWhole ? bytes.span.hex(half) : nil)
            report.field("s", isWhole ? bytes.span.hex(rest) : nil)
            let all = ByteRange(offset: 0, count: bytes.count)
            report.hex("hex", all, bytes.span)
            report.text("hex", isWhole ? nil : bytes.span.cutHex(all))
        }
    }

    // MARK: Fields

    private static func write(
        _ members: [JSONListing.Member], _ meanings: [DocumentText: SignedFieldMeaning],
        beside top: [JSONListing.Member],
        to report: inout ReportWriter
    ) {
        // Amounts deeper down are of the currency that stands beside them, else above.
        let beside = members.contains { $0.name == "currency" } ? members : top
        report.list("fields", members, title: { line(members[$0], meanings, beside: beside) }) { report, member in
            let meaning = meanings[member.name]
            let reading = reading(member, meaning, beside: beside)
            report.member("name", member.name)
            report.member("meaning", meaning?.text)
            report.member("whole", member.isWhole)
            let isListed = isListed(member)
            if !isListed {
                report.inJSON { json in
                    json.key("value")
                    write(member, to: &json)
                }
            }
            if let reading { report.member(reading.key, reading.text) }
            if isListed { write(member.members, meanings, beside: beside, to: &report) }
        }
    }

    /// Fields of objects are listed; an array where it holds objects.
    private static func isListed(_ member: JSONListing.Member) -> Bool {
        !member.members.isEmpty && (member.kind == .object || member.members.contains { $0.kind == .object })
    }

    /// Writes a value anew: what breaks off is no JSON, nor is half a surrogate pair to
    /// every reader. Such values become texts.
    private static func write(_ member: JSONListing.Member, to json: inout JSONWriter) {
        switch member.kind {
        case .array where member.isWhole && !member.members.isEmpty:
            json.openArray()
            for element in member.members { write(element, to: &json) }
            json.closeArray()
        case .number, .boolean, .null: json.written(member.written)
        case .object where member.written == Array("{}".utf8), .array where member.written == Array("[]".utf8):
            json.written(member.written)
        case .string, .object, .array: json.value(member.shown.string)
        }
    }

    /// How many characters of a value stand in text.
    private static let shownCharacters = 120

    private static func line(
        _ member: JSONListing.Member, _ meanings: [DocumentText: SignedFieldMeaning], beside: [JSONListing.Member]
    ) -> String {
        let meaning = meanings[member.name]
        var value = isListed(member) ? "" : member.shown.shortened(over: shownCharacters, to: 24)
        if !member.isWhole { value += value.isEmpty ? "(cut short)" : " (cut short)" }
        if let reading = reading(member, meaning, beside: beside) { value += " = \(reading.text ?? "no date")" }
        let isElement = member.name.utf8.first == UInt8(ascii: "[")
        let words = meaning?.text ?? (isElement ? nil : "unknown field")
        let name = member.name.string
        let label = TerminalText.padded(name, to: max(nameWidth, TerminalText.width(of: name) + 1))
        let content = [value, words.map { "(\($0))" }].compactMap { $0 }.filter { !$0.isEmpty }
        return content.isEmpty ? name : label + content.joined(separator: "  ")
    }

    private static let nameWidth = 28

    /// A value in words, and the key under which JSON has them; nil where it needs none, the
    /// words alone nil of what is no date.
    private static func reading(
        _ member: JSONListing.Member, _ meaning: SignedFieldMeaning?, beside: [JSONListing.Member]
    ) -> (key: StaticString, text: String?)? {
        guard let meaning, let integer = member.integer else { return nil }
        switch meaning.form {
        case .plain, .signedString: return nil
        case .date:
            return ("date", ReceiptDate.range.contains(integer) ? CivilTime.iso8601(milliseconds: integer) : nil)
        case .amount:
            let currency = beside.first { $0.name == "currency" }?.text?.string
            return ("amount", SignedWords.amount(ofMilliunits: integer, currency: currency))
        case .share: return ("share", SignedWords.share(ofMilliPercent: integer))
        case .number: return SignedWords.numbers[member.name]?[integer].map { ("words", $0) }
        }
    }
}
