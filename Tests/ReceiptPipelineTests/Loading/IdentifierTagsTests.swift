internal import Testing

@testable internal import ReceiptPipeline

@Suite struct IdentifierTagsTests {
    // Worked out with Python's integers: the length, then words of seven bytes, summed and multiplied in turn by
    // (seed mod 2⁶¹ − 2) + 1, modulo 2⁶¹ − 1; of that the low 31 bits.
    @Test(
        "A tag is the polynomial's value",
        arguments: [
            (Int64(1), Array("".utf8), Int64(0)),
            (Int64(1), Array("u1".utf8), Int64(60006)),
            (Int64(-42), Array("u1".utf8), Int64(2146703569)),
            (Int64(7046029254386353131), Array("9f1c6a52-0b5e-4d67-a2c3-1d0f6b7e8a90".utf8), Int64(13314386)),
            (Int64(-1), [UInt8](repeating: 0xff, count: 35), Int64(569866120)),
        ] as [(Int64, [UInt8], Int64)])
    func polynomial(seed: Int64, identifier: [UInt8], tag: Int64) {
        #expect(IdentifierTags(seed: seed).tag(of: identifier) == tag)
    }

    @Test("Identifiers that differ in their end alone have tags of their own")
    func ends() {
        let tags = IdentifierTags(seed: 5)
        let identifiers = ["a", "a\0", "a\0\0", "\0a", "aaaaaaa", "aaaaaaa\0", ""]
        #expect(Set(identifiers.map { tags.tag(of: $0.utf8) }).count == identifiers.count)
    }

    @Test("Of a hundred thousand identifiers few share a tag")
    func fewMeet() {
        let tags = IdentifierTags(seed: .random(in: .min ... .max))
        // Of five thousand million pairs, two or three by chance.
        #expect(Set((0..<100_000).map { tags.tag(of: "account-\($0)".utf8) }).count > 99_950)
    }
}
