/// The roots that chains must lead to.
///
/// App receipts contain their root, so a fingerprint is enough to recognize it. A root given as a certificate also
/// applies to receipts that don't contain it, and to those that contain another certificate with the same name and key.
public struct TrustAnchors: Sendable, Hashable {
    /// The SHA-256 fingerprints of all anchors of receipts.
    public private(set) var fingerprints: Set<SHA256Digest> = []
    /// The SHA-256 fingerprints of all anchors of signed data.
    public private(set) var signedDataFingerprints: Set<SHA256Digest> = []
    /// The DER of the anchors that were given as certificates.
    public private(set) var certificates: [[UInt8]] = []
    /// The anchors below which only the user issues certificates, so that signers need no markers (Apple's certificate
    /// extensions).
    private var withoutMarkers: Set<SHA256Digest> = []
    /// The fingerprints of given certificates that have the name and the key of one of Apple's roots.
    private var rootsOfApple: Set<SHA256Digest> = []

    /// No anchors: nothing is trusted.
    public init() {}

    /// Apple's roots by their SHA-256 fingerprints (https://www.apple.com/certificateauthority/): Apple Root CA for
    /// receipts, valid until 2035-02-09, and Apple Root CA - G3 for signed data, valid until 2039-04-30.
    public static let apple: TrustAnchors = {
        var anchors = TrustAnchors()
        if let root = AppleRoot.root { anchors.fingerprints.insert(root.fingerprint) }
        if let rootG3 = AppleRoot.rootG3 { anchors.signedDataFingerprints.insert(rootG3.fingerprint) }
        return anchors
    }()

    /// The fingerprints of the anchors for a purpose.
    func fingerprints(for purpose: SigningPurpose) -> Set<SHA256Digest> {
        purpose == .signedData ? signedDataFingerprints : fingerprints
    }

    /// Adds the anchor with this fingerprint, for receipts and signed data.
    public mutating func insert(_ fingerprint: SHA256Digest) {
        fingerprints.insert(fingerprint)
        signedDataFingerprints.insert(fingerprint)
    }

    /// Adds the anchors that a word names: `apple`, or `sha256:` and the 64 hexadecimal digits of a fingerprint.
    ///
    /// - Returns: whether the word names any anchor.
    public mutating func insert(named word: String) -> Bool {
        if word.utf8.elementsEqual("apple".utf8) {
            formUnion(.apple)
            return true
        }
        let prefix = "sha256:".utf8
        // Bit 5 distinguishes capital letters from small ones.
        guard word.utf8.count > prefix.count, zip(word.utf8, prefix).allSatisfy({ $0 | 0x20 == $1 | 0x20 }),
            let fingerprint = SHA256Digest(hex: word.dropFirst(prefix.count))
        else { return false }
        insert(fingerprint)
        return true
    }

    /// Adds all anchors of `other`, and its exemptions from markers.
    public mutating func formUnion(_ other: TrustAnchors) {
        fingerprints.formUnion(other.fingerprints)
        signedDataFingerprints.formUnion(other.signedDataFingerprints)
        withoutMarkers.formUnion(other.withoutMarkers)
        rootsOfApple.formUnion(other.rootsOfApple)
        certificates.append(contentsOf: other.certificates)
    }

    /// Exempts all present anchors from requiring Apple's markers, except Apple's roots: below those, every developer
    /// could sign receipts without markers.
    public mutating func waiveMarkers() {
        withoutMarkers = fingerprints.union(signedDataFingerprints)
            .subtracting(AppleRoot.fingerprints).subtracting(rootsOfApple)
    }

    /// Whether an anchor is one of Apple's roots, by its fingerprint, or by the name and key of the given certificate.
    public var holdsRootOfApple: Bool {
        !rootsOfApple.isEmpty
            || !fingerprints.union(signedDataFingerprints).isDisjoint(with: AppleRoot.fingerprints)
    }

    /// Whether ``waiveMarkers()`` was called for the anchor with this fingerprint.
    func waivesMarkers(below fingerprint: SHA256Digest) -> Bool { withoutMarkers.contains(fingerprint) }

    /// Adds the certificates of a file's bytes: one in DER, or any number in PEM
    /// (RFC 7468).
    ///
    /// - Returns: the number of certificates that were added; 0 if the bytes contain none.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the bytes.
    public mutating func insertCertificates(of file: [UInt8]) throws(OpenSSLError) -> Int {
        let found = try PEM.certificates(in: file, digest: MessageDigest())
        for (certificate, der) in found {
            insert(certificate.fingerprint)
            certificates.append(der)
            if AppleRoot.recognized(certificate) != nil { rootsOfApple.insert(certificate.fingerprint) }
        }
        return found.count
    }
}
