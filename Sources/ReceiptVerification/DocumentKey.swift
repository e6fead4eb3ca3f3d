internal import ReceiptFormat
package import ReceiptTrust

/// What decides how a document is read: the digest of its bytes, and its form. If the characters of a signed string are
/// wrapped in base64 once more, they are a receipt that can't be read. It has the same digest as the signed string, and
/// must not be mistaken for it.
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
