internal import Synchronization

/// The throw-away authority: a root, intermediates and signers shaped and
/// marked as Apple's, and for each defect of trust a chain that has it.
///
/// All of it follows from the seed; see `RSAKey` for what that's worth.
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

    /// A signer's key, and the certificates that its receipts carry: its own first, the root last.
    struct Chain: Sendable {
        let key: RSAKey
        let signer: Certificate
        let certificates: [Certificate]
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

    init(seed: UInt64) throws {
        func key(_ name: String, bits: Int = 2_048) throws -> RSAKey {
            var random = SeededRandom(seed: seed, stream: "key " + name)
            return try RSAKey(bits: bits, random: &random)
        }
        var serials = SeededRandom(seed: seed, stream: "serials")
        func serial() -> Int64 { Int64(serials.next() >> 2) }

        let genuine = try Branch(root: "Throw-away Root CA", key: key("root"), serial: serial())
        let foreign = try Branch(root: "Throw-away Foreign Root CA", key: key("foreign root"), serial: serial())
        let (firstKey, secondKey) = (try key("first intermediate"), try key("second intermediate"))
        let first = try genuine.intermediate("G1", firstKey, serial(), .first)
        let second = try genuine.intermediate("G5", secondKey, serial(), .second)
        let unmarkedKey = try key("unmarked intermediate")
        let unmarked = try genuine.intermediate("G6", unmarkedKey, serial(), .second, marked: false)
        let foreignKey = try key("foreign intermediate")
        let abroad = try foreign.intermediate("G5", foreignKey, serial(), .second)

        let secondSigner = try key("second signer")
        chains = [
            .first: try first.chain(key("first signer"), serial(), .first),
            .second: try second.chain(secondSigner, serial(), .second),
            // The same key under another certificate: judged by the certificate, not by the key.
            .unmarked: try second.chain(secondSigner, serial(), .second, marked: false),
            .underUnmarkedIntermediate: try unmarked.chain(secondSigner, serial(), .second),
            .foreign: try abroad.chain(key("foreign signer"), serial(), .second),
            .impostor: try second.chain(key("impostor"), serial(), .second, signedWith: foreignKey),
            .weak: try second.chain(key("weak signer", bits: 1_024), serial(), .second),
        ]
        root = genuine.root.encoded
    }

    func chain(_ signer: Signer) throws -> Chain {
        guard let chain = chains[signer] else { throw MintError.library(operation: "chain lookup") }
        return chain
    }

    /// Root and the making of what stands under it.
    private struct Branch {
        let root: Certificate
        let key: RSAKey

        init(root name: String, key: RSAKey, serial: Int64) throws {
            self.key = key
            root = try Certificate(
                CertificateRequest(
                    subject: DistinguishedName(commonName: name, unit: "Throw-away Certification Authority"),
                    serial: serial, notBefore: CalendarTime(2006, 4, 25), notAfter: CalendarTime(2035, 2, 9),
                    authority: .any),
                key: key)
        }

        func intermediate(
            _ unit: String, _ intermediateKey: RSAKey, _ serial: Int64, _ era: Era, marked: Bool = true
        ) throws -> Intermediate {
            let certificate = try Certificate(
                CertificateRequest(
                    subject: DistinguishedName(
                        commonName: "Throw-away Worldwide Developer Relations Certification Authority", unit: unit),
                    serial: serial, notBefore: era.intermediate.from, notAfter: era.intermediate.until,
                    authority: .atMost(0), marker: marked ? Authority.intermediateMarker : nil),
                key: intermediateKey, issuer: root.subject, issuerKey: key)
            return Intermediate(root: root, certificate: certificate, key: intermediateKey)
        }
    }

    private struct Intermediate {
        let root: Certificate
        let certificate: Certificate
        let key: RSAKey

        func chain(
            _ signerKey: RSAKey, _ serial: Int64, _ era: Era, marked: Bool = true, signedWith otherKey: RSAKey? = nil
        ) throws -> Chain {
            let signer = try Certificate(
                CertificateRequest(
                    subject: DistinguishedName(
                        commonName: "Throw-away Mac App Store and iTunes Store Receipt Signing",
                        unit: "Throw-away Worldwide Developer Relations"),
                    serial: serial, notBefore: era.signer.from, notAfter: era.signer.until,
                    marker: marked ? Authority.signerMarker : nil),
                key: signerKey, issuer: certificate.subject, issuerKey: key, signedWith: otherKey)
            return Chain(key: signerKey, signer: signer, certificates: [signer, certificate, root])
        }
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
