import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptVerification

/// `x5c` of every wrong form: the order of it is the chain, and no path is searched.
@Suite("The certificates of a signed string")
struct SignedChainTests {
    typealias Store = SignedStringStore
    private let store: SignedStringStore

    init() throws { store = try SignedStringStore() }

    private func expect(
        _ verdict: Verdict, _ what: String, _ chain: [[UInt8]], location: SourceLocation = #_sourceLocation
    ) throws {
        try store.expect(verdict, what, location: location) { $0.chain = chain }
    }

    @Test("have to be there, and to be readable")
    func refusesUnreadable() throws {
        let (leaf, intermediate, root) = (store.leaf.der, store.intermediate.der, store.root.der)
        let text = Data(leaf).base64EncodedString()
        for (what, certificates) in [
            ("absent", ""), ("empty", "[]"), ("null", "null"), ("a text", "\"\(text)\""),
            ("an object", "{\"0\":\"\(text)\"}"),
            ("numbers", "[1,2,3]"), ("nulls", "[null,null,null]"), ("lists", "[[\"\(text)\"]]"),
            ("empty texts", #"["","",""]"#),
            ("no base64", #"["!!!!"]"#), ("a lone surrogate's neighbour", #"["\u0000"]"#),
        ] {
            try store.expect(.brokenChain, what) { $0.certificates = certificates }
        }
        let others = "\"\(Data(intermediate).base64EncodedString())\",\"\(Data(root).base64EncodedString())\""
        let unpadded = text.replacing("=", with: "")
        for (what, first) in [
            ("with white space", text.prefix(64) + "\\n" + text.dropFirst(64)),
            ("in PEM", "-----BEGIN CERTIFICATE-----" + text + "-----END CERTIFICATE-----"),
            ("cut", text.dropLast(4) + ""), ("doubled", text + text),
        ] {
            try store.expect(.brokenChain, what) { $0.certificates = "[\"\(first)\",\(others)]" }
        }
        if unpadded != text {
            try store.expect(.brokenChain, "unpadded") { $0.certificates = "[\"\(unpadded)\",\(others)]" }
        }
        let url = text.replacing("+", with: "-").replacing("/", with: "_")
        if url != text { try store.expect(.brokenChain, "base64url") { $0.certificates = "[\"\(url)\",\(others)]" } }
        for place in 0..<3 {
            let chain = [leaf, intermediate, root]
            for (what, bytes) in [
                ("garbage", Array("garbage".utf8)), ("a byte behind", chain[place] + [0]),
                ("two in one", chain[place] + chain[place]), ("a byte short", Array(chain[place].dropLast())),
                ("a SEQUENCE", [0x30, 0]), ("a key", try store.leaf.key.publicKey),
            ] {
                var changed = chain
                changed[place] = bytes
                try expect(.brokenChain, "\(what), certificate \(place + 1)", changed)
            }
        }
    }

    @Test("have to lead from one to the next in the order in which they stand")
    func refusesOtherOrders() throws {
        let (leaf, intermediate, root) = (store.leaf.der, store.intermediate.der, store.root.der)
        try expect(.trusted, "in order", [leaf, intermediate, root])
        try expect(.brokenChain, "leaf, root, intermediate", [leaf, root, intermediate])
        try expect(.unsupportedAlgorithm, "root first", [root, intermediate, leaf])
        try expect(.unsupportedAlgorithm, "intermediate first", [intermediate, leaf, root])
        try expect(.brokenChain, "the leaf twice", [leaf, leaf, intermediate, root])
        try expect(.brokenChain, "the intermediate twice", [leaf, intermediate, intermediate, root])
        try expect(.wrongPurpose, "the root twice", [leaf, intermediate, root, root])
        try expect(.brokenChain, "without the intermediate", [leaf, root])
        let other = try Store()
        try expect(.brokenChain, "another store's intermediate", [leaf, other.intermediate.der, root])
        try expect(.brokenChain, "another store's root", [leaf, intermediate, other.root.der])
        try expect(.brokenChain, "a foreign one between", [leaf, intermediate, other.leaf.der, root])
        try expect(.brokenChain, "a foreign one behind", [leaf, intermediate, root, other.root.der])
        try expect(.badSignature, "another store's leaf", [other.leaf.der, intermediate, root])
        // Of the genuine names, and signed by nobody that matters.
        let twin = try ThrowAwayCertificate(Store.intermediate, issuer: other.root)
        let forged = try ThrowAwayCertificate(Store.leaf, issuer: twin)
        try store.expect(.brokenChain, "a twin of the intermediate") {
            ($0.chain, $0.key) = ([forged.der, twin.der, root], forged.key)
        }
        try store.expect(.brokenChain, "a twin's leaf under the genuine intermediate") {
            ($0.chain, $0.key) = ([forged.der, intermediate, root], forged.key)
        }
        // Who has the certificate lacks the key: rules for signatures come first.
        try store.expect(.badSignature, "the genuine chain, another key") { $0.key = forged.key }
    }

    @Test("are three, or a single one that is pinned")
    func refusesOtherCounts() throws {
        let (leaf, intermediate, root) = (store.leaf.der, store.intermediate.der, store.root.der)
        try expect(.untrustedRoot, "one", [leaf])
        try expect(.untrustedRoot, "two", [leaf, intermediate])
        let direct = try ThrowAwayCertificate(Store.leaf, issuer: store.root)
        try store.expect(.wrongPurpose, "by the root itself") { ($0.chain, $0.key) = ([direct.der, root], direct.key) }
        // Four to eight, each made by the one before.
        var chain = [store.root]
        for number in 1...6 {
            let request = Store.intermediate.replacing("basicConstraints", with: "basicConstraints=critical,CA:TRUE")
                .with { $0.subject = "Intermediate \(number)" }
            chain.append(try ThrowAwayCertificate(request, issuer: chain[number - 1]))
        }
        for count in [2, 3, 6] {
            let below = try ThrowAwayCertificate(Store.leaf, issuer: chain[count])
            try store.expect(.wrongPurpose, "\(count + 2)") {
                ($0.chain, $0.key) = ([below.der] + chain[0...count].reversed().map(\.der), below.key)
            }
        }
        let below = try ThrowAwayCertificate(Store.leaf, issuer: chain[6])
        let nine = [below.der] + chain.reversed().map(\.der) + [root]
        #expect(nine.count == 9)
        try store.expect(.brokenChain, "nine") { ($0.chain, $0.key) = (nine, below.key) }
        try expect(.brokenChain, "a thousand", [leaf] + Array(repeating: intermediate, count: 1_000) + [root])
    }

    @Test("have to end at an anchor, which one file or fingerprint of --trust makes for receipts and signed data")
    func anchors() throws {
        let other = try Store()
        let text = try store.sign()
        func verdict(_ anchors: TrustAnchors, of text: String) throws -> Verdict? {
            try verify(line: text, trusting: anchors).receipts.first?.verification.verdict
        }
        #expect(try verdict(other.anchors, of: text) == .untrustedRoot)
        #expect(try verdict(TrustAnchors(), of: text) == .untrustedRoot)
        #expect(try verdict(.apple, of: text) == .untrustedRoot)
        var both = TrustAnchors.apple
        both.formUnion(try store.anchors)
        #expect(try verdict(both, of: text) == .trusted)
        // The anchor is the last certificate, not one on the way.
        #expect(try verdict(TrustAnchors(certificates: store.intermediate.der), of: text) == .untrustedRoot)
        #expect(try verdict(TrustAnchors(certificates: store.leaf.der), of: text) == .untrustedRoot)
        let two = try store.string().with { $0.chain.removeLast() }.text
        #expect(try verdict(TrustAnchors(certificates: store.intermediate.der), of: two) == .wrongPurpose)
        let workdir = try Workdir()
        try workdir.write(store.root.der, to: "root")
        let hex = try #require(try workdir.openssl("dgst", "-sha256", "-r", "root")).prefix(64)
        var pinned = TrustAnchors()
        pinned.insert(try #require(SHA256Digest(hex: String(hex))))
        #expect(try verdict(pinned, of: text) == .trusted)
    }

    /// Their SHA-256 as Apple publishes it (https://www.apple.com/certificateauthority/).
    @Test("end by default at Apple Root CA - G3, and those of receipts at Apple Root CA")
    func rootsServeOnePurpose() throws {
        let root = "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"
        let rootG3 = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"
        #expect(TrustAnchors.apple.fingerprints.map(\.hex) == [root])
        #expect(TrustAnchors.apple.signedDataFingerprints.map(\.hex) == [rootG3])
        var own = TrustAnchors.apple
        own.formUnion(try store.anchors)
        #expect(own.fingerprints.intersection(own.signedDataFingerprints).count == 1)
        #expect(!own.fingerprints.map(\.hex).contains(rootG3) && !own.signedDataFingerprints.map(\.hex).contains(root))
    }

    @Test("that is the only one, as Xcode's, is trusted where it is pinned, and nowhere else")
    func pinnedSigners() throws {
        let request = Store.leaf.with {
            $0.subject = "StoreKit Testing in Xcode"
            $0.extensions = ["keyUsage=critical,digitalSignature", "extendedKeyUsage=critical,codeSigning"]
        }
        let alone = try ThrowAwayCertificate(request)
        let payload = Store.transaction().replacing("Production", with: "Xcode")
        func outcome(_ anchors: TrustAnchors, at date: Int64 = Store.signedAt) throws -> Outcome? {
            let string = store.string(payload.replacing("\(Store.signedAt)", with: "\(date)")).with {
                ($0.chain, $0.key, $0.more) = ([alone.der], alone.key, #","kid":"Apple_Xcode_Key","typ":"JWT""#)
            }
            return try verify(line: string.text, trusting: anchors).outcome
        }
        #expect(try outcome(TrustAnchors(certificates: alone.der)) == .verdict(.trusted))
        #expect(
            try outcome(TrustAnchors(certificates: alone.der), at: 1_600_000_000_000) == .verdict(.notValidAtCreation))
        #expect(try outcome(.apple) == .verdict(.untrustedRoot))
        #expect(try outcome(store.anchors) == .verdict(.untrustedRoot))
    }
}
