import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

/// Chains that lead to the anchor or pretend to, by people who may have a
/// certificate of the same authority.
@Suite("A chain made by others")
struct HostileChainTests {
    typealias Request = ReceiptStore.Request

    private func verdict(
        of store: ReceiptStore, carrying names: [String] = ["intermediate", "root"]
    ) throws -> Verification {
        try verify(store.receipt(carrying: names), trusting: TrustAnchors(files: store.der("root")))
    }

    @Test("from a developer's certificate leads to the root and is of the wrong purpose")
    func refusesDevelopers() throws {
        // Markers of Apple's development, distribution and Mac certificates, with
        // the code signing that those are for.
        for marker in ["1.2.840.113635.100.6.1.2", "1.2.840.113635.100.6.1.4", "1.2.840.113635.100.6.1.7"] {
            let developer = Request.signer.replacing("1.2.840", with: "\(marker)=critical,ASN1:NULL")
                .with { $0.extensions.append("extendedKeyUsage=critical,codeSigning") }
            let found = try verdict(of: ReceiptStore(signer: developer))
            #expect(found.verdict == .wrongPurpose, "\(marker): \(found.detail ?? "")")
        }
    }

    @Test("from a developer's certificate that signs another one, markers and all, is of the wrong purpose")
    func refusesCertificatesByDevelopers() throws {
        let store = try ReceiptStore()
        try store.certificate(
            "developer", Request.signer.replacing("1.2.840", with: "1.2.840.113635.100.6.1.4=ASN1:NULL"))
        try store.certificate("signer", Request.signer.with { $0.issuer = "developer" })
        let found = try verdict(of: store, carrying: ["developer", "intermediate", "root"])
        #expect(found.verdict == .wrongPurpose, "\(found.detail ?? "")")
    }

    @Test("in which two authorities sign each other ends in no root")
    func endsCircles() throws {
        let store = try ReceiptStore()
        let other = Request(issuer: "intermediate", extensions: Request.authority()).with { $0.serial = "8" }
        try store.certificate("other", other)
        try store.certificate("intermediate", Request.intermediate.with { $0.issuer = "other" })
        let found = try verdict(of: store, carrying: ["intermediate", "other"])
        #expect(found.verdict == .brokenChain, "\(found.detail ?? "")")
    }

    @Test("of a signer that is self-signed ends at no anchor, whatever markers it has")
    func refusesSelfSignedSigners() throws {
        let alone = Request.signer.with { $0.issuer = nil }
            .with { $0.extensions.append(Request.intermediateMarker) }
        let store = try ReceiptStore(signer: alone)
        #expect(try verdict(of: store).verdict == .untrustedRoot)
    }

    @Test("may name its signer's issuer and serial number for another certificate: the key decides")
    func refusesTwinsOfTheSigner() throws {
        let store = try ReceiptStore()
        let genuine = try HandmadeReceipt(store)
        // The same issuer and serial number, with another key.
        let other = try ReceiptStore(hasOwnKeys: true)
        let twin = try other.der("signer")
        let certificates = try ["signer", "intermediate", "root"].map { try store.der($0) }
        var forged = genuine
        forged.parts.certificates = BER.element(0xa0, ([twin] + certificates).flatMap { $0 })
        forged.parts.signature = BER.octets(
            try HandmadeReceipt(other, payload: genuine.payload).signature(of: genuine.payload))
        #expect(try forged.verdict() == .brokenChain)
        // After the genuine one it is ignored.
        forged.parts.certificates = BER.element(0xa0, (certificates + [twin]).flatMap { $0 })
        #expect(try forged.verdict() == .badSignature)
        #expect(try !forged.opensslVerifies())
    }
}
