package import Foundation
package import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
package import ReceiptVerification
internal import ReceiptWarehouse

/// A receipt as it is stored.
package struct RawReceipt: Sendable {
    package let id: Int64
    package let sha256, stored: Data
    /// Whether what is stored is deflated, or the receipt itself.
    package var isDeflated = true
    /// Of the receipt.
    package let bytes: Int
    package let verdict, kind: String

    package init(id: Int64, sha256: Data, stored: Data, bytes: Int, verdict: String, kind: String) {
        (self.id, self.sha256, self.stored, self.bytes) = (id, sha256, stored, bytes)
        (self.verdict, self.kind) = (verdict, kind)
    }

    /// Verifies the receipt again.
    ///
    /// - Throws: ``MillError`` where it is not what was stored.
    package func verified(by verifier: ReceiptVerifier, database: String) throws(MillError) -> VerifiedBatch {
        guard let receipt = isDeflated ? Deflate.inflated(stored, bytes: bytes) : Array(stored),
            let digest = SHA256Digest(bytes: sha256), let kind = ReceiptKind(rawValue: kind),
            try MillError.wrapping({ () throws(OpenSSLError) in
                try MessageDigest().sha256(receipt.span, in: receipt.indices)
            }) == digest
        else { throw damage(database, "receipt \(id) is not what was stored") }
        let batch = try MillError.wrapping { () throws(OpenSSLError) in try verifier.verified(receipt, digest, kind) }
        guard batch.receipts.first != nil else {
            let detail = batch.rejections.first?.cause.detail ?? ""
            throw damage(database, "receipt \(id) can't be read any more: \(detail)")
        }
        return batch
    }

    private func damage(_ path: String, _ what: String) -> MillError {
        MillError(
            stage: .verifying, path: path, what: what,
            hint: "load the archives into a new database; this one is unchanged", exitStatus: .badData)
    }
}
