internal import Foundation
internal import MillSystem
package import ReceiptArchive
package import ReceiptTrust
package import ReceiptVerification

package enum AnswerFormat: String, Sendable, CaseIterable {
    case text, json
    case verifyReceipt = "verify-receipt"
}

/// Verifies the receipts of files and reports the result of each step.
package struct VerifyRun: Sendable {
    /// The files' paths; "-" is standard input.
    package var inputs: [String]
    package var anchors = TrustAnchors.apple
    /// Certificates that transaction receipts need and don't contain.
    package var intermediates = CertificatePool()
    package var expectation = ReceiptExpectation()
    package var format = AnswerFormat.text
    package var keys = LineKeys()
    package var limits = Limits()
    /// The number of workers that answer a batch.
    package var jobs = ProcessInfo.processInfo.activeProcessorCount

    /// The time of the run, with which expiration dates are compared, in milliseconds since 1970 UTC.
    let now = Int64(Date().timeIntervalSince1970 * 1000)

    /// Whether an input is a document itself instead of a file's name.
    package static func isDocument(_ input: String) -> Bool { PresentedReceiptReader.isDocument(input) }

    package init(inputs: [String]) {
        self.inputs = inputs
    }

    /// Keys of the endpoint's answer that `verify-receipt` leaves out, because no receipt contains their values.
    package static var keysUnknownOffline: [String] { VerifyReceiptAnswer.absentKeys }

    /// Verifies every line and writes an answer for each to `sink`, in order.
    ///
    /// In JSON, if there is only one line in all files, its answer takes several lines; otherwise each answer takes one
    /// line.
    ///
    /// - Throws: the errors of `sink`, and ``MillError`` for an internal error.
    package func run(_ sink: (String) throws -> Void) throws -> LineCounts {
        var counts = LineCounts()
        let reporter = try VerificationReporter(self)
        let reader = try PresentedReceiptReader(keys: keys, limits: limits)
        counts.failures = try reader.forEach(in: inputs) { presented, isOnly in
            var report = ReportWriter(isText: format == .text, isPretty: isOnly)
            let isLocated = format != .verifyReceipt
            try answer(
                presented, source: isLocated ? presented.path : nil, number: isLocated ? presented.line : nil,
                by: reporter, to: &report, &counts)
            try sink(report.output)
        }
        return counts
    }

    /// Writes the answer about a line, and counts the line as accepted if all its documents are.
    ///
    /// - Parameters:
    ///   - source: the file that an answer in JSON names; nil for none.
    ///   - number: the number of the line that an answer in JSON states; nil for none.
    func answer(
        _ line: PresentedReceipt, source: String?, number: Int?, by reporter: VerificationReporter,
        to report: inout ReportWriter, _ counts: inout LineCounts
    ) throws(MillError) {
        var buffer = line.buffer
        let found = try reporter.reports(on: line, in: &buffer)
        let bytes = buffer.span
        counts.count(found.flatMap { $0.unknownMembers })
        guard format == .verifyReceipt else {
            let accepted = found.map(\.isAccepted)
            report.documents(of: line, accepted: accepted, source: source, number: number) {
                found[$1].write(to: &$0, bytes)
            }
            return counts.count(accepted.allSatisfy { $0 })
        }
        // The endpoint answered about one receipt, so the line's first receipt is used.
        let asked = found.first { $0.document != nil && $0.signed == nil } ?? found[0]
        report.begin(source: source, line: number)
        report.inJSON { VerifyReceiptAnswer(report: asked).write(to: &$0, bytes) }
        report.end()
        counts.count(asked.isAccepted && asked.signed == nil)
    }
}
