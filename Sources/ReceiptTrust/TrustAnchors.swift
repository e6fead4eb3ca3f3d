/// The roots that chains must lead to.
///
/// App receipts carry their root, so a fingerprint is enough to recognize it; an
/// anchor given as a certificate also serves receipts that don't carry it.
public struct TrustAnchors: Sendable, Hashable {
    /// The SHA-256 fingerprints of all anchors of receipts.
    public private(set) var fingerprints: Set<SHA256Digest> = []
    /// The SHA-256 fingerprints of all anchors of signed data.
    public private(set) var signedDataFingerprints: Set<SHA256Digest> = []
    /// The DER of the anchors that were given as certificates.
    public private(set) var certificates: [[UInt8]] = []
    /// The anchors under which only the user issues certificates, so that signers
    /// need no markers.
    private var withoutMarkers: Set<SHA256Digest> = []

    /// No anchors: nothing is trusted.
    public init() {}

    /// Apple's roots by their SHA-256 fingerprints
    /// (https://www.apple.com/certificateauthority/): of receipts Apple Root CA, valid
    /// to 2035-02-09, of signed data Apple Root CA - G3, valid to 2039-04-30.
    public static let apple: TrustAnchors = {
        var anchors = TrustAnchors()
        let root = SHA256Digest(hex: "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")
        let rootG3 = SHA256Digest(hex: "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
        if let root { anchors.fingerprints.insert(root) }
        if let rootG3 { anchors.signedDataFingerprints.insert(rootG3) }
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

    /// Adds all anchors of `other`, and its waivers of markers.
    public mutating func formUnion(_ other: TrustAnchors) {
        fingerprints.formUnion(other.fingerprints)
        signedDataFingerprints.formUnion(other.signedDataFingerprints)
        withoutMarkers.formUnion(other.withoutMarkers)
        certificates.append(contentsOf: other.certificates)
    }

    /// Waives Apple's markers below all present anchors except Apple's roots, below
    /// which every developer could sign receipts without them.
    public mutating func waiveMarkers() {
        withoutMarkers = fingerprints.union(signedDataFingerprints)
            .subtracting(Self.apple.fingerprints).subtracting(Self.apple.signedDataFingerprints)
    }

    /// Whether a chain to this anchor needs no markers. A chain to an anchor that is
    /// not self-issued always needs them: a user who pins an intermediate of Apple's
    /// has not issued the certificates below it.
    func waivesMarkers(below anchor: Certificate) -> Bool {
        anchor.isSelfIssued && withoutMarkers.contains(anchor.fingerprint)
    }

    /// Adds the certificates of a file's bytes: one in DER, or any number in PEM
    /// (RFC 7468).
    ///
    /// - Returns: the number of certificates that were added; 0 where the bytes hold
    ///   none.
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails, whatever the bytes.
    public mutating func insertCertificates(of file: [UInt8]) throws(OpenSSLError) -> Int {
        let found = try PEM.certificates(in: file, digest: MessageDigest())
        for (certificate, der) in found {
            insert(certificate.fingerprint)
            certificates.append(der)
        }
        return found.count
    }
}
