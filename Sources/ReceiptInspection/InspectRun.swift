internal import MillJSON
package import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Shows everything that receipts in files hold.
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
    /// - Throws: what `sink` throws, and ``MillError`` for an internal fault.
    package func run(_ sink: (String) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        let reader = try PresentedReceiptReader(keys: keys, limits: limits, isSalvaging: true)
        outcome.failures = try reader.forEach(in: inputs) { presented, isOnly in
            let shown = try MillError.wrapping { () throws(OpenSSLError) in try dump(presented, isPretty: isOnly) }
            outcome.readable += shown.isReadable ? 1 : 0
            outcome.malformed += shown.isReadable ? 0 : 1
            try sink(shown.text)
        }
        return outcome
    }

    private func dump(
        _ presented: PresentedReceipt, isPretty: Bool
    ) throws(OpenSSLError) -> (text: String, isReadable: Bool) {
        var buffer = presented.buffer
        var report = ReportWriter(isText: format == .text, isPretty: isPretty)
        report.begin(presented.location, source: presented.path, line: presented.line)
        let faults: [InspectionFault]
        switch presented.content {
        case .success(let line):
            let inspection = try Inspection(line, in: &buffer, damage: presented.documents[0].damage)
            inspection.write(to: &report, buffer.span)
            faults = inspection.faults
        case .failure(let fault): faults = [InspectionFault(fault)]
        }
        report.list("errors", faults) { report, fault in
            report.text("error", "\(fault.reason.rawValue): \(fault.detail)")
            report.member("reason", fault.reason.rawValue)
            report.member("detail", fault.detail)
            report.member("offset", fault.offset)
        }
        report.end()
        return (report.output, faults.isEmpty)
    }
}
