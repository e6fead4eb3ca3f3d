internal import Foundation
package import GRDB
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification

/// A document that is stored whole: deflated if the run keeps all receipts, otherwise plain, because a later review may
/// change its verdict.
package struct StoredDocument: Sendable {
    package let id, app: Int64
    package let verdict: Verdict
    private let kind: ReceiptKind
    private let digest: SHA256Digest
    private let bytes: Int
    private let deflated, plain: Data?

    /// Selects stored documents, one in each row; a condition is appended to it.
    package static let selection = """
        SELECT receipt_id, app_id, verdict, kind, sha256, bytes, deflated, octets
        FROM receipt LEFT JOIN raw_receipt USING (receipt_id) LEFT JOIN reviewable_receipt USING (receipt_id)
        """

    /// - Parameter path: the path of the database, for messages.
    package init(_ row: Row, path: String) throws(MillError) {
        guard let verdict = Verdict(rawValue: row[2]), let kind = ReceiptKind(rawValue: row[3]),
            let digest = SHA256Digest(bytes: row[4] as Data)
        else { throw Self.damage(path, "receipt \(row[0] as Int64) is not what was stored") }
        (id, app, self.verdict, self.kind, self.digest) = (row[0], row[1], verdict, kind, digest)
        (bytes, deflated, plain) = (row[5], row[6], row[7])
    }

    /// The document's bytes; nil if none are stored or they don't have its digest.
    package func content(_ hash: MessageDigest) throws(OpenSSLError) -> [UInt8]? {
        var copies: [[UInt8]?] = []
        if let deflated { copies.append(Deflate.inflated(deflated, bytes: bytes)) }
        if let plain { copies.append([UInt8](plain)) }
        for copy in copies {
            guard let copy, try hash.sha256(copy.span, in: copy.indices) == digest else { return nil }
        }
        return copies.last ?? nil
    }

    /// Verifies the document again.
    ///
    /// - Parameter path: the path of the database, for messages.
    /// - Throws: ``MillError`` if the stored bytes don't have the document's digest, or can't be read.
    package func verified(by verifier: ReceiptVerifier, path: String) throws(MillError) -> VerifiedBatch {
        let content = try MillError.wrapping { () throws(OpenSSLError) -> [UInt8]? in try self.content(MessageDigest())
        }
        guard let content else { throw Self.damage(path, "receipt \(id) is not what was stored") }
        let batch = try MillError.wrapping { () throws(OpenSSLError) in
            try verifier.verified(content, digest, kind)
        }
        guard batch.receipts.first != nil else {
            let detail = batch.rejections.first?.cause.detail ?? ""
            throw Self.damage(path, "receipt \(id) can't be read any more: \(detail)")
        }
        return batch
    }

    private static func damage(_ path: String, _ what: String) -> MillError {
        MillError(
            stage: .verifying, path: path, what: what,
            hint: "load the archives into a new database; this one is unchanged", exitStatus: .badData)
    }
}
