internal import MillJSON
package import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification

/// Shows everything that stands in the receipts of files.
package struct InspectRun: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    /// Paths, "-" for standard input.
    package var inputs: [String]
    package var format = Format.text
    package var keys = LineKeys()
    package var limits = Limits()

    package init(inputs: [String]) {
        self.inputs = inputs
    }

    package struct Outcome: Sendable {
        /// Receipts that were shown whole.
        public internal(set) var readable = 0
        /// What is no receipt, or is malformed; what could be read was shown.
        public internal(set) var malformed = 0
        /// Files that can't be read; the others were.
        public internal(set) var failures: [MillError] = []
    }

    /// Writes a dump of every receipt to `sink`, in order; in JSON a single
    /// receipt over several lines, many with one line each.
    ///
    /// - Throws: what `sink` throws, and ``MillError`` for a fault of ours.
    package func run(_ sink: (String) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        let queue = PresentedReceiptQueue(inputs: inputs, keys: keys, limits: limits, isSalvaging: true)
        outcome.failures = try queue.forEach { presented, isOnly in
            let shown = try dump(presented, isPretty: isOnly)
            outcome.readable += shown.isReadable ? 1 : 0
            outcome.malformed += shown.isReadable ? 0 : 1
            try sink(shown.text)
        }
        return outcome
    }

    private func dump(
        _ presented: PresentedReceipt, isPretty: Bool
    ) throws(MillError) -> (text: String, isReadable: Bool) {
        var presented = presented
        let inspection: Inspection
        switch presented.content {
        case .success(let line): inspection = try Inspection(line, in: &presented.octets, damage: presented.damage)
        case .failure(let fault): return (dump(fault, presented, isPretty: isPretty), false)
        }
        let octets = presented.octets.span
        if format == .text {
            return (inspection.text(of: presented.place, octets), inspection.faults.isEmpty)
        }
        var json = JSONWriter(isPretty: isPretty)
        json.open()
        presented.writePlace(to: &json)
        inspection.write(to: &json, octets)
        json.close()
        json.endLine()
        return (String(decoding: json.bytes, as: UTF8.self), inspection.faults.isEmpty)
    }

    private func dump(_ fault: Unreadable, _ presented: PresentedReceipt, isPretty: Bool) -> String {
        if format == .text {
            var sheet = TextSheet()
            sheet.line(0, presented.place)
            sheet.field(1, "error", "\(fault.reason.rawValue): \(fault.detail)")
            return sheet.text
        }
        var json = JSONWriter(isPretty: isPretty)
        json.open()
        presented.writePlace(to: &json)
        json.openArray("errors")
        json.open()
        json.member("reason", fault.reason.rawValue)
        json.member("detail", fault.detail)
        json.member("offset", nil as String?)
        json.close()
        json.closeArray()
        json.close()
        json.endLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
