import Foundation
import ReceiptFormat
import TestSupport
import Testing

@testable import ReceiptTrust

/// Roots for which another certificate was issued, made by OpenSSL's tool (RFC 5280, 6.1.1: a trust
/// anchor is a name and a key).
@Suite("An anchor that was given as a certificate")
struct ReissuedAnchorTests {
    /// The days on which the certificate given as anchor was valid: none of those on which tests run.
    private static let past = ("20200101000000Z", "20210101000000Z")

    /// Makes `name.pem` and `name.der`: a certificate that signs itself, of any name, key and days, with
    /// the extensions of the store's root.
    private func issue(
        _ name: String, in workdir: Workdir, subject: String = "/CN=Throw-away root", key: String = "root.key",
        days: (String, String) = past
    ) throws -> [UInt8] {
        let configuration = """
            [ca]
            default_ca = one
            [one]
            database = index
            new_certs_dir = .
            rand_serial = yes
            unique_subject = no
            default_md = sha256
            policy = any
            [any]
            commonName = supplied

            """
        try workdir.write(configuration, to: "ca.cnf")
        try workdir.write("", to: "index")
        for arguments in [
            ["req", "-new", "-key", key, "-subj", subject, "-out", "\(name).csr"],
            [
                "ca", "-batch", "-selfsign", "-config", "ca.cnf", "-in", "\(name).csr", "-keyfile", key, "-startdate",
                days.0, "-enddate", days.1, "-extfile", "root.ext", "-notext", "-out", "\(name).pem",
            ],
            ["x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der"],
        ] {
            _ = try #require(try workdir.openssl(arguments), "\(arguments)")
        }
        return try workdir.read("\(name).der")
    }

    private func newKey(_ name: String, in workdir: Workdir) throws -> String {
        _ = try #require(try workdir.openssl("genrsa", "-out", name, "2048"))
        return name
    }

    private func fingerprint(_ der: [UInt8]) throws -> SHA256Digest {
        try MessageDigest().sha256(der.span, in: der.indices)
    }

    @Test("counts by its name and key: a receipt holds that carries another certificate of the root")
    func receipts() throws {
        let store = try ReceiptStore()
        let receipt = try store.receipt()
        let former = try issue("former", in: store.workdir)
        #expect(try verify(receipt, trusting: TrustAnchors(files: former)).verdict == .trusted)
        // The receipt's root is what holds: the given one was not valid on that day.
        let alone = try verify(store.receipt(carrying: ["intermediate"]), trusting: TrustAnchors(files: former))
        #expect(alone.verdict == .notValidAtCreation)
        // And the other way round.
        let carrying = try store.receipt(carrying: ["intermediate", "former"])
        #expect(try verify(carrying, trusting: TrustAnchors(files: store.der("root"))).verdict == .trusted)
        #expect(try verify(carrying, trusting: TrustAnchors(files: former)).verdict == .notValidAtCreation)
        // A fingerprint is that of one certificate.
        var known = TrustAnchors()
        known.insert(try fingerprint(former))
        #expect(try verify(receipt, trusting: known).verdict == .untrustedRoot)
    }

    @Test("does not count by its name alone, nor by its key alone")
    func otherRoots() throws {
        let store = try ReceiptStore()
        let receipt = try store.receipt()
        let namesake = try issue("namesake", in: store.workdir, key: newKey("other.key", in: store.workdir))
        #expect(try verify(receipt, trusting: TrustAnchors(files: namesake)).verdict == .untrustedRoot)
        let renamed = try issue("renamed", in: store.workdir, subject: "/CN=Another root")
        #expect(try verify(receipt, trusting: TrustAnchors(files: renamed)).verdict == .untrustedRoot)
        // Names are compared as RFC 5280, 7.1, says.
        let spelt = try issue("spelt", in: store.workdir, subject: "/CN=THROW-AWAY  root")
        #expect(try verify(receipt, trusting: TrustAnchors(files: spelt)).verdict == .trusted)
    }

    @Test("does not count where the other certificate does not bear the key's signature")
    func changedRoots() throws {
        let store = try ReceiptStore()
        let receipt = try store.receipt()
        let anchors = try TrustAnchors(files: issue("former", in: store.workdir))
        let root = try store.der("root")
        let place = try #require(receipt.indices.first { Array(receipt[$0...].prefix(root.count)) == root })
        #expect(try verify(receipt, trusting: anchors).verdict == .trusted)
        // The serial number, 7 in each, and the last byte of the signature.
        for offset in [root.firstRange(of: [2, 1, 7])?.last, root.indices.last] {
            var changed = receipt
            changed[place + (try #require(offset))] ^= 1
            let found = try verify(changed, trusting: anchors)
            #expect([.brokenChain, .notValidAtCreation].contains(found.verdict), "\(found.verdict)")
        }
    }

    @Test("is itself the signer that it pins, and no other certificate of the signer's name and key")
    func pinnedSigners() throws {
        let alone = ReceiptStore.Request(issuer: nil, extensions: ["keyUsage=critical,digitalSignature"])
        let store = try ReceiptStore(intermediate: nil, signer: alone)
        let receipt = try store.receipt(carrying: [])
        #expect(try verify(receipt, trusting: TrustAnchors(files: store.der("signer"))).verdict == .trusted)
        try store.certificate("root", alone)
        let other = try issue(
            "former", in: store.workdir, subject: "/CN=Throw-away signer", key: "signer.key",
            days: ("20250101000000Z", "20400101000000Z"))
        #expect(try verify(receipt, trusting: TrustAnchors(files: other)).verdict == .untrustedRoot)
    }

    @Test("waives markers below its other certificates, too, where the user has it waive them")
    func waivedMarkers() throws {
        let store = try ReceiptStore(
            intermediate: .intermediate.replacing("1.2.840", with: nil),
            signer: .signer.replacing("1.2.840", with: nil))
        var anchors = try TrustAnchors(files: issue("former", in: store.workdir))
        #expect(try verify(store.receipt(), trusting: anchors).verdict == .wrongPurpose)
        anchors.waiveMarkers()
        #expect(try verify(store.receipt(), trusting: anchors).verdict == .trusted)
    }

    @Test("counts by its name and key for transaction receipts, too")
    func transactionReceipts() throws {
        let store = try LegacyStore()
        let info = LegacyStore.purchaseInfo(transaction: "1")
        let blob = try store.blob(over: info)
        func verdict(_ anchor: [UInt8], _ issuers: [UInt8]...) throws -> Verdict {
            var known = CertificatePool()
            for issuer in issuers { try known.insertCertificates(of: issuer) }
            let bytes = blob + info
            var reader = ByteReader(bytes.span, in: ByteRange(offset: 0, count: blob.count))
            let parsed = try SignatureBlob(parsing: &reader)
            return try TransactionVerifier(anchors: TrustAnchors(files: anchor), issuers: known).verify(
                parsed, of: ByteRange(offset: blob.count, count: info.count), in: bytes.span,
                purchasedAt: Int64(Date().timeIntervalSince1970 * 1_000) + 1_000
            ).verdict
        }
        let former = try issue("former", in: store.workdir)
        #expect(try verdict(former, store.intermediate, store.root) == .trusted)
        #expect(try verdict(former, store.intermediate) == .notValidAtCreation)
        let namesake = try issue("namesake", in: store.workdir, key: newKey("other.key", in: store.workdir))
        #expect(try verdict(namesake, store.intermediate, store.root) == .untrustedRoot)
        let renamed = try issue("renamed", in: store.workdir, subject: "/CN=Another root")
        #expect(try verdict(renamed, store.intermediate, store.root) == .untrustedRoot)
    }
}
