internal import Testing

@testable import MillRun
@testable import ReceiptWarehouse

@Suite struct IdentifierTagsTests {
    // Worked out with Python's integers: one, then words of seven bytes, the last, of fewer, before three bits for
    // their number, summed and multiplied in turn by (seed mod 2⁶¹ − 2) + 1, modulo 2⁶¹ − 1; of that the low 31 bits.
    @Test(
        "A tag is the polynomial's value",
        arguments: [
            (Int64(1), Array("".utf8), Int64(2)),
            (Int64(1), Array("u1".utf8), Int64(480022)),
            (Int64(-42), Array("u1".utf8), Int64(2141243361)),
            (Int64(7046029254386353131), Array("9f1c6a52-0b5e-4d67-a2c3-1d0f6b7e8a90".utf8), Int64(261236982)),
            (Int64(-1), [UInt8](repeating: 0xff, count: 35), Int64(2146924423)),
        ] as [(Int64, [UInt8], Int64)])
    func polynomial(seed: Int64, identifier: [UInt8], tag: Int64) {
        #expect(IdentifierTags(seed: seed).tag(ofAccount: identifier) == tag)
    }

    @Test(
        "A device has one tag, however its identifier is written, and base64 one for each",
        arguments: [
            "9f1c6a52-0b5e-4d67-a2c3-1d0f6b7e8a90", "9F1C6A52-0B5E-4D67-A2C3-1D0F6B7E8A90",
            "9f1c6a520b5e4d67a2c31d0f6b7e8a90", "9f:1c:6a:52:0b:5e:4d:67:a2:c3:1d:0f:6b:7e:8a:90",
        ])
    func notations(identifier: String) {
        let tags = IdentifierTags(seed: 7046029254386353131)
        #expect(tags.tag(ofDevice: identifier.utf8) == 1967495595)
        #expect(tags.tag(ofDevice: "AAECAwQF".utf8) != tags.tag(ofDevice: "aaecawqf".utf8))
    }

    @Test("Identifiers that differ in their end alone have tags of their own")
    func ends() {
        let tags = IdentifierTags(seed: 5)
        let identifiers = ["a", "a\0", "a\0\0", "\0a", "aaaaaaa", "aaaaaaa\0", ""]
        #expect(Set(identifiers.map { tags.tag(ofAccount: $0.utf8) }).count == identifiers.count)
    }

    @Test("Of a hundred thousand identifiers few share a tag")
    func fewMeet() {
        let tags = IdentifierTags(seed: .random(in: .min ... .max))
        // Of five thousand million pairs, two or three by chance.
        #expect(Set((0..<100_000).map { tags.tag(ofAccount: "account-\($0)".utf8) }).count > 99_950)
    }
}
