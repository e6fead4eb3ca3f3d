import Testing

@testable import ReceiptMint

/// Published vectors: RFC 6979 A.2.5 and A.2.6.
struct ECKeyTests {
    private static let scalar256 = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
    private static let scalar384 =
        "6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5"

    @Test("the public point is the vector's")
    func publicPoint() throws {
        let key = try ECKey(.p256, scalar: bytes(Self.scalar256))
        #expect(
            key.publicKey.hexadecimal == "04"
                + "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
    }

    @Test(
        "signatures on P-256 with SHA-256 are those of the vectors",
        arguments: [
            (
                "sample", "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
                "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
            ),
            (
                "test", "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
                "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
            ),
        ])
    func signaturesOnP256(message: String, r: String, s: String) throws {
        let signature = try ECKey(.p256, scalar: bytes(Self.scalar256)).sign(Array(message.utf8))
        #expect(signature.r.hexadecimal == r)
        #expect(signature.s.hexadecimal == s)
    }

    @Test("a signature on P-384 with SHA-384 is that of the vector")
    func signatureOnP384() throws {
        let signature = try ECKey(.p384, scalar: bytes(Self.scalar384)).sign(Array("sample".utf8))
        #expect(
            signature.r.hexadecimal
                == "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c"
                + "81a648152e44acf96e36dd1e80fabe46")
        #expect(
            signature.s.hexadecimal
                == "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94f"
                + "a329c145786e679e7b82c71a38628ac8")
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.count, by: 2).compactMap { index in
            let start = hexadecimal.index(hexadecimal.startIndex, offsetBy: index)
            return UInt8(hexadecimal[start..<hexadecimal.index(start, offsetBy: 2)], radix: 16)
        }
    }
}

/// RFC 4648 10, and bytes that tell the two alphabets apart.
struct Base64Tests {
    @Test(
        "text is that of the standard, padded for certificates alone",
        arguments: [
            ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
            ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
        ])
    func vectors(text: String, padded: String, unpadded: String) {
        #expect(Base64.standard(Array(text.utf8)) == padded)
        #expect(String(decoding: Base64.url(Array(text.utf8)), as: UTF8.self) == unpadded)
    }

    @Test("62 and 63 are + and / in one alphabet, - and _ in the other")
    func alphabets() {
        #expect(Base64.standard([0xfb, 0xff, 0xbf]) == "+/+/")
        #expect(String(decoding: Base64.url([0xfb, 0xff, 0xbf]), as: UTF8.self) == "-_-_")
    }
}
