import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

/// Certificates that RFC 5280 forbids, that their issuer signed, and that OpenSSL's
/// tool accepts.
@Suite("A certificate that RFC 5280 forbids is of the wrong purpose: one with")
struct MalformedCertificateTests {
    typealias Request = ReceiptStore.Request

    /// Replaces bytes of a certificate and lets the issuer sign it anew.
    private func change(
        _ name: String, by issuer: String, in store: ReceiptStore, _ old: [UInt8], _ new: [UInt8]
    ) throws {
        let der = try store.der(name)
        var reader = ByteReader(der.span)
        var outer = reader.reader(in: try reader.readElement(Tag.sequence).content)
        var content = Array(der[try outer.readElement(Tag.sequence).whole.indices])
        let algorithm = Array(der[try outer.readElement(Tag.sequence).whole.indices])
        let found = try #require(Data(content).range(of: Data(old)))
        content.replaceSubrange(found, with: new)
        try store.workdir.write(content, to: "to-sign")
        _ = try #require(
            try store.workdir.openssl("dgst", "-sha256", "-sign", "\(issuer).key", "-out", "signature", "to-sign"))
        let signature = BER.element(0x03, [0] + (try store.workdir.read("signature")))
        try store.workdir.write(BER.sequence(content, algorithm, signature), to: "\(name).der")
        _ = try #require(
            try store.workdir.openssl("x509", "-inform", "DER", "-in", "\(name).der", "-out", "\(name).pem"))
    }

    private func found(_ store: ReceiptStore) throws -> Verification {
        try verify(store.receipt(), trusting: TrustAnchors(files: store.der("root")))
    }

    /// The arc 1.2.840.113635.100.6 as X.690, 8.19, writes it.
    private func identifier(_ last: [UInt8]) -> [UInt8] {
        [0x06, UInt8(8 + last.count), 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06] + last
    }

    @Test("a marker twice, in signer and intermediate")
    func refusesRepeatedMarkers() throws {
        let twin = Request.signer.with { $0.extensions.append("1.2.840.113635.100.6.11.9=ASN1:NULL") }
        let store = try ReceiptStore(signer: twin)
        #expect(try found(store).verdict == .trusted)
        try change("signer", by: "intermediate", in: store, identifier([11, 9]), identifier([11, 1]))
        let signer = try found(store)
        #expect(signer.verdict == .wrongPurpose)
        #expect(signer.detail == "an extension twice (1.2.840.113635.100.6.11.1): CN=Throw-away signer")

        let above = Request.intermediate.with { $0.extensions.append("1.2.840.113635.100.6.2.9=ASN1:NULL") }
        let other = try ReceiptStore(intermediate: above)
        #expect(try found(other).verdict == .trusted)
        try change("intermediate", by: "root", in: other, identifier([2, 9]), identifier([2, 1]))
        #expect(try found(other).verdict == .wrongPurpose)
    }

    @Test("extensions in version 1 or 2", arguments: [UInt8(0), 1])
    func refusesExtensionsOfOldVersions(version: UInt8) throws {
        let store = try ReceiptStore()
        try change("signer", by: "intermediate", in: store, [0xa0, 3, 2, 1, 2], [0xa0, 3, 2, 1, version])
        let found = try found(store)
        #expect(found.verdict == .wrongPurpose)
        #expect(found.detail == "extensions in another version than 3: CN=Throw-away signer")
    }

    @Test("a negative serial number")
    func refusesNegativeSerials() throws {
        let store = try ReceiptStore(signer: .signer.with { $0.serial = "-7" })
        let found = try found(store)
        #expect(found.verdict == .wrongPurpose)
        #expect(found.detail == "a negative serial number: CN=Throw-away signer")
    }

    @Test("more than 64 extensions")
    func boundsExtensions() throws {
        func verdict(_ count: Int) throws -> Verdict {
            let own = Request.signer.extensions.count
            let many = (0..<count - own).map { "1.2.3.4.\($0)=ASN1:NULL" }
            return try found(ReceiptStore(signer: .signer.with { $0.extensions += many })).verdict
        }
        #expect(try verdict(60) == .trusted)
        #expect(try verdict(70) == .wrongPurpose)
    }

    @Test("a signature by RSASSA-PSS has an unsupported algorithm instead")
    func refusesPSS() throws {
        let store = try ReceiptStore()
        for command in [
            [
                "x509", "-req", "-in", "signer.csr", "-CA", "intermediate.pem", "-CAkey", "intermediate.key", "-days",
                "1", "-set_serial", "7", "-extfile", "signer.ext", "-sha256", "-sigopt", "rsa_padding_mode:pss", "-out",
                "signer.pem",
            ],
            ["x509", "-in", "signer.pem", "-outform", "DER", "-out", "signer.der"],
        ] { _ = try #require(try store.workdir.openssl(command), "\(command)") }
        let found = try found(store)
        #expect(found.verdict == .unsupportedAlgorithm, "\(found.detail ?? "")")
    }
}
