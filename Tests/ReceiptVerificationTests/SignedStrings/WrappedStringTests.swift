import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification

/// Base64 of a signed string's characters decodes to bytes that have its digest.
@Suite("A signed string in base64 once more")
struct WrappedStringTests {
    private struct EmptyDatabase: ReceiptLookup {
        func storedReceipts(_ digests: [SHA256Digest]) throws(MillError) -> [Int64?] { digests.map { _ in nil } }
    }

    private let store: SignedStringStore
    private let string, wrapped: String

    init() throws {
        store = try SignedStringStore()
        string = try store.sign()
        wrapped = Data(string.utf8).base64EncodedString()
    }

    private func verifier(_ known: KnownReceipts) throws -> LineVerifier {
        try LineVerifier(
            keys: LineKeys(), limits: Limits(), anchors: store.anchors, issuers: CertificatePool(),
            known: (known, EmptyDatabase()))
    }

    /// The outcomes of lines, those of a batch after another, verified in some order.
    private func outcomes(_ batches: [[String]], verifying order: [Int]) throws -> [[String]] {
        let known = KnownReceipts(startedEmpty: true)
        var outcomes = batches.map { _ in [String]() }
        for sequence in order {
            let text = Array(batches[sequence].map { $0 + "\n" }.joined().utf8)
            let verified = try verifier(known).verify(LineBatch(sequence: sequence, content: .lines(text)))
            outcomes[sequence] =
                verified.rejections.map { "\($0.line + 1): \($0.cause.reason.rawValue)" }
                + verified.submissions.map { "\($0.line + 1): submitted" }
                + verified.receipts.map(\.verification.verdict.rawValue)
        }
        for sequence in batches.indices { #expect(known.takeOvertaken(of: sequence).isEmpty) }
        return outcomes
    }

    @Test("is the signed string, alone and beside it")
    func isTheString() throws {
        #expect(try outcomes([[wrapped, string]], verifying: [0]) == [["1: submitted", "2: submitted", "trusted"]])
        let line = #"{"receipt":"\#(wrapped)","jws":"\#(string)"}"#
        #expect(try outcomes([[line]], verifying: [0]) == [["1: submitted", "trusted"]])
    }
}
