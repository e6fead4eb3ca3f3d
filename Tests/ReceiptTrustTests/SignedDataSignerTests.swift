import ReceiptFormat
import TestSupport
import Testing

@testable import ReceiptTrust

@Suite("A signer of signed data")
struct SignedDataSignerTests {
    /// What a verifier of other anchors remembered of its chain is no answer.
    @Test("is believed under the anchors of each verifier that it is given to, in any order")
    func rememberedChain() throws {
        let store = try SignedStringStore()
        let header = SignedHeader(
            algorithm: "ES256", hasCriticalExtensions: false,
            certificates: [store.leaf, store.intermediate, store.root].map(\.der))
        let trusting = try SignedDataVerifier(anchors: TrustAnchors(files: store.root.der))
        let others = try SignedDataVerifier(anchors: .apple)
        func verdict(_ verifier: SignedDataVerifier, _ signer: SignedDataSigner) -> Verdict {
            verifier.verification(
                of: .wellFormed(holds: true), by: signer, signedAt: SignedStringStore.signedAt
            ).verdict
        }
        let first = try trusting.signer(of: header)
        #expect([trusting, others, trusting].map { verdict($0, first) } == [.trusted, .untrustedRoot, .trusted])
        let second = try others.signer(of: header)
        #expect([others, trusting, others].map { verdict($0, second) } == [.untrustedRoot, .trusted, .untrustedRoot])
    }

    /// The tables are those of another key, by which what they accept was signed. One acceptance in 256 is
    /// verified again: that none of 4,096 is, happens once in nine million runs.
    @Test("ends the run where its key's tables accept what OpenSSL refuses, and names the document")
    func wrongTables() throws {
        let store = try SignedStringStore()
        let stranger = try store.with(leaf: SignedStringStore.leaf)
        let header = SignedHeader(
            algorithm: "ES256", hasCriticalExtensions: false,
            certificates: [store.leaf, store.intermediate, store.root].map(\.der))
        let digest = try MessageDigest()
        let wrong = try #require(try Certificate(der: stranger.leaf.der, digest: digest)?.publicKey?.point)
        let message = Array("header.payload".utf8)
        let signature = try stranger.leaf.key.es256(message)
        let read = try ES256Signature(
            ByteRange(signature.indices), in: signature.span, of: digest.sha256(message.span, in: message.indices))
        let es256 = try #require(read)
        let document = try #require(SHA256Digest(bytes: [UInt8](repeating: 7, count: 32)))
        func verify(_ count: Int, usesTables: Bool) throws -> [Bool] {
            let verifier = try SignedDataVerifier(
                anchors: TrustAnchors(files: store.root.der), usesTables: usesTables
            ) { CurvePointTables(of: wrong, $1) }
            let signatures = [ES256Signature](repeating: es256, count: count)
            return try verifier.verify(signatures, by: verifier.signer(of: header)) { _ in document }
        }
        #expect(try verify(600, usesTables: false) == [Bool](repeating: false, count: 600))
        let error = #expect(throws: OpenSSLError.self) { try verify(4_096, usesTables: true) }
        #expect(error?.description.contains("document sha256:\(document.hex)") == true)
        #expect(error?.advice.contains("RECEIPTMILL_KEY_TABLES=off") == true)
    }
}
