package import ReceiptTrust

extension TrustAnchors {
    /// Reads anchors from a text: words as for ``insert(named:)``, separated by white space, followed by any number of
    /// certificates in PEM (RFC 7468).
    ///
    /// - Returns: nil if a word names no anchor, or if the text contains none.
    package init?(text: [UInt8]) throws(OpenSSLError) {
        self.init()
        let certificates = Self.certificatesStart(text)
        var count = 0
        for word in text[..<certificates].split(whereSeparator: { $0 == 0x20 || (0x09...0x0d).contains($0) }) {
            guard insert(named: DocumentText(decoding: word).string) else { return nil }
            count += 1
        }
        if certificates < text.count {
            let found = try insertCertificates(of: Array(text[certificates...]))
            guard found > 0 else { return nil }
            count += found
        }
        guard count > 0 else { return nil }
    }

    /// The offset of the first certificate; the length of the text if there is none.
    private static func certificatesStart(_ text: [UInt8]) -> Int {
        let frame = "-----BEGIN ".utf8
        return text.indices.first { text[$0...].starts(with: frame) } ?? text.count
    }
}
