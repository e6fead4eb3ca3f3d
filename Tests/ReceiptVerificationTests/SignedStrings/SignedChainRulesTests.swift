import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptVerification

/// Chains that lead to the anchor and break one rule for certificates.
@Suite("A chain of signed data to an anchor")
struct SignedChainRulesTests {
    typealias Store = SignedStringStore

    private func expect(
        _ verdict: Verdict, _ what: String, root: Store.Request = Store.root,
        intermediate: Store.Request = Store.intermediate, leaf: Store.Request = Store.leaf,
        location: SourceLocation = #_sourceLocation
    ) throws {
        try Store(root: root, intermediate: intermediate, leaf: leaf).expect(verdict, what, location: location)
    }

    @Test("is trusted with the keys and digests that the store may use")
    func trustsStrongKeys() throws {
        try expect(.trusted, "as the store's")
        try expect(.trusted, "RSA above", root: Store.root.with { ($0.key, $0.digest) = (.rsa(2048), "SHA256") })
        try expect(
            .trusted, "P-256 throughout", root: Store.root.with { $0.key = .p256 },
            intermediate: Store.intermediate.with { $0.key = .p256 })
        for digest in ["SHA256", "SHA512"] {
            try expect(
                .trusted, digest, intermediate: Store.intermediate.with { $0.digest = digest },
                leaf: Store.leaf.with { $0.digest = digest })
        }
        // An anchor is known by its fingerprint: nobody's signature on it counts.
        try expect(.trusted, "a root signed with SHA-1", root: Store.root.with { $0.digest = "SHA1" })
        try expect(
            .trusted, "a root with an extension of no weight",
            root: Store.root.with { $0.extensions.append("1.2.3.4=ASN1:NULL") })
    }

    @Test("is of the wrong purpose where a constraint is broken")
    func refusesBrokenConstraints() throws {
        for (what, name, line) in [
            ("no CA", "basicConstraints", "basicConstraints=critical,CA:FALSE"),
            ("no constraints", "basicConstraints", nil),
            ("key usage", "keyUsage", "keyUsage=critical,digitalSignature"),
            ("critical names", "none", "nameConstraints=critical,permitted;DNS:example.com"),
            ("critical, unknown", "none", "1.2.3.4=critical,ASN1:NULL"),
            ("for code alone", "none", "extendedKeyUsage=critical,codeSigning"),
        ] as [(String, String, String?)] {
            try expect(
                .wrongPurpose, "intermediate: \(what)", intermediate: Store.intermediate.replacing(name, with: line))
            try expect(.wrongPurpose, "root: \(what)", root: Store.root.replacing(name, with: line))
        }
        for (what, name, line) in [
            ("key usage", "keyUsage", "keyUsage=critical,keyAgreement"),
            ("critical, unknown", "none", "1.2.3.4=critical,ASN1:NULL"),
            ("for code alone", "none", "extendedKeyUsage=critical,codeSigning"),
        ] {
            try expect(.wrongPurpose, "leaf: \(what)", leaf: Store.leaf.replacing(name, with: line))
        }
        try expect(
            .wrongPurpose, "path length",
            root: Store.root.replacing("basicConstraints", with: "basicConstraints=critical,CA:TRUE,pathlen:0"))
        try expect(
            .trusted, "path length that is enough",
            root: Store.root.replacing("basicConstraints", with: "basicConstraints=critical,CA:TRUE,pathlen:1"))
    }

    @Test("is of the wrong purpose where a marker is absent or stands elsewhere")
    func refusesMissingMarkers() throws {
        let (ofLeaf, ofIntermediate) = (Store.leafMarker, Store.intermediateMarker)
        let bareLeaf = Store.leaf.replacing("1.2.840", with: nil)
        let bareIntermediate = Store.intermediate.replacing("1.2.840", with: nil)
        try expect(.wrongPurpose, "no marker of the leaf", leaf: bareLeaf)
        try expect(.wrongPurpose, "no marker of the intermediate", intermediate: bareIntermediate)
        try expect(.wrongPurpose, "no marker", intermediate: bareIntermediate, leaf: bareLeaf)
        try expect(
            .wrongPurpose, "the intermediate's marker on the root",
            root: Store.root.with { $0.extensions.append(ofIntermediate) }, intermediate: bareIntermediate)
        try expect(
            .wrongPurpose, "the leaf's marker on the intermediate",
            intermediate: Store.intermediate.with { $0.extensions.append(ofLeaf) }, leaf: bareLeaf)
        try expect(
            .wrongPurpose, "exchanged", intermediate: Store.intermediate.replacing("1.2.840", with: ofLeaf),
            leaf: Store.leaf.replacing("1.2.840", with: ofIntermediate))
        // Markers of developers' certificates, of the iTunes Store's, and longer and shorter ones.
        for marker in ["6.1.2", "6.1.4", "6.5.1", "6.11", "6.11.1.1", "6.11.2", "6.2.1"] {
            try expect(
                .wrongPurpose, marker,
                leaf: Store.leaf.replacing("1.2.840", with: "1.2.840.113635.100.\(marker)=ASN1:NULL"))
        }
        for marker in ["6.2.2", "6.2.6", "6.2", "6.2.1.1"] {
            try expect(
                .wrongPurpose, marker,
                intermediate: Store.intermediate.replacing("1.2.840", with: "1.2.840.113635.100.\(marker)=ASN1:NULL"))
        }
    }

    @Test("needs no markers where they are waived below an own root, and keeps all other rules")
    func waivedMarkers() throws {
        let bare = [Store.intermediate, Store.leaf].map { $0.replacing("1.2.840", with: nil) }
        func verdict(_ intermediate: Store.Request, pinning pinned: (Store) -> [UInt8] = { $0.root.der }) throws
            -> Outcome?
        {
            let store = try Store(intermediate: intermediate, leaf: bare[1])
            var anchors = try TrustAnchors(certificates: pinned(store))
            anchors.waiveMarkers()
            return try verify(line: store.sign(), trusting: anchors).outcome
        }
        #expect(try verdict(bare[0]) == .verdict(.trusted))
        let noAuthority = bare[0].replacing("basicConstraints", with: "basicConstraints=critical,CA:FALSE")
        #expect(try verdict(noAuthority) == .verdict(.wrongPurpose))
        #expect(try verdict(bare[0].with { $0.key = .p521 }) == .verdict(.unsupportedAlgorithm))
        #expect(try verdict(bare[0], pinning: { $0.intermediate.der }) == .verdict(.untrustedRoot))
    }

    @Test("is of the wrong purpose where a developer's certificate signs another, markers and all")
    func refusesDevelopers() throws {
        let store = try Store(
            intermediate: Store.intermediate.replacing("basicConstraints", with: "basicConstraints=critical,CA:TRUE"))
        let developer = try ThrowAwayCertificate(
            Store.leaf.replacing("1.2.840", with: "1.2.840.113635.100.6.1.4=ASN1:NULL"), issuer: store.intermediate)
        // Three certificates in all, the first two made by the developer.
        let intermediate = try ThrowAwayCertificate(Store.intermediate, issuer: developer)
        let leaf = try ThrowAwayCertificate(Store.leaf, issuer: intermediate)
        let chain = [leaf, intermediate, developer, store.intermediate, store.root].map(\.der)
        try store.expect(.wrongPurpose, "five") { ($0.chain, $0.key) = (chain, leaf.key) }
        let direct = try ThrowAwayCertificate(Store.leaf, issuer: developer)
        try store.expect(.wrongPurpose, "four") {
            ($0.chain, $0.key) = ([direct, developer, store.intermediate, store.root].map(\.der), direct.key)
        }
    }

    @Test("is unsupported with weaker keys and digests, or others than the store's")
    func refusesWeakKeys() throws {
        for key: ThrowAwayKey.Kind in [
            .p384, .p521, .rsa(2048), .curve("secp256k1"), .curve("brainpoolP256r1"), .ed25519,
        ] {
            let store = try Store(leaf: Store.leaf.with { $0.key = key })
            try store.expect(.unsupportedAlgorithm, "leaf: \(key)") {
                $0.sign = { _, _ in [UInt8](repeating: 1, count: 64) }
            }
        }
        for key: ThrowAwayKey.Kind in [
            .p521, .rsa(1024), .curve("secp256k1"), .curve("P-224"), .curve("brainpoolP384r1"),
        ] {
            try expect(
                .unsupportedAlgorithm, "intermediate: \(key)", intermediate: Store.intermediate.with { $0.key = key })
            try expect(.unsupportedAlgorithm, "root: \(key)", root: Store.root.with { $0.key = key })
        }
        try expect(.unsupportedAlgorithm, "leaf: SHA-1", leaf: Store.leaf.with { $0.digest = "SHA1" })
        try expect(
            .unsupportedAlgorithm, "intermediate: SHA-1", intermediate: Store.intermediate.with { $0.digest = "SHA1" })
    }

    @Test("is verified in a fixed order where several rules are broken")
    func ordersVerdicts() throws {
        let bare = try Store(leaf: Store.leaf.replacing("1.2.840", with: nil))
        let late = Store.transaction(signedAt: "4000000000000")
        let key = try ThrowAwayKey(.p256)
        func outcome(_ string: SignedStringParts) throws -> Outcome? { try bare.outcome(of: string).0 }
        let string = bare.string(late)
        #expect(try outcome(string) == .verdict(.wrongPurpose), "purpose before dates")
        #expect(
            try outcome(string.with { $0.chain[2] = try Store().root.der }) == .verdict(.brokenChain),
            "links before purpose")
        #expect(
            try outcome(string.with { ($0.key, $0.chain) = (key, [$0.chain[0]]) }) == .verdict(.badSignature),
            "signature before root")
        #expect(
            try outcome(string.with { ($0.key, $0.chain[2]) = (key, [1]) }) == .verdict(.brokenChain), "readable first")
        #expect(
            try outcome(string.with { ($0.algorithm, $0.certificates) = ("\"none\"", "") })
                == .verdict(.unsupportedAlgorithm), "alg first")
        #expect(
            try outcome(string.with { ($0.algorithm, $0.payload) = ("\"none\"", []) }) == .rejected(.malformedPayload),
            "form first")
        let weak = try Store(
            intermediate: Store.intermediate.replacing("1.2.840", with: nil).with { $0.key = .p521 })
        #expect(try weak.outcome(of: weak.string(late)).0 == .verdict(.wrongPurpose), "purpose before strength")
        let late521 = try Store(intermediate: Store.intermediate.with { $0.key = .p521 })
        #expect(
            try late521.outcome(of: late521.string(late)).0 == .verdict(.unsupportedAlgorithm), "strength before dates")
    }
}
