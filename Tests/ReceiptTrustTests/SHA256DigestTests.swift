import ReceiptTrust
import TestSupport
import Testing

@Suite("A SHA-256 digest")
struct SHA256DigestTests {
    /// FIPS 180-2, appendix B.1 and B.2; the empty one is NIST's too.
    @Test(
        "is that of the standard's examples",
        arguments: [
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ])
    func digests(text: String, hex: String) throws {
        let bytes = Array("<\(text)>".utf8)
        let found = try MessageDigest().sha256(bytes.span, in: 1..<bytes.count - 1)
        #expect(found.hex == hex)
        let digest = try MessageDigest()
        try digest.start(.sha256)
        for index in 1..<bytes.count - 1 { try digest.update(bytes.span, in: index..<index + 1) }
        let parts = try digest.finishSHA256()
        #expect(parts == found)
    }

    @Test("is read from hexadecimal digits of either case, with colons or without")
    func readsHexadecimal() {
        let bytes = (0..<32).map { UInt8($0 * 7 + 3) }
        let plain = bytes.map { format(byte: $0) }
        let expected = SHA256Digest(bytes: bytes)
        #expect(expected?.bytes == bytes)
        #expect(SHA256Digest(hex: plain.joined()) == expected)
        #expect(SHA256Digest(hex: plain.joined().uppercased()) == expected)
        #expect(SHA256Digest(hex: plain.joined(separator: ":")) == expected)
        #expect(expected?.hex == plain.joined())
    }

    private func format(byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return String([digits[Int(byte) / 16], digits[Int(byte) % 16]])
    }

    @Test(
        "is no other text",
        arguments: [
            "", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
            String(repeating: "0", count: 66), String(repeating: "g", count: 64), String(repeating: "０", count: 64),
            "sha256:" + String(repeating: "0", count: 64), " " + String(repeating: "0", count: 64),
        ])
    func refusesOtherTexts(text: String) {
        #expect(SHA256Digest(hex: text) == nil)
    }

    @Test("takes 32 bytes, not fewer, and is ordered as they are")
    func ordersAsBytes() throws {
        #expect(SHA256Digest(bytes: [UInt8](repeating: 1, count: 31)) == nil)
        var random = SeededGenerator(seed: 5)
        let all = (0..<300).map { _ in
            (0..<32).map { _ in UInt8.random(in: 0...3, using: &random) * 85 }
        }
        let sorted = all.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(all.compactMap { SHA256Digest(bytes: $0) }.sorted().map(\.bytes) == sorted)
    }
}
