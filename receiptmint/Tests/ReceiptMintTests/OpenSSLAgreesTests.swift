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
        let verifying: Set<PlantedVerdict> = [.trusted, .wrongPurpose, .notValidAtCreation]
        try withTemporaryFolder { folder in
            let (chunk, anchor) = try mint(parameters, into: folder)
            var seen: [PlantedVerdict: Int] = [:]
            for receipt in chunk.submissions.map(\.receipt) where seen[receipt.verdict, default: 0] < 12 {
                seen[receipt.verdict, default: 0] += 1
                let status = try verify(receipt, anchor: anchor, in: folder)
                #expect((status == 0) == verifying.contains(receipt.verdict), "\(receipt.verdict)")
            }
            #expect(seen.count == 6)
        }
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
}
