import Foundation
import Testing

@testable import ReceiptMint

/// The `openssl` command line tool as a second opinion on what was signed.
struct OpenSSLAgreesTests {
    /// Of each verdict some receipts. OpenSSL knows nothing of Apple's markers,
    /// and is told not to look at dates: those receipts verify.
    @Test("openssl verifies what chains to the anchor, and nothing else")
    func verdicts() throws {
        var parameters = MintParameters.small(240)
        for defect in Defect.allCases { parameters.shares[defect] = 0 }
        for defect in [Defect.forgedSignature, .foreignChain, .brokenChain, .missingMarkers, .expiredSigner] {
            parameters.shares[defect] = 0.05
        }
        let verifying: Set<MintedReceipt.Verdict> = [.trusted, .wrongPurpose, .notValidAtCreation]
        try withTemporaryFolder { folder in
            let (chunk, anchor) = try mint(parameters, into: folder)
            var seen: [MintedReceipt.Verdict: Int] = [:]
            for receipt in chunk.submissions.map(\.receipt) where seen[receipt.verdict, default: 0] < 12 {
                seen[receipt.verdict, default: 0] += 1
                let status = try verify(receipt, anchor: anchor, in: folder)
                #expect((status == 0) == verifying.contains(receipt.verdict), "\(receipt.verdict)")
            }
            #expect(seen.count == 6)
        }
    }

    @Test("certificates carry purpose, validity and Apple's markers")
    func certificates() throws {
        try withTemporaryFolder { folder in
            let authority = try Authority.shared(seed: 3)
            let unmarked = try text(authority.chain(.unmarked).certificates[0], in: folder)
            let marked = try text(authority.chain(.second).certificates[0], in: folder)
            #expect(marked.contains("1.2.840.113635.100.6.11.1"))
            #expect(!unmarked.contains("1.2.840.113635.100.6.11.1"))
            #expect(marked.contains("CA:FALSE") && marked.contains("Digital Signature"))
            let intermediate = try text(authority.chain(.first).certificates[1], in: folder)
            #expect(intermediate.contains("1.2.840.113635.100.6.2.1"))
            #expect(intermediate.contains("CA:TRUE, pathlen:0"))
            #expect(intermediate.contains("Not After : Feb  7 00:00:00 2023 GMT"))
            let weak = try text(authority.chain(.weak).certificates[0], in: folder)
            #expect(weak.contains("(1024 bit)"))
        }
    }

    @Test("keys that follow from a seed are sound RSA keys")
    func keys() throws {
        var random = SeededRandom(seed: 9, stream: "test")
        let key = try RSAKey(bits: 2_048, random: &random)
        let other = try RSAKey(bits: 2_048, random: &random)
        #expect(key.publicKey != other.publicKey)
        // SEQUENCE, INTEGER of 257 octets (a zero before the top bit), INTEGER 65537.
        #expect(key.publicKey.count == 270)
        #expect(Array(key.publicKey.suffix(5)) == [0x02, 0x03, 0x01, 0x00, 0x01])
        #expect(try key.sign([1, 2, 3], digest: .sha256).count == 256)
    }

    private func mint(_ parameters: MintParameters, into folder: URL) throws -> (MintedChunk, String) {
        _ = try MintRun(parameters).run(into: folder)
        let chunk = try MintedChunk(0, parameters, authority: Authority.shared(seed: parameters.seed))
        return (chunk, MintRun.anchorName)
    }

    private func verify(_ receipt: MintedReceipt, anchor: String, in folder: URL) throws -> Int32 {
        try Data(receipt.encoded).write(to: folder.appending(path: "receipt.der"))
        return try run(
            "openssl",
            [
                "cms", "-verify", "-inform", "DER", "-in", "receipt.der", "-CAfile", anchor, "-purpose", "any",
                "-no_check_time", "-binary", "-out", "content.der",
            ], in: folder
        ).status
    }

    private func text(_ certificate: Certificate, in folder: URL) throws -> String {
        try Data(certificate.encoded).write(to: folder.appending(path: "certificate.der"))
        let (status, output) = try run(
            "openssl", ["x509", "-inform", "DER", "-in", "certificate.der", "-noout", "-text"], in: folder)
        #expect(status == 0)
        return String(decoding: output, as: UTF8.self)
    }
}
