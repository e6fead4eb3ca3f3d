internal import Foundation
package import MillSystem
package import ReceiptTrust
internal import ReceiptVerification

/// Verifies the receipts of files and reports the result of each step.
package struct VerifyRun: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case text, json
        case verifyReceipt = "verify-receipt"
    }

    /// Paths, "-" for standard input.
    package var inputs: [String]
    package var anchors = TrustAnchors.apple
    /// Certificates that transaction receipts need and don't carry.
    package var intermediates = IssuerCertificates()
    package var expectation = ReceiptExpectation()
    package var format = Format.text
    package var keys = LineKeys()
    package var limits = Limits()
    /// Workers of a batch.
    package var jobs = ProcessInfo.processInfo.activeProcessorCount

    package init(inputs: [String]) {
        self.inputs = inputs
    }

    /// Keys of the endpoint's answer that `verify-receipt` leaves out, because no
    /// receipt holds them.
    package static var keysUnknownOffline: [String] { VerifyReceiptAnswer.absentKeys }

    package struct Outcome: Sendable {
        /// Receipts that are trusted, and match all that was asked.
        public internal(set) var accepted = 0
        public internal(set) var refused = 0
        /// Files that can't be read; the others were.
        public internal(set) var failures: [MillError] = []
    }

    /// Verifies every line and writes an answer for each to `sink`, in order.
    ///
    /// A single line is answered in JSON over several lines, many with one
    /// line each.
    ///
    /// - Throws: what `sink` throws, and ``MillError`` for an internal fault.
    package func run(_ sink: (String) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        let reporter = try VerificationReporter(self, now: Self.now())
        let reader = try PresentedReceiptReader(keys: keys, limits: limits)
        outcome.failures = try reader.forEach(in: inputs) { presented, isOnly in
            var buffer = presented.buffer
            let found = try reporter.reports(on: presented.documents.map(\.content), in: &buffer)
            outcome.accepted += accepts(found) ? 1 : 0
            outcome.refused += accepts(found) ? 0 : 1
            var report = ReportWriter(isText: format == .text, isPretty: isOnly)
            if format == .text {
                for (index, document) in found.enumerated() {
                    let word = accepts([document]) ? "accepted" : "REFUSED"
                    report.begin("\(presented.location(ofDocument: index)): \(word)", source: nil, line: nil)
                    document.write(to: &report, expecting: expectation, buffer.span)
                    report.end()
                }
            } else {
                let isLocated = format != .verifyReceipt
                report.begin(
                    source: isLocated ? presented.path : nil, line: isLocated ? presented.line : nil)
                write(found, buffer.span, to: &report)
                report.end()
            }
            try sink(report.output)
        }
        return outcome
    }

    /// Whether all documents of a line are accepted. The endpoint answered about receipts alone.
    func accepts(_ found: [VerificationReport]) -> Bool {
        guard format == .verifyReceipt else { return found.allSatisfy(\.isAccepted) }
        let choice = endpointsChoice(found)
        return choice.isAccepted && choice.signed == nil
    }

    /// Of a line's documents the one that the endpoint is answered for: the first receipt.
    private func endpointsChoice(_ found: [VerificationReport]) -> VerificationReport {
        found.first { $0.document != nil && $0.signed == nil } ?? found[0]
    }

    /// Writes the answer about a line in JSON: that of its one document, or a list of answers.
    func write(_ found: [VerificationReport], _ bytes: Span<UInt8>, to report: inout ReportWriter) {
        if format == .verifyReceipt {
            let answer = VerifyReceiptAnswer(report: endpointsChoice(found), environment: expectation.environment)
            report.inJSON { answer.write(to: &$0, bytes) }
        } else if found.count == 1 {
            found[0].write(to: &report, expecting: expectation, bytes)
        } else {
            report.member("accepted", accepts(found))
            report.list("documents", found) { $1.write(to: &$0, expecting: expectation, bytes) }
        }
    }

    package static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
