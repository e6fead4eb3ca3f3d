internal import ReceiptFormat

/// The roots that chains must lead to.
///
/// Receipts carry their root, so a fingerprint is enough to know it by; an
/// anchor given as a certificate serves receipts that don't carry it, too.
public struct TrustAnchors: Sendable, Hashable {
    public private(set) var fingerprints: Set<SHA256Digest> = []
    /// DER of the anchors that were given as certificates.
    public private(set) var certificates: [[UInt8]] = []
    /// Those below which nobody but the user signs, so that signers need no
    /// markers to be told from others.
    private var withoutMarkers: Set<SHA256Digest> = []

    /// No anchors: nothing is trusted.
    public init() {}

    /// Apple Root CA, valid to 2035-02-09, by its SHA-256 fingerprint
    /// (https://www.apple.com/certificateauthority/).
    public static let apple: TrustAnchors = {
        var anchors = TrustAnchors()
        let hex = "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"
        if let fingerprint = SHA256Digest(hex: hex) { anchors.insert(fingerprint) }
        return anchors
    }()

    public mutating func insert(_ fingerprint: SHA256Digest) {
        fingerprints.insert(fingerprint)
    }

    public mutating func formUnion(_ other: TrustAnchors) {
        fingerprints.formUnion(other.fingerprints)
        withoutMarkers.formUnion(other.withoutMarkers)
        certificates.append(contentsOf: other.certificates)
    }

    /// Waives the markers below all anchors that there are now. Below Apple's root
    /// every developer could sign receipts then: it stays as it is.
    public mutating func waiveMarkers() {
        withoutMarkers = fingerprints.subtracting(Self.apple.fingerprints)
    }

    /// Whether a chain to this anchor needs no markers. One that another has
    /// issued always does: whoever pins an intermediate of Apple's has not made
    /// the certificates below it.
    func waivesMarkers(below anchor: Certificate) -> Bool {
        anchor.isSelfIssued && withoutMarkers.contains(anchor.fingerprint)
    }

    /// Adds the certificates of a file's bytes: one in DER, or any number in PEM
    /// (RFC 7468).
    ///
    /// - Returns: how many were added; 0 where the bytes hold no certificate.
    public mutating func insertCertificates(of file: [UInt8]) throws(OpenSSLError) -> Int {
        let digest = try MessageDigest()
        var added = 0
        for der in PEM.certificates(in: file) ?? [file] {
            let range = ByteRange(offset: 0, count: der.count)
            guard let certificate = try Certificate(der.span, in: range, digest: digest) else { continue }
            fingerprints.insert(certificate.fingerprint)
            certificates.append(der)
            added += 1
        }
        return added
    }
}
