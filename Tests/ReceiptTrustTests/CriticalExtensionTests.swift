import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

/// RFC 5280, 4.2: a verifier that can't process a critical extension rejects the certificate.
@Suite("A critical extension")
struct CriticalExtensionTests {
    typealias Request = ReceiptStore.Request

    private func found(_ store: ReceiptStore) throws -> Verification {
        try verify(store.receipt(), trusting: TrustAnchors(files: store.der("root")))
    }

    private func having(_ line: String, _ request: Request) -> Request { request.with { $0.extensions.append(line) } }

    /// Extensions in the syntax of OpenSSL's configuration.
    private static let unprocessed = [
        ("nameConstraints", "permitted;DNS:example.com"), ("policyConstraints", "requireExplicitPolicy:0"),
        ("inhibitAnyPolicy", "0"), ("certificatePolicies", "1.2.3.4"), ("subjectAltName", "DNS:example.com"),
        ("issuerAltName", "DNS:example.com"), ("crlDistributionPoints", "URI:http://example.com/list"),
        ("noCheck", "ignored"), ("1.2.3.4.5", "ASN1:NULL"),
        // In the arc of the markers, and no marker.
        ("1.2.840.113635.100.6.11.2", "ASN1:NULL"),
    ]

    @Test("that no rule processes is of the wrong purpose in any certificate, and nothing where it is not critical")
    func refusesWhatIsNotProcessed() throws {
        for (name, value) in Self.unprocessed {
            let critical = "\(name)=critical,\(value)"
            for store in [
                try ReceiptStore(root: having(critical, .root)),
                try ReceiptStore(intermediate: having(critical, .intermediate)),
                try ReceiptStore(signer: having(critical, .signer)),
            ] {
                let found = try found(store)
                #expect(found.verdict == .wrongPurpose, "\(name)")
                #expect(found.detail?.hasPrefix("a critical extension that no rule processes (") == true, "\(name)")
            }
        }
        let passed = try Self.unprocessed.filter { name, value in
            let line = "\(name)=\(value)"
            return try found(ReceiptStore(intermediate: having(line, .intermediate), signer: having(line, .signer)))
                .verdict
                == .trusted
        }
        #expect(passed.map(\.0) == Self.unprocessed.map(\.0))
    }

    @Test("that constrains names refuses names outside, as OpenSSL does")
    func agreesWithOpenSSLOnNames() throws {
        let names = having("nameConstraints=critical,permitted;dirName:permitted\n[permitted]\nO=Others", .intermediate)
        let store = try ReceiptStore(intermediate: names)
        #expect(try found(store).verdict == .wrongPurpose)
        let chain = ["verify", "-CAfile", "root.pem", "-untrusted", "intermediate.pem", "signer.pem"]
        #expect(try store.workdir.openssl(chain) == nil)
        let genuine = try ReceiptStore()
        #expect(try found(genuine).verdict == .trusted)
        #expect(try genuine.workdir.openssl(chain) != nil)
    }

    @Test("on what the key is for has to allow anything: no purpose with a name is the signing of receipts")
    func processesExtendedKeyUsage() throws {
        for (usage, verdict) in [
            ("serverAuth", Verdict.wrongPurpose), ("codeSigning", .wrongPurpose), ("emailProtection", .wrongPurpose),
            ("1.2.3.4.5", .wrongPurpose), ("anyExtendedKeyUsage", .trusted),
            ("codeSigning,anyExtendedKeyUsage", .trusted),
        ] {
            let critical = "extendedKeyUsage=critical,\(usage)"
            #expect(try found(ReceiptStore(signer: having(critical, .signer))).verdict == verdict, "\(usage)")
            #expect(
                try found(ReceiptStore(intermediate: having(critical, .intermediate))).verdict == verdict, "\(usage)")
        }
        let spoken = try ReceiptStore(signer: having("extendedKeyUsage=serverAuth", .signer))
        #expect(try found(spoken).verdict == .trusted)
    }

    @Test("on what the key is for is ignored of a pinned signer, such as Xcode's")
    func leavesPinnedSigners() throws {
        let code = "extendedKeyUsage=critical,codeSigning"
        let alone = Request(issuer: nil, extensions: ["keyUsage=critical,digitalSignature", code])
        let local = try ReceiptStore(intermediate: nil, signer: alone)
        let anchors = try TrustAnchors(files: local.der("signer"))
        #expect(try verify(local.receipt(carrying: []), trusting: anchors).verdict == .trusted)
        let odd = try ReceiptStore(intermediate: nil, signer: having("nameConstraints=critical,permitted;DNS:a", alone))
        let pinned = try TrustAnchors(files: odd.der("signer"))
        #expect(try verify(odd.receipt(carrying: []), trusting: pinned).verdict == .wrongPurpose)
    }

    @Test("of Xcode's own signer lets it be pinned", arguments: Corpus.names("xcode-"))
    func trustsXcodesSignerWherePinned(name: String) throws {
        let receipt = try ReadReceipt(Corpus.receipt(name))
        let signer = Array(receipt.bytes[receipt.container.certificates.indices])
        let found = try receipt.verify(with: Verifier(anchors: TrustAnchors(files: signer)))
        #expect(found.verdict == .trusted, "\(found.detail ?? "")")
    }
}
