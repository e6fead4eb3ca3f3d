internal import Foundation
internal import MillJSON
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

    /// Verifies every receipt and writes an answer for each to `sink`, in order.
    ///
    /// A single receipt is answered in JSON over several lines, many with one
    /// line each.
    ///
    /// - Throws: what `sink` throws, and ``MillError`` for an internal fault.
    package func run(_ sink: (String) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        let reporter = try VerificationReporter(anchors: anchors, issuers: intermediates, expectation: expectation)
        let now = Self.now()
        let reader = try PresentedReceiptReader(keys: keys, limits: limits)
        outcome.failures = try reader.forEach(in: inputs) { presented, isOnly in
            var buffer = presented.buffer
            let answers = try presented.documents.map { document -> Answer in
                try document.content.answered { document throws(MillError) in
                    try reporter.report(on: document, in: &buffer, now: now)
                }
            }
            let isAccepted = accepts(answers)
            outcome.accepted += isAccepted ? 1 : 0
            outcome.refused += isAccepted ? 0 : 1
            var report = ReportWriter(isText: format == .text, isPretty: isOnly)
            if format == .text {
                for (index, answer) in answers.enumerated() {
                    let word = accepts([answer]) ? "accepted" : "REFUSED"
                    report.begin("\(presented.location(ofDocument: index)): \(word)", source: nil, line: nil)
                    write(answer, buffer.span, to: &report)
                    report.end()
                }
            } else {
                let isLocated = format != .verifyReceipt
                report.begin(
                    source: isLocated ? presented.path : nil, line: isLocated ? presented.line : nil)
                write(answers, buffer.span, to: &report)
                report.end()
            }
            try sink(report.output)
        }
        return outcome
    }

    /// A report, or why there is no receipt.
    typealias Answer = Result<VerificationReport, Unreadable>

    /// Whether all documents of a line are accepted. The endpoint answered about receipts alone.
    func accepts(_ answers: [Answer]) -> Bool {
        let asked = format == .verifyReceipt ? [endpointsChoice(answers)] : answers
        return asked.allSatisfy { answer in
            guard let found = try? answer.get() else { return false }
            return found.isAccepted && !(format == .verifyReceipt && found.signed != nil)
        }
    }

    /// Of a line's documents the one that the endpoint is answered for: the first receipt.
    private func endpointsChoice(_ answers: [Answer]) -> Answer {
        answers.first { (try? $0.get()).map { $0.signed == nil } ?? false } ?? answers[0]
    }

    /// Writes the answer about a line: that of its one document, or a list of answers.
    func write(_ answers: [Answer], _ bytes: Span<UInt8>, to report: inout ReportWriter) {
        guard answers.count > 1 else { return write(answers[0], bytes, to: &report) }
        guard format != .verifyReceipt else { return write(endpointsChoice(answers), bytes, to: &report) }
        report.member("accepted", accepts(answers))
        report.list("documents", answers) { write($1, bytes, to: &$0) }
    }

    /// Writes the content of an answer in the format that was asked for.
    func write(_ answer: Answer, _ bytes: Span<UInt8>, to report: inout ReportWriter) {
        switch answer {
        case .success(let found) where format == .verifyReceipt:
            let answer = VerifyReceiptAnswer(report: found, environment: expectation.environment)
            report.inJSON { answer.write(to: &$0, bytes) }
        case .success(let found): found.write(to: &report, expecting: expectation, bytes)
        case .failure where format == .verifyReceipt:
            report.member("status", VerifyReceiptAnswer.Status.malformed.rawValue)
        case .failure(let fault):
            report.member("accepted", false)
            fault.write(to: &report, as: "unreadable")
        }
    }

    package static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}

extension Result where Success == DecodedDocument, Failure == Unreadable {
    /// The report on a document that was read.
    func answered(
        _ report: (DecodedDocument) throws(MillError) -> VerificationReport
    ) throws(MillError) -> VerifyRun.Answer {
        switch self {
        case .success(let document): .success(try report(document))
        case .failure(let fault): .failure(fault)
        }
    }
}
