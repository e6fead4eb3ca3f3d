import Foundation
import ReceiptFormat
import TestSupport
import Testing

@testable import ReceiptTrust

/// Bounds on chains, each at its edge.
@Suite("A chain of certificates is bounded: it")
struct ChainLimitTests {
    typealias Request = ReceiptStore.Request

    private func verdict(
        of store: ReceiptStore, carrying names: [String] = ["intermediate", "root"]
    ) throws -> Verification {
        try verify(store.receipt(carrying: names), trusting: TrustAnchors(files: store.der("root")))
    }

    @Test("has at most eight certificates")
    func limitsLength() throws {
        #expect(CertificateChain.maximumLength == 8)
        let store = try ReceiptStore()
        var made = 0
        /// The verification with `count` authorities between the root and the intermediate.
        func found(between count: Int) throws -> Verification {
            var (above, names) = ("root", ["root"])
            for index in 0..<count {
                let name = "authority-\(index)"
                if index >= made {
                    try store.certificate(name, Request(issuer: above, extensions: Request.authority()))
                    made += 1
                }
                names.append(name)
                above = name
            }
            try store.certificate("intermediate", Request.intermediate.with { $0.issuer = above })
            try store.certificate("signer", .signer)
            return try verdict(of: store, carrying: names + ["intermediate"])
        }
        let longest = try found(between: 5)
        #expect(longest.verdict == .trusted, "\(longest.detail ?? "")")
        let longer = try found(between: 6)
        #expect(longer.verdict == .brokenChain)
        #expect(longer.detail == "more than 8 certificates in the chain")
    }

    @Test("is searched with at most 32 signatures of RSA-2048 verified")
    func limitsSearch() throws {
        let (store, other) = (try ReceiptStore(), try ReceiptStore(hasOwnKeys: true))
        let digest = try MessageDigest()
        func certificate(_ name: String, of store: ReceiptStore) throws -> Certificate {
            let der = try store.der(name)
            let whole = ByteRange(offset: 0, count: der.count)
            return try #require(try Certificate(der.span, in: whole, digest: digest))
        }
        let (signer, root) = (try certificate("signer", of: store), try certificate("root", of: store))
        let (issuer, decoy) = (try certificate("intermediate", of: store), try certificate("intermediate", of: other))
        let decoded = try DecodedAnchors(TrustAnchors(files: store.der("root")), digest: digest)
        /// Decoys have the issuer's name and come before it; it and the root take two more.
        func isFound(behind decoys: Int) -> Bool {
            let candidates = [Certificate](repeating: decoy, count: decoys) + [issuer, root]
            let search = IssuerSearch(anchors: decoded, candidates: candidates, purpose: .appReceipts)
            return !search.outcome(for: signer).validities.isEmpty
        }
        #expect(isFound(behind: 30))
        #expect(!isFound(behind: 31))
    }

    @Test("is searched with the work of 32 verifications, of which a larger key takes more")
    func limitsWork() throws {
        let digest = try MessageDigest()
        /// The number of decoys in front of the true issuer with which it is found.
        func decoys(_ key: [String]?) throws -> Int {
            let store = try ReceiptStore()
            let other = try ReceiptStore(intermediate: .intermediate.with { $0.key = key }, hasOwnKeys: true)
            func certificate(_ name: String, of store: ReceiptStore) throws -> Certificate {
                try #require(try Certificate(der: store.der(name), digest: digest))
            }
            let signer = try certificate("signer", of: store)
            let decoy = try certificate("intermediate", of: other)
            let issuers = [try certificate("intermediate", of: store), try certificate("root", of: store)]
            let decoded = try DecodedAnchors(TrustAnchors(files: store.der("root")), digest: digest)
            return (0...32).last { count in
                let candidates = [Certificate](repeating: decoy, count: count) + issuers
                let search = IssuerSearch(anchors: decoded, candidates: candidates, purpose: .appReceipts)
                return !search.outcome(for: signer).validities.isEmpty
            } ?? -1
        }
        // (32 − 2) / 1, / (4096 / 2048)², / (2 × exponent of 32 bits), / P-256's 4.
        #expect(try decoys(nil) == 30)
        #expect(try decoys(["-newkey", "rsa:4096"]) == 7)
        #expect(try decoys(["-newkey", "rsa:2048", "-pkeyopt", "rsa_keygen_pubexp:4294967295"]) == 15)
        #expect(try decoys(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]) == 7)
    }

    @Test("begins with a key of 8192 bits at most")
    func limitsKeys() throws {
        /// The verdict where the signer's modulus is any number of `bits` bits. There is
        /// no private key to it, so a signature that is verified with it fails.
        func verdict(bits: Int) throws -> Verdict {
            let store = try ReceiptStore()
            let modulus = String(1 << ((bits - 1) % 4), radix: 16) + String(repeating: "f", count: (bits - 1) / 4)
            let key = """
                asn1=SEQUENCE:key
                [key]
                algorithm=SEQUENCE:algorithm
                bits=BITWRAP,SEQUENCE:numbers
                [algorithm]
                name=OID:rsaEncryption
                parameters=NULL
                [numbers]
                modulus=INTEGER:0x\(modulus)
                exponent=INTEGER:65537
                """
            try store.workdir.write(key, to: "key.conf")
            for command in [
                ["asn1parse", "-genconf", "key.conf", "-noout", "-out", "key.der"],
                ["pkey", "-pubin", "-inform", "DER", "-in", "key.der", "-out", "key.pem"],
                [
                    "x509", "-req", "-in", "signer.csr", "-force_pubkey", "key.pem", "-CA", "intermediate.pem",
                    "-CAkey",
                    "intermediate.key", "-days", "1", "-set_serial", "7", "-extfile", "signer.ext", "-outform", "DER",
                    "-out", "large.der",
                ],
            ] { _ = try #require(try store.workdir.openssl(command), "\(command)") }
            var receipt = try HandmadeReceipt(store)
            let names = ["large", "intermediate", "root"]
            receipt.parts.certificates = BER.element(0xa0, try names.flatMap { try store.der($0) })
            return try receipt.verdict()
        }
        #expect(try verdict(bits: 8192) == .badSignature)
        #expect(try verdict(bits: 8193) == .unsupportedAlgorithm)
    }

    @Test("has keys of 2048 bits at least, at every level")
    func limitsShortKeys() throws {
        for (bits, expected) in [(2048, Verdict.trusted), (2047, .unsupportedAlgorithm)] {
            let key = ["-newkey", "rsa:\(bits)"]
            for store in [
                try ReceiptStore(signer: .signer.with { $0.key = key }),
                try ReceiptStore(intermediate: .intermediate.with { $0.key = key }),
                try ReceiptStore(root: .root.with { $0.key = key }),
            ] { #expect(try verdict(of: store).verdict == expected, "\(bits)") }
        }
    }

    @Test("has exponents of 32 bits at most")
    func limitsExponents() throws {
        func verdict(exponent: String) throws -> Verdict {
            let key = ["-newkey", "rsa:2048", "-pkeyopt", "rsa_keygen_pubexp:\(exponent)"]
            return try self.verdict(of: ReceiptStore(signer: .signer.with { $0.key = key })).verdict
        }
        #expect(try verdict(exponent: "65537") == .trusted)
        #expect(try verdict(exponent: "4294967295") == .trusted)
        #expect(try verdict(exponent: "4294967297") == .unsupportedAlgorithm)
    }
}
