import Foundation
import ReceiptFormat
import TestSupport
import Testing

@testable import ReceiptTrust

/// The certificates of an app receipt that are kept, for receipts that lack them.
@Suite("An authority that a receipt carries")
struct CarriedAuthorityTests {
    typealias Request = ReceiptStore.Request

    /// The common names of the subjects that a verifier hands over, each once.
    private func kept(_ receipt: [UInt8], _ anchors: TrustAnchors) throws -> [String] {
        let verifier = try Verifier(anchors: anchors)
        let read = try ReadReceipt(receipt)
        let found = try read.verify(with: verifier)
        let learned = verifier.takeNewIssuers()
        #expect(found.issuers == learned.inOrder)
        return try learned.inOrder.map { try described($0.der).subject.replacing("CN=Throw-away ", with: "") }.sorted()
    }

    private func described(_ der: [UInt8]) throws -> CertificateDescription {
        let found = try CertificateDescription(der.span, in: ByteRange(offset: 0, count: der.count))
        return try #require(found)
    }

    private func authority(below issuer: String, _ extensions: [String] = Request.authority()) -> Request {
        Request(issuer: issuer, extensions: extensions)
    }

    @Test("is kept where it leads to an anchor, on the signer's path or beside it")
    func keepsAnchoredAuthorities() throws {
        let store = try ReceiptStore()
        let foreign = try ReceiptStore(hasOwnKeys: true)
        try store.workdir.write(foreign.workdir.read("root.pem"), to: "foreign.pem")
        try store.certificate("beside", authority(below: "root"))
        try store.certificate("lower", authority(below: "beside"))
        try store.certificate("leaf", authority(below: "root", ["basicConstraints=critical,CA:FALSE"]))
        try store.certificate("by-leaf", authority(below: "leaf"))
        try store.certificate("by-signer", authority(below: "signer"))
        try store.certificate(
            "mute",
            authority(below: "root", ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,digitalSignature"]))
        try store.certificate(
            "constrained", authority(below: "root", Request.authority() + ["inhibitAnyPolicy=critical,0"]))
        let names = [
            "lower", "by-signer", "by-leaf", "leaf", "beside", "mute", "foreign", "constrained", "intermediate", "root",
        ]
        let wanted = ["beside", "intermediate", "lower", "root"]
        let receipt = try store.receipt(carrying: names)
        #expect(try kept(receipt, TrustAnchors(files: store.der("root"))) == wanted)
        #expect(try kept(store.receipt(carrying: names.reversed()), TrustAnchors(files: store.der("root"))) == wanted)
        let known = try described(store.der("root"))
        #expect(try kept(receipt, TrustAnchors(fingerprint: known.sha256.hex)) == wanted)
        #expect(try kept(receipt, TrustAnchors()).isEmpty)
        // Without the root it is kept where the anchor is a certificate, and nowhere else.
        let rootless = try store.receipt(carrying: ["beside", "lower"])
        #expect(try kept(rootless, TrustAnchors(files: store.der("root"))) == ["beside", "lower"])
        #expect(try kept(rootless, TrustAnchors(fingerprint: known.sha256.hex)).isEmpty)
        #expect(
            try kept(store.receipt(carrying: ["lower", "root"]), TrustAnchors(files: store.der("root"))) == ["root"])
    }

    @Test("is kept of a receipt that is not trusted, too")
    func keepsThoseOfRefusedReceipts() throws {
        let store = try ReceiptStore(signer: .signer.replacing("1.2.840", with: nil))
        let anchors = try TrustAnchors(files: store.der("root"))
        #expect(try verify(store.receipt(), trusting: anchors).verdict == .wrongPurpose)
        #expect(try kept(store.receipt(), anchors) == ["intermediate", "root"])
        let signerless = try store.receipt(
            carrying: ["intermediate", "root"], ["-noattr", "-md", "sha256", "-nocerts"])
        #expect(try verify(signerless, trusting: anchors).verdict == .brokenChain)
    }

    @Test(
        "of Apple's is kept although the root, which is built in, is removed")
    func knowsApplesRoot() throws {
        let receipt = try ReadReceipt(Corpus.receipt("sandbox-sampleapp-2020-07-22"))
        var ranges: [ByteRange] = []
        var certificates = ByteReader(receipt.bytes.span, in: receipt.container.certificates)
        while !certificates.isAtEnd { ranges.append(try certificates.readElement().whole) }
        try #require(ranges.count == 3)
        let rootless = try ranges.map { Array(receipt.bytes[$0.indices]) }
            .filter { try !described($0).subject.hasPrefix("CN=Apple Root CA") }
        #expect(rootless.count == 2)
        var parts = SignedDataBytes()
        parts.certificates = BER.element(0xa0, rootless.flatMap { $0 })
        let verifier = try Verifier(anchors: .apple)
        _ = try ReadReceipt(parts.bytes).verify(with: verifier)
        let learned = verifier.takeNewIssuers().inOrder.map(\.fingerprint.hex)
        #expect(learned == ["ce057691d730f89ca25e916f7335f4c8a15713dcd273a658c024023f8eb809c2"])
    }

    @Test("is searched with at most 32 signatures verified")
    func limitsSearch() throws {
        let (store, other) = (try ReceiptStore(), try ReceiptStore(hasOwnKeys: true))
        let digest = try MessageDigest()
        func certificate(_ name: String, of store: ReceiptStore) throws -> Certificate {
            let der = try store.der(name)
            let found = try Certificate(der.span, in: ByteRange(offset: 0, count: der.count), digest: digest)
            return try #require(found)
        }
        let (root, genuine) = (try certificate("root", of: store), try certificate("intermediate", of: store))
        let decoy = try certificate("intermediate", of: other)
        let search = AuthoritySearch(anchors: try TrustAnchors(files: store.der("root")))
        func isFound(behind decoys: Int) -> Bool {
            let carried = [Certificate](repeating: decoy, count: decoys) + [genuine]
            return search.authorities(among: carried, below: [root]).contains { $0 === genuine }
        }
        #expect(isFound(behind: 31))
        #expect(!isFound(behind: 32))
    }
}
