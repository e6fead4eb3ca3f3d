import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptMint

@Suite("An app receipt's verdict")
struct VerdictTests {
    @Test("can be every one there is, and is what the mint planted")
    func everyVerdictOccurs() throws {
        var parameters = MintParameters()
        parameters.count = 400
        for defect in Defect.allCases { parameters.shares[defect] = 0 }
        for defect: Defect in [
            .forgedSignature, .foreignChain, .missingMarkers, .expiredSigner, .brokenChain, .weakKey, .weakDigest,
            .sandbox, .serverIssued,
        ] { parameters.shares[defect] = 0.04 }
        let authority = try Authority.shared(seed: parameters.seed)
        let chunk = try MintedChunk(0, parameters, authority: authority)
        let verifier = try Verifier(anchors: TrustAnchors(files: authority.root))
        var seen: Set<Verdict> = []
        for receipt in chunk.submissions.map(\.receipt) {
            let found = try ReadReceipt(receipt.encoded).verify(with: verifier)
            seen.insert(found.verdict)
            #expect(found.verdict.rawValue == receipt.verdict.rawValue, "\(found.detail ?? "")")
            #expect((found.detail == nil) == (found.verdict == .trusted))
            #expect(found.digestAlgorithm == receipt.digest.rawValue)
        }
        #expect(seen == Set(Verdict.allCases))
    }

    @Test("is that of the real receipts' expectations")
    func agreesWithCorpus() throws {
        let verifier = try Verifier(anchors: .apple)
        for name in Corpus.names() {
            let expected = try Corpus.expectation(name)
            guard expected["kind"] as? String == "app_receipt", let verdict = expected["verdict"] as? String else {
                continue
            }
            let found = try ReadReceipt(Corpus.receipt(name)).verify(with: verifier)
            #expect(found.verdict.rawValue == verdict, "\(name): \(found.detail ?? "")")
            #expect(found.digestAlgorithm == expected["digest_algorithm"] as? String, "\(name)")
        }
    }

    @Test("is trusted for signed attributes, key identifiers, streams and both digests")
    func trustsEveryShape() throws {
        let store = try ReceiptStore()
        let anchors = try TrustAnchors(files: store.der("root"))
        for options in [
            ["-noattr", "-md", "sha256"], ["-noattr", "-md", "sha1"], ["-md", "sha256"], ["-md", "sha1"],
            ["-md", "sha256", "-keyid"], ["-noattr", "-md", "sha256", "-stream"], ["-nosmimecap", "-md", "sha256"],
        ] {
            let found = try verify(store.receipt(options), trusting: anchors)
            #expect(found.verdict == .trusted, "\(options): \(found.detail ?? "")")
            #expect(found.digestAlgorithm == (options.contains("sha1") ? "sha1" : "sha256"))
            #expect(found.signer == "CN=Throw-away signer")
        }
    }

    @Test("is bad_signature where the content, the attributes or the signature were changed")
    func refusesChanges() throws {
        let store = try ReceiptStore()
        let anchors = try TrustAnchors(files: store.der("root"))
        for options in [["-noattr", "-md", "sha256"], ["-md", "sha256"], ["-md", "sha1"]] {
            let receipt = try store.receipt(options)
            let read = try ReadReceipt(receipt)
            // The last letter of the environment, both ends of the signature, the signed digest.
            let letter = try #require(read.app.environment).end - 1
            let signature = read.container.signer.signature
            let signed = read.container.signer.signedAttributes?.messageDigest?.offset
            for offset in [letter, signature.offset, signature.end - 1, signed].compactMap({ $0 }) {
                var changed = receipt
                changed[offset] ^= 1
                #expect(try verify(changed, trusting: anchors).verdict == .badSignature, "\(options), byte \(offset)")
            }
        }
    }

    @Test("is bad_signature before anything about the chain")
    func verifiesSignatureFirst() throws {
        let store = try ReceiptStore()
        var receipt = try store.receipt()
        let offset = try ReadReceipt(receipt).container.signer.signature.offset
        #expect(try verify(receipt, trusting: .apple).verdict == .untrustedRoot)
        receipt[offset + 9] ^= 0x40
        #expect(try verify(receipt, trusting: .apple).verdict == .badSignature)
    }

    @Test("is unsupported_algorithm for digests, keys and paddings that the store never used")
    func refusesAlgorithms() throws {
        let store = try ReceiptStore()
        let anchors = try TrustAnchors(files: store.der("root"))
        for options in [
            ["-noattr", "-md", "sha512"], ["-noattr", "-md", "sha384"], ["-noattr", "-md", "md5"], ["-md", "sha512"],
            ["-noattr", "-md", "sha256", "-keyopt", "rsa_padding_mode:pss"],
        ] {
            let found = try verify(store.receipt(options), trusting: anchors)
            #expect(found.verdict == .unsupportedAlgorithm, "\(options): \(found.detail ?? "")")
        }
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        let elliptic = try ReceiptStore(signer: .signer.with { $0.key = curve })
        let found = try verify(elliptic.receipt(), trusting: TrustAnchors(files: elliptic.der("root")))
        #expect(found.verdict == .unsupportedAlgorithm)
    }
}

extension ReceiptStore {
    func receipt(_ options: [String]) throws -> [UInt8] {
        try receipt(carrying: ["intermediate", "root"], options)
    }
}
