extension ByteReader {
    /// Whether a PKCS#7 container of signed data follows (RFC 5652, 3 and 5.1), judged by its first bytes: the
    /// container may be cut short.
    package var beginsWithContainer: Bool {
        var reader = self
        var contentInfo = reader.readClippedContent(Tag.sequence)
        guard let kind = contentInfo.readClippedElement(Tag.objectIdentifier) else { return false }
        return matches(kind.content, ObjectIdentifier.signedData)
    }
}
