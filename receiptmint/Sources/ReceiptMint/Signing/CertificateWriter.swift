/// What a certificate is to state, and the writing of it (RFC 5280 4.1).
struct CertificateRequest: Changeable {
    var subject: DistinguishedName
    var serial: Int64
    var validity: ClosedRange<CalendarTime>
    var isAuthority = false
    /// The maximum number of authorities below, where limited.
    var pathLimit: Int64?
    /// Arcs of an extension that marks the purpose, with NULL as its value, as Apple's have it.
    var marker: [UInt64]?
}

/// The names that the mint gives to subjects: all of one country and organization.
struct DistinguishedName: Sendable {
    /// The name by which certificates of one issuer differ.
    let commonName: String
    let unit: String

    static let organization = "ReceiptMill Throw-away Authority"

    /// RFC 5280 4.1.2.4: one attribute in each relative name.
    var encoded: [UInt8] {
        func relative(_ attribute: UInt64, _ value: [UInt8]) -> [UInt8] {
            DER.set(DER.sequence(DER.objectIdentifier([2, 5, 4, attribute]), value))
        }
        return DER.sequence(
            relative(6, DER.printableString("US")), relative(10, DER.utf8String(Self.organization)),
            relative(11, DER.utf8String(unit)), relative(3, DER.utf8String(commonName)))
    }
}

/// A key that certificates are issued for and signed with.
protocol CertificateKey: Sendable {
    /// Content of the BIT STRING of SubjectPublicKeyInfo (RFC 5280 4.1.2.7).
    var publicKey: [UInt8] { get }
    /// AlgorithmIdentifier of the public key.
    var keyAlgorithm: [UInt8] { get }
    /// AlgorithmIdentifier of what it signs.
    var signatureAlgorithm: [UInt8] { get }

    /// The signature as documents hold it.
    func sign(_ document: [UInt8], digest: Digest) throws -> [UInt8]
    /// The signature as certificates hold it.
    func signCertificate(_ toBeSigned: [UInt8]) throws -> [UInt8]
}

/// An issued certificate: DER, and what signing receipts or further certificates takes of it.
struct Certificate: Sendable {
    /// DER.
    let encoded: [UInt8]
    /// Whom it is issued to.
    let subject: DistinguishedName
    let issuer: DistinguishedName
    let serial: Int64

    /// `key` is the subject's; without an issuer the certificate signs itself.
    /// An impostor's certificate names the issuer's key but is signed with another.
    init(
        _ request: CertificateRequest, key: any CertificateKey, issuer: DistinguishedName? = nil,
        issuerKey: (any CertificateKey)? = nil, signedWith otherKey: (any CertificateKey)? = nil
    ) throws {
        let issuerName = issuer ?? request.subject
        let namedKey = issuerKey ?? key
        let algorithm = namedKey.signatureAlgorithm
        let toBeSigned = DER.sequence(
            DER.tagged(0, DER.integer(2)),
            DER.integer(request.serial),
            algorithm,
            issuerName.encoded,
            DER.sequence(
                DER.element(0x17, Array(request.validity.lowerBound.utcTime.utf8)),
                DER.element(0x17, Array(request.validity.upperBound.utcTime.utf8))),
            request.subject.encoded,
            DER.sequence(key.keyAlgorithm, DER.bitString(key.publicKey)),
            DER.tagged(3, try Self.extensions(request, key: key, issuerKey: namedKey)))
        let signature = try (otherKey ?? namedKey).signCertificate(toBeSigned)
        encoded = DER.sequence(toBeSigned, algorithm, DER.bitString(signature))
        subject = request.subject
        self.issuer = issuerName
        serial = request.serial
    }

    /// RFC 5280 4.2.1: key identifiers are SHA-1 of the public key (method 1 of 4.2.1.2).
    private static func extensions(
        _ request: CertificateRequest, key: any CertificateKey, issuerKey: any CertificateKey
    ) throws -> [UInt8] {
        func standard(_ arc: UInt64, critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
            let flag = critical ? DER.boolean(true) : []
            return DER.sequence(DER.objectIdentifier([2, 5, 29, arc]), flag, DER.octetString(value))
        }
        let limit = request.pathLimit.map(DER.integer) ?? []
        let constraints = request.isAuthority ? DER.sequence(DER.boolean(true), limit) : DER.sequence()
        // keyCertSign and cRLSign for authorities, digitalSignature for signers (4.2.1.3).
        let usage = request.isAuthority ? DER.bitString([0x06], unusedBits: 1) : DER.bitString([0x80], unusedBits: 7)
        var extensions =
            standard(19, critical: true, constraints)
            + standard(35, DER.sequence(DER.element(0x80, try Digest.sha1.hash(issuerKey.publicKey))))
            + standard(14, DER.octetString(try Digest.sha1.hash(key.publicKey)))
            + standard(15, critical: true, usage)
        if !request.isAuthority { extensions += standard(32, Self.policies) }
        if let marker = request.marker {
            extensions += DER.sequence(DER.objectIdentifier(marker), DER.octetString(DER.null))
        }
        return DER.sequence(extensions)
    }

    /// A policy with a notice, which real signers carry and which makes up a
    /// good part of their size (RFC 5280 4.2.1.4).
    private static let policies: [UInt8] = {
        let notice = DER.utf8String(
            "This certificate was made for samples, tests and benchmarks by an authority whose "
                + "keys anyone can make again. Nothing that it signs is to be believed.")
        let qualifier = DER.sequence(DER.objectIdentifier([1, 3, 6, 1, 5, 5, 7, 2, 2]), DER.sequence(notice))
        let policy = DER.objectIdentifier([1, 2, 840, 113635, 100, 5, 6, 1])
        return DER.sequence(DER.sequence(policy, DER.sequence(qualifier)))
    }()
}
