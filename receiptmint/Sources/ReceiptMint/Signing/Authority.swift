internal import Synchronization

/// A throw-away authority: a root, intermediates and signers shaped and
/// marked as Apple's, and for each defect of trust a chain that has it.
///
/// All of it follows from the seed; see `RSAKey` and `ECKey` for what that means.
struct Authority: Sendable {
    /// The trust anchor, in DER.
    let root: [UInt8]
    private let chains: [Signer: Chain]

    /// Who signs a document.
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
        /// Has an RSA key of 1024 bits; of receipts only: no string is signed with it.
        case weak
    }

    /// A key with its certificates, the root last.
    struct Chain: Sendable {
        let key: any CertificateKey
        /// The signer's first.
        let certificates: [Certificate]
        /// `x5c` as it stands in headers (RFC 7515 4.1.6): a list of base64, not base64url.
        let x5c: [UInt8]

        /// The signer's own.
        var certificate: Certificate { certificates[0] }

        fileprivate init(key: any CertificateKey, certificates: [Certificate]) {
            (self.key, self.certificates) = (key, certificates)
            x5c = certificates.map { Base64.standard($0.encoded) }.json
        }

        /// - Parameter otherKey: signs in place of the issuer's key.
        func issue(
            _ request: CertificateRequest, _ key: any CertificateKey, signedWith otherKey: (any CertificateKey)? = nil
        ) throws -> Chain {
            let issued = try Certificate(
                request, key: key, issuer: certificate.subject, issuerKey: self.key, signedWith: otherKey)
            return Chain(key: key, certificates: [issued] + certificates)
        }
    }

    /// What the authorities of receipts and of signed strings differ by.
    struct Shape: Sendable {
        /// Begins the names of streams of random numbers.
        let stream: String
        /// Names of certificates, and of the streams that their keys are drawn from.
        let root, foreignRoot: (name: String, key: String)
        let issuer: (unit: String, key: String)
        let signerName: String
        /// Of the first signer's intermediate, if that one isn't the second signer's.
        var firstIssuer: (unit: String, validity: ClosedRange<CalendarTime>)?
        let roots, issuers, first, second: ClosedRange<CalendarTime>
        /// Of defective chains: all that the mint signs, so that each has one defect only.
        let signed: ClosedRange<CalendarTime>
        let key: @Sendable (_ name: String, inout SeededRandom) throws -> any CertificateKey
    }

    /// Requests certificates; serial numbers follow the order of the calls.
    private struct Office {
        let shape: Shape
        var serials: SeededRandom

        mutating func root(_ name: String, _ key: any CertificateKey) throws -> Chain {
            let request = request(name, "Throw-away Certification Authority", shape.roots)
                .with { $0.isAuthority = true }
            return Chain(key: key, certificates: [try Certificate(request, key: key)])
        }

        mutating func intermediate(
            _ unit: String, _ validity: ClosedRange<CalendarTime>, marked: Bool = true
        ) -> CertificateRequest {
            let marker = marked ? Authority.intermediateMarker : nil
            return request("Throw-away Worldwide Developer Relations Certification Authority", unit, validity)
                .with { ($0.isAuthority, $0.pathLimit, $0.marker) = (true, 0, marker) }
        }

        mutating func signer(_ validity: ClosedRange<CalendarTime>, marked: Bool = true) -> CertificateRequest {
            request(shape.signerName, "Throw-away Worldwide Developer Relations", validity)
                .with { $0.marker = marked ? Authority.signerMarker : nil }
        }

        private mutating func request(
            _ name: String, _ unit: String, _ validity: ClosedRange<CalendarTime>
        ) -> CertificateRequest {
            let subject = DistinguishedName(commonName: name, unit: unit)
            return CertificateRequest(subject: subject, serial: Int64(serials.next() >> 2), validity: validity)
        }
    }

    /// Markers of the intermediate (WWDR) and of the receipt signer.
    static let intermediateMarker: [UInt64] = [1, 2, 840, 113635, 100, 6, 2, 1]
    static let signerMarker: [UInt64] = [1, 2, 840, 113635, 100, 6, 11, 1]

    private static let made = Mutex<[String: Authority]>([:])

    /// Makes all keys and certificates anew.
    init(_ shape: Shape = ofReceipts, seed: UInt64) throws {
        var office = Office(shape: shape, serials: SeededRandom(seed: seed, stream: shape.stream + "serials"))
        func key(_ name: String) throws -> any CertificateKey {
            var random = SeededRandom(seed: seed, stream: shape.stream + "key " + name)
            return try shape.key(name, &random)
        }
        let genuine = try office.root(shape.root.name, key(shape.root.key))
        let foreign = try office.root(shape.foreignRoot.name, key(shape.foreignRoot.key))
        let early = try shape.firstIssuer.map {
            try genuine.issue(office.intermediate($0.unit, $0.validity), key("first intermediate"))
        }
        let issuer = try genuine.issue(office.intermediate(shape.issuer.unit, shape.issuers), key(shape.issuer.key))
        let unmarked = try genuine.issue(
            office.intermediate("G6", shape.issuers, marked: false), key("unmarked intermediate"))
        let foreignKey = try key("foreign intermediate")
        let abroad = try foreign.issue(office.intermediate(shape.issuer.unit, shape.issuers), foreignKey)
        let second = try key("second signer")
        root = genuine.certificate.encoded
        chains = [
            .first: try (early ?? issuer).issue(office.signer(shape.first), key("first signer")),
            .second: try issuer.issue(office.signer(shape.second), second),
            // The same key under another certificate: the certificate decides, not the key.
            .unmarked: try issuer.issue(office.signer(shape.signed, marked: false), second),
            .underUnmarkedIntermediate: try unmarked.issue(office.signer(shape.signed), second),
            .foreign: try abroad.issue(office.signer(shape.signed), key("foreign signer")),
            .impostor: try issuer.issue(office.signer(shape.signed), key("impostor"), signedWith: foreignKey),
            .weak: try issuer.issue(office.signer(shape.signed), key("weak signer")),
        ]
    }

    /// An authority that is made once in a process: most of the time of a small
    /// run goes into its RSA keys.
    static func shared(_ shape: Shape = ofReceipts, seed: UInt64) throws -> Authority {
        let name = shape.stream + String(seed)
        return try made.withLock { made in
            let authority = try made[name] ?? Authority(shape, seed: seed)
            made[name] = authority
            return authority
        }
    }

    /// The chain for a kind of signer.
    func chain(_ signer: Signer) throws -> Chain {
        guard let chain = chains[signer] else { throw MintError.library(operation: "chain lookup") }
        return chain
    }
}
