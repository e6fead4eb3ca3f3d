import Testing

@testable import ReceiptMint

/// Expected octets are worked by hand from X.690; where it has an example, from there.
struct DERWriterTests {
    @Test(
        "integers take the fewest octets of two's complement",
        arguments: [
            (0, [0x00]), (127, [0x7f]), (128, [0x00, 0x80]), (256, [0x01, 0x00]), (-128, [0x80]), (-129, [0xff, 0x7f]),
            (-1, [0xff]), (65_537, [0x01, 0x00, 0x01]),
            (.max, [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), (.min, [0x80, 0, 0, 0, 0, 0, 0, 0]),
        ] as [(Int64, [UInt8])])
    func integers(value: Int64, octets: [UInt8]) {
        #expect(DER.integer(value) == [0x02, UInt8(octets.count)] + octets)
    }

    @Test("unsigned numbers get a zero octet where they would look negative")
    func unsignedNumbers() {
        #expect(DER.unsignedInteger([0x80]) == [0x02, 0x02, 0x00, 0x80])
        #expect(DER.unsignedInteger([0x00, 0x00, 0x7f]) == [0x02, 0x01, 0x7f])
        #expect(DER.unsignedInteger([0x00]) == [0x02, 0x01, 0x00])
    }

    @Test(
        "lengths take the fewest octets",
        arguments: [
            (0, [0x00]), (127, [0x7f]), (128, [0x81, 0x80]), (255, [0x81, 0xff]), (256, [0x82, 0x01, 0x00]),
            (65_536, [0x83, 0x01, 0x00, 0x00]),
        ] as [(Int, [UInt8])])
    func lengths(count: Int, octets: [UInt8]) {
        let encoded = DER.octetString([UInt8](repeating: 0xaa, count: count))
        #expect(Array(encoded.prefix(1 + octets.count)) == [0x04] + octets)
        #expect(encoded.count == 1 + octets.count + count)
    }

    @Test("the object identifier of X.690 8.19.5 encodes as printed there")
    func objectIdentifierOfTheStandard() {
        #expect(DER.objectIdentifier([2, 100, 3]) == [0x06, 0x03, 0x81, 0x34, 0x03])
    }

    @Test("Apple's receipt-signing marker encodes in base 128")
    func marker() {
        #expect(
            DER.objectIdentifier(Authority.signerMarker)
                == [0x06, 0x0a, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06, 0x0b, 0x01])
    }

    @Test("the string of X.690 8.21 and its bit string of 8.6.4.2 encode as printed there")
    func strings() {
        #expect(DER.element(0x1a, Array("Jones".utf8)) == [0x1a, 0x05, 0x4a, 0x6f, 0x6e, 0x65, 0x73])
        #expect(
            DER.bitString([0x0a, 0x3b, 0x5f, 0x29, 0x1c, 0xd0], unusedBits: 4)
                == [0x03, 0x07, 0x04, 0x0a, 0x3b, 0x5f, 0x29, 0x1c, 0xd0])
    }

    @Test("the sequence of X.690 8.9.3 encodes as printed there")
    func sequence() {
        #expect(
            DER.sequence(DER.element(0x16, Array("Smith".utf8)), DER.boolean(true))
                == [0x30, 0x0a, 0x16, 0x05, 0x53, 0x6d, 0x69, 0x74, 0x68, 0x01, 0x01, 0xff])
    }
}
