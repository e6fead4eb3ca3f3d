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
}
