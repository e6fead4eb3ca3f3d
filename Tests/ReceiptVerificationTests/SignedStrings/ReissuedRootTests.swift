import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptVerification

/// Roots for which another certificate was issued (RFC 5280, 6.1.1: a trust anchor is a name and a key).
@Suite("The root of a signed string")
struct ReissuedRootTests {
    typealias Store = SignedStringStore
    private let store: SignedStringStore

    init() throws { store = try SignedStringStore() }

    /// Another certificate of the store's root, with one thing changed.
    private func reissued(
        key: ThrowAwayKey? = nil, issuer: ThrowAwayCertificate? = nil,
        _ change: (inout Store.Request) -> Void = { _ in }
    ) throws -> [UInt8] {
        let request = Store.root.with { $0.serial = 99 }.with(change)
        return try ThrowAwayCertificate(request, issuer: issuer, key: key ?? store.root.key).der
    }

    private func outcome(_ anchor: [UInt8], endingAt root: [UInt8]? = nil) throws -> Outcome? {
        let string = store.string().with { if let root { $0.chain[2] = root } }
        return try verify(line: string.text, trusting: TrustAnchors(certificates: anchor)).outcome
    }

    @Test("holds by the name and the key of an anchor that was given as a certificate")
    func sameNameAndKey() throws {
        #expect(try outcome(reissued()) == .verdict(.trusted))
        #expect(try outcome(store.root.der, endingAt: reissued()) == .verdict(.trusted))
        let digest = try MessageDigest()
        let der = try reissued()
        var known = TrustAnchors()
        known.insert(try digest.sha256(der.span, in: der.indices))
        #expect(try verify(line: store.sign(), trusting: known).outcome == .verdict(.untrustedRoot))
    }

    @Test("does not hold by a name or a key alone")
    func otherNamesAndKeys() throws {
        let other = try ThrowAwayKey(.p384)
        #expect(try outcome(reissued(key: other)) == .verdict(.untrustedRoot))
        #expect(try outcome(reissued { $0.subject = "Another root" }) == .verdict(.untrustedRoot))
        #expect(try outcome(reissued { $0.subject = "THROW-AWAY  root" }) == .verdict(.trusted))
        // The names in the header have to lead from one to the next as before.
        let renamed = try reissued { $0.subject = "Another root" }
        #expect(try outcome(store.root.der, endingAt: renamed) == .verdict(.brokenChain))
        #expect(try outcome(store.root.der, endingAt: reissued(key: other)) == .verdict(.brokenChain))
    }

    @Test("has to bear its own signature, by SHA-2")
    func signatures() throws {
        let other = try Store()
        #expect(try outcome(store.root.der, endingAt: reissued(issuer: other.root)) == .verdict(.untrustedRoot))
        var changed = try reissued()
        changed[try #require(changed.firstRange(of: [2, 1, 99])).upperBound - 1] = 98
        #expect(try outcome(store.root.der, endingAt: changed) == .verdict(.untrustedRoot))
        let weak = try reissued { $0.digest = "SHA1" }
        #expect(try outcome(store.root.der, endingAt: weak) == .verdict(.trusted))
        let later = Store.ends + 1e9
        let unusable = try reissued { ($0.begins, $0.ends) = (later, later + 1) }
        #expect(try outcome(unusable, endingAt: weak) == .verdict(.unsupportedAlgorithm))
        #expect(try outcome(weak, endingAt: weak) == .verdict(.trusted))
    }

    @Test("is valid when either certificate is, the one given or the one in the header")
    func dates() throws {
        let later = Store.ends + 1e9
        let unborn = try reissued { ($0.begins, $0.ends) = (later, later + 1) }
        let earlier = Store.begins - 1e9
        let expired = try reissued { ($0.begins, $0.ends) = (earlier, earlier + 1) }
        #expect(try outcome(unborn) == .verdict(.trusted))
        #expect(try outcome(store.root.der, endingAt: expired) == .verdict(.trusted))
        #expect(try outcome(unborn, endingAt: expired) == .verdict(.notValidAtCreation))
        #expect(try outcome(expired, endingAt: expired) == .verdict(.notValidAtCreation))
    }

    @Test("keeps the constraints of the certificate that ends the chain")
    func constraints() throws {
        let mute = try reissued { $0.extensions = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,cRLSign"] }
        #expect(try outcome(mute, endingAt: mute) == .verdict(.wrongPurpose))
        #expect(try outcome(mute) == .verdict(.trusted))
        #expect(try outcome(store.root.der, endingAt: mute) == .verdict(.trusted))
    }

    @Test("is no signer that stands alone, which is pinned by its certificate")
    func pinnedSigners() throws {
        let request = Store.leaf.with {
            $0.subject = "StoreKit Testing in Xcode"
            $0.extensions = ["keyUsage=critical,digitalSignature"]
        }
        let alone = try ThrowAwayCertificate(request)
        let other = try ThrowAwayCertificate(request.with { $0.serial = 99 }, key: alone.key)
        let text = try store.string().with { ($0.chain, $0.key) = ([alone.der], alone.key) }.text
        #expect(try verify(line: text, trusting: TrustAnchors(certificates: alone.der)).outcome == .verdict(.trusted))
        #expect(
            try verify(line: text, trusting: TrustAnchors(certificates: other.der)).outcome == .verdict(.untrustedRoot))
    }

    @Test("has its markers waived where they are waived below another certificate of its name and key")
    func waivedMarkers() throws {
        let bare = [Store.intermediate, Store.leaf].map { $0.replacing("1.2.840", with: nil) }
        let store = try Store(intermediate: bare[0], leaf: bare[1])
        let other = try ThrowAwayCertificate(Store.root.with { $0.serial = 99 }, key: store.root.key)
        var anchors = try TrustAnchors(certificates: other.der)
        #expect(try verify(line: store.sign(), trusting: anchors).outcome == .verdict(.wrongPurpose))
        anchors.waiveMarkers()
        #expect(try verify(line: store.sign(), trusting: anchors).outcome == .verdict(.trusted))
    }
}
