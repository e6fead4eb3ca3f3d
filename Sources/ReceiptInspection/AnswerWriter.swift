internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification

/// Puts an report into the format that was asked for.
struct AnswerWriter: Sendable {
    let format: VerifyRun.Format
    let expectation: ReceiptExpectation

    func answer(_ report: VerificationReport, _ presented: PresentedReceipt, isPretty: Bool) -> String {
        let octets = presented.octets.span
        if format == .text {
            return report.text(of: presented.place, expecting: expectation, octets)
        }
        var json = JSONWriter(isPretty: isPretty)
        json.open()
        if format == .json { presented.writePlace(to: &json) }
        write(report, octets, to: &json)
        json.close()
        json.endLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    func answer(_ fault: Unreadable, _ presented: PresentedReceipt, isPretty: Bool) -> String {
        if format == .text {
            var sheet = TextSheet()
            sheet.line(0, "\(presented.place): REFUSED")
            sheet.field(1, "unreadable", "\(fault.reason.rawValue): \(fault.detail)")
            return sheet.text
        }
        var json = JSONWriter(isPretty: isPretty)
        json.open()
        if format == .json { presented.writePlace(to: &json) }
        write(fault, to: &json)
        json.close()
        json.endLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Writes the members of an answer; the caller has begun the object.
    func write(_ report: VerificationReport, _ octets: Span<UInt8>, to json: inout JSONWriter) {
        switch format {
        case .verifyReceipt:
            VerifyReceiptAnswer(report: report, environment: expectation.environment).write(to: &json, octets)
        case .json, .text: report.write(to: &json, expecting: expectation, octets)
        }
    }

    func write(_ fault: Unreadable, to json: inout JSONWriter) {
        switch format {
        case .verifyReceipt: json.member("status", VerifyReceiptAnswer.Status.malformed.rawValue)
        case .json, .text:
            json.member("accepted", false)
            fault.write(to: &json)
        }
    }
}

extension PresentedReceipt {
    /// The file, and the line where there is one.
    var place: String {
        let name = path == "-" ? "standard input" : TerminalText.harmless(path)
        return line.map { "\(name):\($0)" } ?? name
    }

    /// Writes where a receipt stands, as members.
    func writePlace(to json: inout JSONWriter) {
        json.member("source", path)
        if let line { json.member("line", line) }
    }
}
