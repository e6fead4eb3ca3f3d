internal import ReceiptFormat
package import ReceiptTrust

/// The properties that decide how a document is read: the digest of its bytes, and its form. The
/// characters of a signed string, wrapped in base64 once more, are a receipt that can't be read,
/// and must not pass for the signed string that has the same digest.
package struct DocumentKey: Sendable, Hashable {
    package let digest: SHA256Digest
    /// Whether the document is a signed string rather than a receipt.
    package let isSignedData: Bool

    package init(_ digest: SHA256Digest, isSignedData: Bool) {
        (self.digest, self.isSignedData) = (digest, isSignedData)
    }
}

extension DecodedDocument {
    package var key: DocumentKey { DocumentKey(digest, isSignedData: signed != nil) }
}

extension VerifiedReceipt {
    package var key: DocumentKey { DocumentKey(digest, isSignedData: kind.isSignedData) }
}
