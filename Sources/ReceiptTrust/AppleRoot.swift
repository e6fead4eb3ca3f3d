internal import ReceiptFormat

/// A root certificate that Apple publishes (https://www.apple.com/certificateauthority/). A recognized root is not
/// thereby trusted: ``TrustAnchors`` alone decides which roots are anchors.
///
/// A root is recognized by its fingerprint, or by its name and key, because a certificate that
/// Apple issues again for the same name and key is the same trust anchor (RFC 5280, 6.1.1).
struct AppleRoot: Sendable {
    /// The SHA-256 of the published certificate.
    let fingerprint: SHA256Digest
    /// The SHA-256 of the key with its algorithm and parameters (SubjectPublicKeyInfo).
    private let key: SHA256Digest
    /// The subject in the form of RFC 2253.
    private let subject: DocumentText
    /// The documents that Apple signs below the root, in the words of a refusal.
    let use: String

    /// The root of receipts, valid until 2035-02-09.
    static let root = AppleRoot(
        "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
        key: "eb4993efa9b089e593418aa893f8e93a7374d810e52fcbe01e7f1d7e92a6d024",
        "CN=Apple Root CA,OU=Apple Certification Authority,O=Apple Inc.,C=US",
        "Apple's published root of receipts, which the anchor apple trusts for receipts alone")
    /// A root below which Apple signs no documents, valid until 2039-04-30.
    static let rootG2 = AppleRoot(
        "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
        key: "674039e472561963c8cb00d21a97a90a18bb8a1c4c317ac67e382a652bb573c0",
        "C=US,O=Apple Inc.,OU=Apple Certification Authority,CN=Apple Root CA - G2",
        "Apple's published root G2, below which the store signs neither receipts nor signed data")
    /// The root of signed data, valid until 2039-04-30.
    static let rootG3 = AppleRoot(
        "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
        key: "9b219d0fbff36a5fb32090571906bceea68617c833a3f61b81e962a8e64db8af",
        "C=US,O=Apple Inc.,OU=Apple Certification Authority,CN=Apple Root CA - G3",
        "Apple's published root G3, which the anchor apple trusts for signed data alone")

    static let all = [root, rootG2, rootG3].compactMap { $0 }
    /// The fingerprints of all published certificates.
    static let fingerprints = Set(all.map(\.fingerprint))

    /// - Returns: nil if a digest does not have 64 hexadecimal digits.
    private init?(_ fingerprint: String, key: String, _ subject: String, _ use: String) {
        guard let fingerprint = SHA256Digest(hex: fingerprint), let key = SHA256Digest(hex: key) else { return nil }
        (self.fingerprint, self.key, self.subject, self.use) = (fingerprint, key, DocumentText(subject), use)
    }

    /// Apple's root that equals a certificate; nil if it is none of Apple's roots.
    static func recognized(_ certificate: Certificate) -> AppleRoot? {
        all.first { root in
            certificate.fingerprint == root.fingerprint
                || certificate.keyDigest == root.key && DocumentText(certificate.subject) == root.subject
        }
    }

    /// The reason for not trusting a chain that ends at a root that is no anchor.
    static func refusal(of root: Certificate) -> String {
        let use = recognized(root).map { ": \($0.use)" } ?? ""
        return "the chain ends at \(root.subject), sha256:\(root.fingerprint.hex), which is no anchor\(use)"
    }
}
