import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@Suite("A transaction receipt's verdict")
struct TransactionVerifierTests {
    private func verify(
        blob: [UInt8], info: [UInt8], trusting root: [UInt8]?, intermediates: [[UInt8]] = [], at date: Int64? = now
    ) throws -> Verification {
        var anchors = TrustAnchors()
        if let root { #expect(try anchors.insertCertificates(of: root) == 1) } else { anchors = .apple }
        var issuers = CertificatePool()
        for der in intermediates { try issuers.insertCertificates(of: der) }
        let bytes = blob + info
        var reader = ByteReader(bytes.span, in: ByteRange(offset: 0, count: blob.count))
        let parsed = try SignatureBlob(parsing: &reader)
        return try TransactionVerifier(anchors: anchors, issuers: issuers).verify(
            parsed, of: ByteRange(offset: blob.count, count: info.count), in: bytes.span, purchasedAt: date)
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) + 1000 }
    private let info = Array("{ transaction-id = 1; }".utf8)

    @Test("is trusted for both versions where the intermediate is given", arguments: [UInt8(2), 3])
    func trustsCompleteChains(version: UInt8) throws {
        let store = try LegacyStore(version: version)
        let verification = try verify(
            blob: store.blob(over: info), info: info, trusting: store.root, intermediates: [store.intermediate])
        #expect(verification.verdict == .trusted, "\(verification.detail ?? "")")
        #expect(verification.signer == "CN=Throw-away signer")
        #expect(verification.digestAlgorithm == "sha1")
    }

    @Test("is unsupported_algorithm for a key that takes long to use, before it is used")
    func refusesOversizedKeys() throws {
        let store = try LegacyStore(version: 3, signerExponent: "4294967297")
        let found = try verify(
            blob: store.blob(over: info), info: info, trusting: store.root, intermediates: [store.intermediate])
        #expect(found.verdict == .unsupportedAlgorithm)
        #expect(found.detail == "the signer's key is not RSA, or oversized")
    }

    @Test("takes an intermediate in PEM as in DER")
    func takesPEM() throws {
        let store = try LegacyStore()
        let verification = try verify(
            blob: store.blob(over: info), info: info, trusting: store.root,
            intermediates: [try store.workdir.read("intermediate.pem")])
        #expect(verification.verdict == .trusted)
    }

    @Test("names the issuer that is missing, and how to give it")
    func namesMissingIssuer() throws {
        let store = try LegacyStore()
        let verification = try verify(blob: store.blob(over: info), info: info, trusting: store.root)
        #expect(verification.verdict == .brokenChain)
        #expect(verification.detail?.contains("is missing: CN=Throw-away intermediate") == true)
        #expect(verification.detail?.contains("--intermediate FILE") == true)
        let rootless = try verify(
            blob: store.blob(over: info), info: info, trusting: nil, intermediates: [store.intermediate])
        #expect(rootless.verdict == .brokenChain)
        #expect(rootless.detail?.contains("is missing: CN=Throw-away root") == true)
    }

    @Test("is bad_signature for changed content, before anything about the chain")
    func refusesForgeries() throws {
        let store = try LegacyStore()
        let blob = try store.blob(over: info)
        let other = Array("{ transaction-id = 2; }".utf8)
        #expect(try verify(blob: blob, info: other, trusting: store.root).verdict == .badSignature)
        var claimed = blob
        claimed[5] ^= 1
        #expect(
            try verify(blob: claimed, info: info, trusting: store.root, intermediates: [store.intermediate]).verdict
                == .badSignature)
    }

    @Test("is untrusted_root for another authority of the same names")
    func refusesForeignRoots() throws {
        let store = try LegacyStore()
        let other = try LegacyStore(hasOwnKeys: true)
        let blob = try other.blob(over: info)
        let whole = try verify(
            blob: blob, info: info, trusting: store.root, intermediates: [other.intermediate, other.root])
        #expect(whole.verdict == .untrustedRoot)
        let borrowed = try verify(blob: blob, info: info, trusting: store.root, intermediates: [store.intermediate])
        #expect(borrowed.verdict == .brokenChain)
        #expect(borrowed.detail?.contains("did not sign it") == true)
    }

    @Test("is wrong_purpose for a signer made for something else")
    func refusesOtherPurposes() throws {
        func verdict(_ store: LegacyStore) throws -> Verdict {
            try verify(
                blob: store.blob(over: info), info: info, trusting: store.root, intermediates: [store.intermediate]
            ).verdict
        }
        #expect(try verdict(LegacyStore(signerMarker: .development)) == .wrongPurpose)
        #expect(try verdict(LegacyStore(version: 3, signerMarker: .development)) == .wrongPurpose)
        #expect(try verdict(LegacyStore(version: 3, signerMarker: .purchaseReceiptSigning)) == .wrongPurpose)
        #expect(try verdict(LegacyStore(version: 3, intermediateMarker: .development)) == .wrongPurpose)
    }

    @Test("lets a signer of version 2 have 1024 bits, and no key fewer")
    func limitsKeys() throws {
        for (bits, verdict) in [(1024, Verdict.trusted), (1023, .unsupportedAlgorithm)] {
            let store = try LegacyStore(version: 2, signerBits: bits)
            let found = try verify(
                blob: store.blob(over: info), info: info, trusting: store.root, intermediates: [store.intermediate])
            #expect(found.verdict == verdict, "\(bits)")
        }
        // A key's length is its signatures': much shorter ones can't even fill the blob.
        let long = try LegacyStore(version: 3, signerBits: 2048)
        #expect(
            try verify(
                blob: long.blob(over: info), info: info, trusting: long.root, intermediates: [long.intermediate]
            ).verdict == .trusted)
        let odd = try LegacyStore(version: 3, signerBits: 2047)
        #expect(
            try verify(
                blob: odd.blob(over: info), info: info, trusting: odd.root, intermediates: [odd.intermediate]
            ).verdict == .unsupportedAlgorithm)
        let short = try LegacyStore(version: 2, signerBits: 512)
        let blob = try short.blob(over: info)
        let padded = [2] + Array(repeating: 0, count: 64) + blob.dropFirst()
        #expect(
            try verify(
                blob: padded, info: info, trusting: short.root, intermediates: [short.intermediate]
            ).verdict != .trusted)
    }

    @Test("is verified at the purchase date")
    func verifiesAtPurchase() throws {
        let store = try LegacyStore()
        let blob = try store.blob(over: info)
        for date in [1_354_432_554_000, Self.now + 3 * 86_400_000, nil] as [Int64?] {
            let verification = try verify(
                blob: blob, info: info, trusting: store.root, intermediates: [store.intermediate], at: date)
            #expect(verification.verdict == .notValidAtCreation)
        }
    }

    @Test(
        "agrees with openssl on the store's own receipts",
        arguments: Corpus.names("ios6-com"))
    func agreesWithOpenSSL(name: String) throws {
        let (blob, info) = try parts(name)
        let workdir = try Workdir()
        try workdir.write(Array(blob[1..<129]), to: "signature")
        try workdir.write(Array(blob[133...]), to: "certificate")
        try workdir.write([blob[0]] + info, to: "signed")
        let key = try #require(try workdir.openssl("x509", "-inform", "DER", "-in", "certificate", "-noout", "-pubkey"))
        try workdir.write(key, to: "key")
        let holds = try workdir.openssl("dgst", "-sha1", "-verify", "key", "-signature", "signature", "signed") != nil

        let verification = try verify(blob: blob, info: info, trusting: nil)
        #expect(verification.verdict == (holds ? .brokenChain : .badSignature))
        if holds {
            #expect(verification.detail?.contains("CN=Apple iTunes Store Certification Authority") == true)
            #expect(verification.detail?.contains("--intermediate FILE") == true)
        }
    }

    /// The decoded signature and purchase-info of a real receipt.
    private func parts(_ name: String) throws -> (blob: [UInt8], info: [UInt8]) {
        let receipt = try Corpus.receipt(name)
        var reader = ByteReader(receipt.span)
        let envelope = try TransactionEnvelope(parsing: &reader)
        let blob = try #require(Data(base64Encoded: Data(receipt[envelope.signature.range.indices])))
        let info = try #require(Data(base64Encoded: Data(receipt[envelope.purchaseInfo.range.indices])))
        return ([UInt8](blob), [UInt8](info))
    }
}
