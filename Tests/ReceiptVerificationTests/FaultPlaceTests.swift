import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification

/// A payload that can't be read is named by the byte of its receipt, wherever
/// verifiers keep it.
@Suite struct FaultPlaceTests {
    private struct EmptyDatabase: ReceiptLookup {
        func storedReceipts(_ digests: [SHA256Digest]) throws(MillError) -> [Int64?] { digests.map { _ in nil } }
    }

    /// A text that is longer than what holds it: a fault at the byte behind its length.
    private static let overlong: [UInt8] = [0x0c, 0x7e, 0x41, 0x42, 0x43]

    private func rejections(of receipts: [[UInt8]]) throws -> [Rejection] {
        let verifier = try LineVerifier(
            keys: LineKeys(), limits: Limits(), anchors: .apple, issuers: CertificatePool(),
            known: (KnownReceipts(startedEmpty: true), EmptyDatabase()))
        let lines = receipts.map { Data($0).base64EncodedString() + "\n" }.joined()
        let verified = try verifier.verify(LineBatch(sequence: 0, content: .lines(Array(lines.utf8))))
        #expect(verified.submissions.count + verified.rejections.count == receipts.count)
        return verified.rejections
    }

    @Test("The byte is the receipt's, alone, behind others, and when it comes again")
    func place() throws {
        let store = try LegacyStore()
        let fine = try (0..<3).map { number in
            try store.container(
                PayloadBytes.payload([PayloadBytes.attribute(2, PayloadBytes.text("com.example.app\(number)"))]))
        }
        let broken = try store.container(PayloadBytes.payload([PayloadBytes.attribute(2, Self.overlong)]))
        let place = try #require(Data(broken).firstRange(of: Data(Self.overlong))).lowerBound + 2
        for receipts in [[broken], fine + [broken], [broken] + fine + [broken]] {
            for rejection in try rejections(of: receipts) {
                #expect(rejection.cause.reason == .malformedPayload)
                #expect(rejection.cause.detail.hasSuffix("(attribute 2, byte \(place))"))
            }
        }
    }
}
