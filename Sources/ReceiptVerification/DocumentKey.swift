internal import ReceiptFormat
package import ReceiptTrust

/// What decides how a document is read: its bytes, by their digest, and its form. The
/// characters of a signed string, wrapped in base64 once more, are a receipt that can't be
/// read; whoever knows that must not take the signed string for it.
package struct DocumentKey: Sendable, Hashable {
    package let digest: SHA256Digest
    /// Whether it is a signed string rather than a receipt.
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
