internal import Synchronization

/// The throw-away authority of signed strings, shaped and marked as the
/// store's: root and intermediate on P-384, signers on P-256; and for each
/// defect of trust a chain that has it.
///
/// All of it follows from the seed; see `ECKey` for what that means.
struct StoreAuthority: Sendable {
    /// The trust anchor, in DER.
    let root: [UInt8]
    private let signers: [Signer: Identity]

    /// Who signs a string.
    enum Signer: Hashable, Sendable {
        /// The two that follow one another.
        case first, second
        /// Lacks the receipt-signing marker.
        case unmarked
        /// Stands under an intermediate that lacks the WWDR marker.
        case underUnmarkedIntermediate
        /// All as it should be, under another root.
        case foreign
        /// Names the genuine intermediate as its issuer, which never signed it.
        case impostor
    }

    /// A key with its certificates, the root last, and the header that is the
    /// same, byte for byte, in all that it signs.
    struct Identity: Sendable {
        let key: ECKey
        /// The signer's first.
        let certificates: [Certificate]
        /// `x5c` as it stands in headers (RFC 7515 4.1.6): a list of base64, not base64url.
        let x5c: String

        init(_ key: ECKey, _ certificates: [Certificate]) {
            self.key = key
            self.certificates = certificates
            x5c = "[" + certificates.map { "\"" + Base64.standard($0.encoded) + "\"" }.joined(separator: ",") + "]"
        }

        /// - Parameter otherKey: signs in place of the issuer's key.
        func issue(_ request: CertificateRequest, _ key: ECKey, signedWith otherKey: ECKey? = nil) throws -> Identity {
            let issued = try Certificate(
                request, key: key, issuer: certificates[0].subject, issuerKey: self.key, signedWith: otherKey)
            return Identity(key, [issued] + certificates)
        }
    }

    /// When the store, and so the mint, went over to the second signer: some
    /// weeks in which both are valid.
    static let changeover = CalendarTime(2025, 9, 27)
    /// When the first signer ran out.
    static let firstSignerEnd = CalendarTime(2025, 10, 11)

    private static let made = Mutex<[UInt64: StoreAuthority]>([:])

    /// The authority of a seed, made once in a process.
    static func shared(seed: UInt64) throws -> StoreAuthority {
        try made.withLock { made in
            if let authority = made[seed] { return authority }
            let authority = try StoreAuthority(seed: seed)
            made[seed] = authority
            return authority
        }
    }

    init(seed: UInt64) throws {
        func key(_ name: String, _ curve: ECKey.Curve) throws -> ECKey {
            var random = SeededRandom(seed: seed, stream: "store key " + name)
            return try ECKey(curve, random: &random)
        }
        var serials = SeededRandom(seed: seed, stream: "store serials")
        func serial() -> Int64 { Int64(serials.next() >> 2) }

        func root(_ name: String) throws -> Identity {
            let request = CertificateRequest(
                subject: DistinguishedName(commonName: name, unit: "Throw-away Certification Authority"),
                serial: serial(), notBefore: CalendarTime(2014, 4, 30), notAfter: CalendarTime(2039, 4, 30),
                authority: .any)
            let key = try key(name, .p384)
            return Identity(key, [try Certificate(request, key: key)])
        }
        func intermediate(marked: Bool = true) -> CertificateRequest {
            CertificateRequest(
                subject: DistinguishedName(
                    commonName: "Throw-away Worldwide Developer Relations Certification Authority", unit: "G6"),
                serial: serial(), notBefore: CalendarTime(2021, 3, 17), notAfter: CalendarTime(2036, 3, 19),
                authority: .atMost(0), marker: marked ? Authority.intermediateMarker : nil)
        }
        func signer(from: CalendarTime, until: CalendarTime, marked: Bool = true) -> CertificateRequest {
            CertificateRequest(
                subject: DistinguishedName(
                    commonName: "Throw-away ECC Mac App Store and iTunes Store Receipt Signing",
                    unit: "Throw-away Worldwide Developer Relations"),
                serial: serial(), notBefore: from, notAfter: until, marker: marked ? Authority.signerMarker : nil)
        }
        let begin = CalendarTime(2023, 9, 12)
        let end = CalendarTime(2027, 10, 13)

        // Serial numbers follow the order of these statements.
        let genuine = try root("Throw-away Root CA - G3")
        let foreign = try root("Throw-away Foreign Root CA - G3")
        let issuer = try genuine.issue(intermediate(), key("intermediate", .p384))
        let unmarked = try genuine.issue(intermediate(marked: false), key("unmarked intermediate", .p384))
        let abroadKey = try key("foreign intermediate", .p384)
        let abroad = try foreign.issue(intermediate(), abroadKey)
        let second = try key("second signer", .p256)
        // Defective chains are valid for all that the mint signs, so that each has one defect only.
        signers = [
            .first: try issuer.issue(signer(from: begin, until: Self.firstSignerEnd), key("first signer", .p256)),
            .second: try issuer.issue(signer(from: CalendarTime(2025, 9, 19), until: end), second),
            .unmarked: try issuer.issue(signer(from: begin, until: end, marked: false), second),
            .underUnmarkedIntermediate: try unmarked.issue(signer(from: begin, until: end), second),
            .foreign: try abroad.issue(signer(from: begin, until: end), key("foreign signer", .p256)),
            .impostor: try issuer.issue(
                signer(from: begin, until: end), key("impostor", .p256), signedWith: abroadKey),
        ]
        self.root = genuine.certificates[0].encoded
    }

    /// Key and certificates of a kind of signer.
    func identity(_ signer: Signer) throws -> Identity {
        guard let identity = signers[signer] else { throw SigningError(operation: "signer lookup") }
        return identity
    }
}
