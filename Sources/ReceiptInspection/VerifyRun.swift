internal import Foundation
package import MillSystem
package import ReceiptTrust

/// Verifies the receipts of files and tells what each step said.
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
    /// receipt tells them.
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
    /// - Throws: what `sink` throws, and ``MillError`` for a fault of ours.
    package func run(_ sink: (String) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        let examiner = try VerificationReporter(anchors: anchors, issuers: intermediates, expectation: expectation)
        let answers = AnswerWriter(format: format, expectation: expectation)
        let now = Self.now()
        let queue = PresentedReceiptQueue(inputs: inputs, keys: keys, limits: limits)
        outcome.failures = try queue.forEach { presented, isOnly in
            var presented = presented
            var isAccepted = false
            let text: String
            switch presented.content {
            case .success(let line):
                let report = try examiner.examine(line, in: &presented.octets, now: now)
                isAccepted = report.isAccepted
                text = answers.answer(report, presented, isPretty: isOnly)
            case .failure(let fault):
                text = answers.answer(fault, presented, isPretty: isOnly)
            }
            outcome.accepted += isAccepted ? 1 : 0
            outcome.refused += isAccepted ? 0 : 1
            try sink(text)
        }
        return outcome
    }

    package static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
