import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification

/// What becomes of one document.
enum Outcome: Hashable, CustomStringConvertible {
    case verdict(Verdict)
    case rejected(RejectionReason)

    var description: String {
        switch self {
        case .verdict(let verdict): verdict.rawValue
        case .rejected(let reason): "rejected: \(reason.rawValue)"
        }
    }
}

extension TrustAnchors {
    /// Anchors given as certificates.
    init(certificates: [UInt8]...) throws {
        self.init()
        for certificate in certificates { _ = try insertCertificates(of: certificate) }
    }
}

/// Verifies lines as a load does, nothing being known before.
func verify(
    lines: [UInt8], trusting anchors: TrustAnchors, keys: LineKeys = LineKeys(), limits: Limits = Limits()
) throws -> VerifiedBatch {
    try LineVerifier(keys: keys, limits: limits, anchors: anchors, issuers: CertificatePool(), known: nil)
        .verify(LineBatch(sequence: 0, content: .lines(lines)))
}

func verify(
    line: String, trusting anchors: TrustAnchors, keys: LineKeys = LineKeys()
) throws -> VerifiedBatch {
    try verify(lines: Array(line.utf8), trusting: anchors, keys: keys)
}

extension VerifiedBatch {
    /// The outcome of the only document, which has to be either a receipt or a rejection.
    var outcome: Outcome? {
        if let rejection = rejections.first {
            return receipts.isEmpty && rejections.count == 1 ? .rejected(rejection.cause.reason) : nil
        }
        return receipts.count == 1 ? .verdict(receipts[0].verification.verdict) : nil
    }

    /// What is said of the outcome.
    var detail: String { rejections.first?.cause.detail ?? receipts.first?.verification.detail ?? "" }

    /// The digests of the documents that stand in lines, in their order, by number.
    var submitted: [String] {
        submissions.map { "\($0.document):\($0.receipt.hex.prefix(8))" }
    }
}

extension SignedStringStore {
    /// Trusts this store's root.
    var anchors: TrustAnchors { get throws { try TrustAnchors(certificates: root.der) } }

    /// The transactions of a line's submissions, each with the number of its document, and the line's rejections.
    /// Expects that all transactions are trusted.
    func found(_ line: String, keys: LineKeys = LineKeys()) throws -> [String] {
        let verified = try verify(line: line, trusting: anchors, keys: keys)
        return verified.submissions.map { submission in
            let receipt = verified.receipts.first { $0.digest == submission.receipt }
            let name = receipt.flatMap { verified.purchases[$0.purchases].first }.map {
                String(decoding: verified.bytes[$0.transactionIdentifier.indices], as: UTF8.self)
            }
            #expect(receipt?.verification.verdict == .trusted)
            return "\(submission.document):\(name ?? "?")"
        } + verified.rejections.map { "\($0.document):\($0.cause.reason.rawValue)" }
    }

    func outcome(of string: SignedStringParts) throws -> (Outcome?, String) {
        let verified = try verify(line: string.text, trusting: anchors)
        return (verified.outcome, verified.detail)
    }

    /// Expects an outcome of a genuine string in which one thing was changed.
    func expect(
        _ outcome: Outcome, _ what: String, location: SourceLocation = #_sourceLocation,
        changing change: (inout SignedStringParts) throws -> Void
    ) throws {
        let (found, detail) = try self.outcome(of: string().with(change))
        #expect(found == outcome, "\(what): \(detail)", sourceLocation: location)
        if outcome != .verdict(.trusted) { #expect(!detail.isEmpty, "\(what)", sourceLocation: location) }
    }

    func expect(
        _ verdict: Verdict, _ what: String, location: SourceLocation = #_sourceLocation,
        changing change: (inout SignedStringParts) throws -> Void = { _ in }
    ) throws {
        try expect(.verdict(verdict), what, location: location, changing: change)
    }
}
