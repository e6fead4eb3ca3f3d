import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@Suite("The certificates of a receipt")
struct ChainBuildingTests {
    /// The receipt with its certificates in another order: their total length,
    /// and so every header, stays.
    private func reordered(_ receipt: [UInt8], _ names: [String], of store: ReceiptStore) throws -> [UInt8] {
        let range = try ReadReceipt(receipt).container.certificates
        let certificates = try names.flatMap { try store.der($0) }
        try #require(certificates.count == range.count)
        var changed = receipt
        changed.replaceSubrange(range.indices, with: certificates)
        return changed
    }

    @Test("may come in any order")
    func readsAnyOrder() throws {
        let store = try ReceiptStore()
        let receipt = try store.receipt()
        let anchors = try TrustAnchors(fingerprint: fingerprint(of: "root", in: store))
        for names in [
            ["signer", "intermediate", "root"], ["signer", "root", "intermediate"], ["root", "signer", "intermediate"],
            ["intermediate", "signer", "root"], ["root", "intermediate", "signer"], ["intermediate", "root", "signer"],
        ] {
            let found = try verify(reordered(receipt, names, of: store), trusting: anchors)
            #expect(found.verdict == .trusted, "\(names): \(found.detail ?? "")")
            #expect(found.signer == "CN=Throw-away signer")
        }
    }

    @Test("may include others, of the same names too")
    func ignoresOthers() throws {
        let store = try ReceiptStore()
        let other = try ReceiptStore(hasOwnKeys: true)
        for name in ["root", "intermediate"] {
            try store.workdir.write(other.workdir.read("\(name).pem"), to: "other-\(name).pem")
        }
        let anchors = try TrustAnchors(fingerprint: fingerprint(of: "root", in: store))
        for names in [
            ["other-root", "other-intermediate", "intermediate", "root"],
            ["intermediate", "root", "other-intermediate", "other-root"],
        ] {
            #expect(try verify(store.receipt(carrying: names), trusting: anchors).verdict == .trusted)
        }
        let foreign = try verify(store.receipt(carrying: ["other-root", "other-intermediate"]), trusting: anchors)
        #expect(foreign.verdict == .brokenChain)
    }

    @Test("may include an intermediate that does not serve, before or behind one that does")
    func triesEveryPath() throws {
        let store = try ReceiptStore()
        // The same name and key, without the marker.
        let unmarked = try ReceiptStore(
            intermediate: ReceiptStore.Request(issuer: "root", extensions: ReceiptStore.Request.authority(",pathlen:0"))
        )
        try store.workdir.write(unmarked.workdir.read("intermediate.pem"), to: "unmarked.pem")
        let anchors = try TrustAnchors(fingerprint: fingerprint(of: "root", in: store))
        let alone = try verify(store.receipt(carrying: ["unmarked", "root"]), trusting: anchors)
        #expect(alone.verdict == .wrongPurpose)
        for names in [["unmarked", "intermediate", "root"], ["intermediate", "unmarked", "root"]] {
            #expect(try verify(store.receipt(carrying: names), trusting: anchors).verdict == .trusted)
        }
    }

    @Test(
        "do not help a container that does not state its signer's digest, as OpenSSL's tool does not verify it either")
    func wantsTheDigestStated() throws {
        let store = try ReceiptStore()
        let anchors = try TrustAnchors(fingerprint: fingerprint(of: "root", in: store))
        var receipt = try store.receipt()
        // The first object identifier of SHA-256 is in digestAlgorithms; 3 makes it SHA-512.
        let sha256: [UInt8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
        let start = try #require(
            receipt.indices.first { receipt.count - $0 >= 9 && Array(receipt[$0..<($0 + 9)]) == sha256 })
        receipt[start + 8] = 3
        try store.workdir.write(receipt, to: "confused.der")
        let openssl = try store.workdir.openssl(
            "cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", "confused.der", "-out", "content")
        #expect(openssl == nil)
        #expect(try verify(receipt, trusting: anchors).verdict == .unsupportedAlgorithm)
    }

    @Test("need not hold a root that is given as a file")
    func takesRootsFromFiles() throws {
        let store = try ReceiptStore()
        let receipt = try store.receipt(carrying: ["intermediate"])
        #expect(try verify(receipt, trusting: TrustAnchors(files: store.der("root"))).verdict == .trusted)
        #expect(try verify(receipt, trusting: TrustAnchors(files: store.workdir.read("root.pem"))).verdict == .trusted)
        let known = try TrustAnchors(fingerprint: fingerprint(of: "root", in: store))
        #expect(try verify(receipt, trusting: known).verdict == .brokenChain)
        let both = try store.der("root")
        let bare = try store.receipt(carrying: [])
        let anchors = try TrustAnchors(files: both, store.der("intermediate"))
        // Pinned, an intermediate ends the chain: two certificates, and none between.
        #expect(try verify(bare, trusting: anchors).verdict == .wrongPurpose)
    }

    @Test("make a broken chain where one is missing, and the detail says which")
    func namesWhatIsMissing() throws {
        let store = try ReceiptStore()
        let anchors = try TrustAnchors(files: store.der("root"))
        let headless = try verify(store.receipt(carrying: ["root"]), trusting: anchors)
        #expect(headless.verdict == .brokenChain)
        #expect(headless.detail?.contains("CN=Throw-away intermediate") == true)
        let unsigned = try verify(
            store.receipt(carrying: ["intermediate", "root"], ["-noattr", "-md", "sha256", "-nocerts"]),
            trusting: anchors)
        #expect(unsigned.verdict == .brokenChain)
        #expect(unsigned.signer == nil)
        // None at all.
        let none = try store.receipt(carrying: [], ["-noattr", "-md", "sha256", "-nocerts"])
        #expect(try verify(none, trusting: anchors).verdict == .brokenChain)
    }

    @Test("end at a foreign root in untrusted_root, whatever its name")
    func refusesForeignRoots() throws {
        let (store, other) = (try ReceiptStore(), try ReceiptStore(hasOwnKeys: true))
        let found = try verify(store.receipt(), trusting: TrustAnchors(files: other.der("root")))
        #expect(found.verdict == .untrustedRoot)
        #expect(try found.detail?.contains(fingerprint(of: "root", in: store)) == true)
        #expect(try verify(store.receipt(), trusting: TrustAnchors()).verdict == .untrustedRoot)
        #expect(try verify(store.receipt(), trusting: .apple).verdict == .untrustedRoot)
    }

    @Test("may be damaged: the verdict is a refusal")
    func survivesDamage() throws {
        let store = try ReceiptStore()
        let receipt = try store.receipt()
        let anchors = try TrustAnchors(fingerprint: fingerprint(of: "root", in: store))
        let range = try ReadReceipt(receipt).container.certificates
        let verifier = try Verifier(anchors: anchors)
        let seed = UInt64.random(in: 0 ... .max)
        print("let damageSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            var changed = receipt
            changed[Int.random(in: range.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            guard let read = try? ReadReceipt(changed) else { continue }
            #expect(try read.verify(with: verifier).verdict != .trusted, "seed \(seed)")
        }
    }

    /// By OpenSSL's tool: 64 hexadecimal digits, lower case.
    private func fingerprint(of name: String, in store: ReceiptStore) throws -> String {
        let text = try store.workdir.openssl("dgst", "-sha256", "-r", "\(name).der")
        return String(try #require(text).prefix(64))
    }
}
