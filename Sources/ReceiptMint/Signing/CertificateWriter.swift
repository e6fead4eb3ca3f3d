/// What a certificate is to state, and the writing of it (RFC 5280 4.1).
struct CertificateRequest {
    var subject: DistinguishedName
    var serial: Int64
    var notBefore: CalendarTime
    var notAfter: CalendarTime
    /// Present in authorities' certificates; the greatest number of authorities below, where limited.
    var authority: PathLimit?
    /// Arcs of an extension that marks the purpose, with NULL as its value, as Apple's have it.
    var marker: [UInt64]?

    enum PathLimit {
        case any
        case atMost(Int64)
    }
}

struct DistinguishedName: Sendable {
    var commonName: String
    var unit: String

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

/// An issued certificate: DER, and what signing receipts or further certificates takes of it.
struct Certificate: Sendable {
    let encoded: [UInt8]
    let subject: DistinguishedName
    let issuer: DistinguishedName
    let serial: Int64

    /// `key` is the subject's; without an issuer the certificate signs itself.
    /// An impostor's certificate names the issuer's key but is signed with another.
    init(
        _ request: CertificateRequest, key: RSAKey, issuer: DistinguishedName? = nil, issuerKey: RSAKey? = nil,
        signedWith otherKey: RSAKey? = nil
    ) throws {
        let issuerName = issuer ?? request.subject
        let namedKey = issuerKey ?? key
        let algorithm = DER.sequence(DER.objectIdentifier([1, 2, 840, 113549, 1, 1, 11]), DER.null)
        let toBeSigned = DER.sequence(
            DER.tagged(0, DER.integer(2)),
            DER.integer(request.serial),
            algorithm,
            issuerName.encoded,
            DER.sequence(
                DER.element(0x17, Array(request.notBefore.utcTime.utf8)),
                DER.element(0x17, Array(request.notAfter.utcTime.utf8))),
            request.subject.encoded,
            DER.sequence(
                DER.sequence(DER.objectIdentifier([1, 2, 840, 113549, 1, 1, 1]), DER.null),
                DER.bitString(key.publicKey)),
            DER.tagged(3, try Self.extensions(request, key: key, issuerKey: namedKey)))
        let signature = try (otherKey ?? namedKey).sign(toBeSigned, digest: .sha256)
        encoded = DER.sequence(toBeSigned, algorithm, DER.bitString(signature))
        subject = request.subject
        self.issuer = issuerName
        serial = request.serial
    }

    /// RFC 5280 4.2.1: key identifiers are SHA-1 of the public key (method 1 of 4.2.1.2).
    private static func extensions(
        _ request: CertificateRequest, key: RSAKey, issuerKey: RSAKey
    ) throws -> [UInt8] {
        func standard(_ arc: UInt64, critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
            let flag = critical ? DER.boolean(true) : []
            return DER.sequence(DER.objectIdentifier([2, 5, 29, arc]), flag, DER.octetString(value))
        }
        let constraints: [UInt8] =
            switch request.authority {
            case .none: DER.sequence()
            case .any: DER.sequence(DER.boolean(true))
            case .atMost(let limit): DER.sequence(DER.boolean(true), DER.integer(limit))
            }
        // keyCertSign and cRLSign for authorities, digitalSignature for signers (4.2.1.3).
        let usage =
            request.authority == nil ? DER.bitString([0x80], unusedBits: 7) : DER.bitString([0x06], unusedBits: 1)
        var extensions =
            standard(19, critical: true, constraints)
            + standard(35, DER.sequence(DER.element(0x80, try Digest.sha1.hash(issuerKey.publicKey))))
            + standard(14, DER.octetString(try Digest.sha1.hash(key.publicKey)))
            + standard(15, critical: true, usage)
        if request.authority == nil {
            extensions += standard(32, Self.policies)
        }
        if let marker = request.marker {
            extensions += DER.sequence(DER.objectIdentifier(marker), DER.octetString(DER.null))
        }
        return DER.sequence(extensions)
    }

    /// A policy with a notice, which real signers carry and which makes up a
    /// good part of their size (RFC 5280 4.2.1.4).
    private static let policies: [UInt8] = DER.sequence(
        DER.sequence(
            DER.objectIdentifier([1, 2, 840, 113635, 100, 5, 6, 1]),
            DER.sequence(
                DER.sequence(
                    DER.objectIdentifier([1, 3, 6, 1, 5, 5, 7, 2, 2]),
                    DER.sequence(
                        DER.utf8String(
                            "This certificate was made for samples, tests and benchmarks by an authority whose "
                                + "keys anyone can make again. Nothing that it signs is to be believed."))))))
}
