import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptMint

/// OpenSSL's command-line tool as the reference for signatures: `cms -verify` of the
/// container, with the chain ignored.
@Suite("OpenSSL's tool agrees on the signature")
struct OpenSSLAgreementTests {
    /// Receipts that are compared.
    static let count = Nightly.rounds(day: 30, night: 1_000)

    /// The names of the receipts in a folder whose signatures the tool verifies,
    /// all verified by one shell.
    private func verified(in workdir: Workdir, _ names: [String]) throws -> Set<String> {
        try workdir.write(names.joined(separator: "\n") + "\n", to: "names")
        let script = """
            while read -r name; do
                openssl cms -verify -noverify -inform DER -binary -in "$name" -out content 2>&1 | grep -q successful \
            && echo "$name"
            done < names
            """
        let output = try Command("sh", ["-c", script], in: workdir.url).run().output
        return Set(output.split(separator: "\n").map(String.init))
    }

    /// Whether our verdict accepts the signature alone; nil where it was not verified,
    /// because the algorithm is refused or the signer's certificate is missing.
    private func holds(_ found: Verification) -> Bool? {
        switch found.verdict {
        case .badSignature: false
        case .unsupportedAlgorithm: found.detail?.contains("algorithm") == true ? nil : true
        case .trusted, .untrustedRoot, .wrongPurpose, .notValidAtCreation: true
        case .brokenChain: found.signer == nil ? nil : true
        }
    }

    @Test("of minted receipts, good ones and forged")
    func agreesOnMintedReceipts() throws {
        var parameters = MintParameters()
        parameters.count = Self.count
        parameters.seed = UInt64.random(in: 1...1_000_000)
        for defect in Defect.allCases { parameters.shares[defect] = 0 }
        for defect: Defect in [
            .forgedSignature, .foreignChain, .missingMarkers, .expiredSigner, .brokenChain, .weakKey, .weakDigest,
        ] { parameters.shares[defect] = 0.06 }
        let authority = try Authority(seed: parameters.seed)
        let verifier = try Verifier(anchors: TrustAnchors(files: authority.root))
        let workdir = try Workdir()
        var ours: [String: Verification] = [:]
        for first in stride(from: 0, to: parameters.count, by: MintedChunk.lines) {
            let chunk = try MintedChunk(first / MintedChunk.lines, parameters, authority: authority)
            for (line, submission) in chunk.submissions.enumerated() {
                let name = "\(first + line).der"
                try workdir.write(submission.receipt.encoded, to: name)
                ours[name] = try ReadReceipt(submission.receipt.encoded).verify(with: verifier)
            }
        }
        let theirs = try verified(in: workdir, Array(ours.keys))
        #expect(ours.count >= Self.count && !theirs.isEmpty && theirs.count < ours.count)
        for (name, found) in ours {
            guard let holds = holds(found) else { continue }
            #expect(holds == theirs.contains(name), "seed \(parameters.seed), \(name): \(found)")
        }
    }

    @Test("of minted receipts with a byte changed anywhere")
    func agreesOnChangedReceipts() throws {
        let store = try ReceiptStore()
        let verifier = try Verifier(anchors: TrustAnchors(files: store.der("root")))
        let workdir = try Workdir()
        let seed = UInt64.random(in: 0 ... .max)
        print("let changeSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        var ours: [String: Verification] = [:]
        for options in [["-noattr", "-md", "sha256"], ["-md", "sha256"]] {
            let receipt = try store.receipt(options)
            let read = try ReadReceipt(receipt)
            let signer = read.container.signer
            // Content, signed attributes and signature: everything the signature depends on.
            let offsets =
                Array(read.container.content.range.indices) + Array(signer.signature.indices)
                + (signer.signedAttributes.map { Array($0.content.indices) } ?? [])
            for round in 0..<Self.count / 2 {
                var changed = receipt
                let offset = offsets[Int.random(in: offsets.indices, using: &random)]
                changed[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                guard let read = try? ReadReceipt(changed) else { continue }
                let name = "\(options.count)-\(round).der"
                try workdir.write(changed, to: name)
                ours[name] = try read.verify(with: verifier)
            }
        }
        let theirs = try verified(in: workdir, Array(ours.keys))
        for (name, found) in ours {
            guard let holds = holds(found) else { continue }
            #expect(holds == theirs.contains(name), "seed \(seed), \(name): \(found)")
        }
    }

    @Test("of real receipts")
    func agreesOnRealReceipts() throws {
        let verifier = try Verifier(anchors: .apple)
        let workdir = try Workdir()
        var ours: [String: Verification] = [:]
        for name in Corpus.names() {
            guard try Corpus.expectation(name)["kind"] as? String == "app_receipt",
                let read = try? ReadReceipt(Corpus.receipt(name))
            else { continue }
            ours[name] = try read.verify(with: verifier)
            try workdir.write(Corpus.receipt(name), to: name)
        }
        let theirs = try verified(in: workdir, Array(ours.keys))
        #expect(ours.count > (Corpus.isWhole ? 20 : 10))
        for (name, found) in ours {
            #expect(holds(found) == theirs.contains(name), "\(name): \(found)")
        }
    }
}
