internal import Synchronization

/// The throw-away authority: a root, intermediates and signers shaped and
/// marked as Apple's, and for each defect of trust a chain that has it.
///
/// All of it follows from the seed; see `RSAKey` for what that means.
struct Authority: Sendable {
    /// The trust anchor, in DER.
    let root: [UInt8]
    private let chains: [Signer: Chain]

    /// Who signs a receipt.
    enum Signer: Hashable, Sendable {
        /// As the store signed until early 2023, and since.
        case first, second
        /// Lacks the receipt-signing marker.
        case unmarked
        /// Stands under an intermediate that lacks the WWDR marker.
        case underUnmarkedIntermediate
        /// All as it should be, under another root.
        case foreign
        /// Names the genuine intermediate as its issuer, which never signed it.
        case impostor
        /// Has a key of 1024 bits.
        case weak
    }

    /// A certificate with its key and the certificates above it, the root last.
    struct Chain: Sendable {
        let key: RSAKey
        /// The signer's first.
        let certificates: [Certificate]

        /// The signer's own.
        var certificate: Certificate { certificates[0] }

        /// - Parameter otherKey: signs in place of the issuer's key.
        func issue(
            _ request: CertificateRequest, _ key: RSAKey, signedWith otherKey: RSAKey? = nil
        ) throws -> Chain {
            let issued = try Certificate(
                request, key: key, issuer: certificate.subject, issuerKey: self.key, signedWith: otherKey)
            return Chain(key: key, certificates: [issued] + certificates)
        }
    }

    /// When the store, and so the mint, went over to the second signer and to SHA-256.
    static let changeover = CalendarTime(2023, 2, 1)
    /// When the first signer and its intermediate ran out.
    static let firstSignerEnd = CalendarTime(2023, 2, 7)
    /// Markers of the intermediate (WWDR) and of the receipt signer.
    static let intermediateMarker: [UInt64] = [1, 2, 840, 113635, 100, 6, 2, 1]
    static let signerMarker: [UInt64] = [1, 2, 840, 113635, 100, 6, 11, 1]

    private static let made = Mutex<[UInt64: Authority]>([:])

    /// The authority of a seed, made once in a process: most of the time of a small
    /// run goes into its RSA keys.
    static func shared(seed: UInt64) throws -> Authority {
        try made.withLock { made in
            if let authority = made[seed] { return authority }
            let authority = try Authority(seed: seed)
            made[seed] = authority
            return authority
        }
    }

    /// Makes all keys and certificates anew.
    init(seed: UInt64) throws {
        func key(_ name: String, bits: Int = 2_048) throws -> RSAKey {
            var random = SeededRandom(seed: seed, stream: "key " + name)
            return try RSAKey(bits: bits, random: &random)
        }
        var serials = SeededRandom(seed: seed, stream: "serials")
        func serial() -> Int64 { Int64(serials.next() >> 2) }

        func root(_ name: String, _ key: RSAKey) throws -> Chain {
            let request = CertificateRequest(
                subject: DistinguishedName(commonName: name, unit: "Throw-away Certification Authority"),
                serial: serial(), notBefore: CalendarTime(2006, 4, 25), notAfter: CalendarTime(2035, 2, 9),
                authority: .any)
            return Chain(key: key, certificates: [try Certificate(request, key: key)])
        }
        func intermediate(_ unit: String, _ era: Era, marked: Bool = true) -> CertificateRequest {
            CertificateRequest(
                subject: DistinguishedName(
                    commonName: "Throw-away Worldwide Developer Relations Certification Authority", unit: unit),
                serial: serial(), notBefore: era.intermediate.from, notAfter: era.intermediate.until,
                authority: .atMost(0), marker: marked ? Self.intermediateMarker : nil)
        }
        func signer(_ era: Era, marked: Bool = true) -> CertificateRequest {
            CertificateRequest(
                subject: DistinguishedName(
                    commonName: "Throw-away Mac App Store and iTunes Store Receipt Signing",
                    unit: "Throw-away Worldwide Developer Relations"),
                serial: serial(), notBefore: era.signer.from, notAfter: era.signer.until,
                marker: marked ? Self.signerMarker : nil)
        }

        // Serial numbers follow the order of these statements.
        let genuine = try root("Throw-away Root CA", key("root"))
        let foreign = try root("Throw-away Foreign Root CA", key("foreign root"))
        let first = try genuine.issue(intermediate("G1", .first), key("first intermediate"))
        let second = try genuine.issue(intermediate("G5", .second), key("second intermediate"))
        let unmarked = try genuine.issue(intermediate("G6", .second, marked: false), key("unmarked intermediate"))
        let foreignKey = try key("foreign intermediate")
        let abroad = try foreign.issue(intermediate("G5", .second), foreignKey)
        let secondSigner = try key("second signer")
        chains = [
            .first: try first.issue(signer(.first), key("first signer")),
            .second: try second.issue(signer(.second), secondSigner),
            // The same key under another certificate: the certificate decides, not the key.
            .unmarked: try second.issue(signer(.second, marked: false), secondSigner),
            .underUnmarkedIntermediate: try unmarked.issue(signer(.second), secondSigner),
            .foreign: try abroad.issue(signer(.second), key("foreign signer")),
            .impostor: try second.issue(signer(.second), key("impostor"), signedWith: foreignKey),
            .weak: try second.issue(signer(.second), key("weak signer", bits: 1_024)),
        ]
        self.root = genuine.certificate.encoded
    }

    /// The chain for a kind of signer.
    func chain(_ signer: Signer) throws -> Chain {
        guard let chain = chains[signer] else { throw SigningError(operation: "chain lookup") }
        return chain
    }

    /// When certificates are valid. The first era's times are Apple's. The
    /// second era's hold for every receipt that the mint makes, so that a
    /// defective chain of it has one defect only.
    private struct Era {
        let intermediate: (from: CalendarTime, until: CalendarTime)
        let signer: (from: CalendarTime, until: CalendarTime)

        static let first = Era(
            intermediate: (CalendarTime(2013, 2, 7), Authority.firstSignerEnd),
            signer: (CalendarTime(2015, 11, 13), Authority.firstSignerEnd))
        static let second = Era(
            intermediate: (CalendarTime(2018, 1, 1), CalendarTime(2030, 12, 10)),
            signer: (CalendarTime(2018, 1, 1), CalendarTime(2030, 12, 9)))
    }
}
