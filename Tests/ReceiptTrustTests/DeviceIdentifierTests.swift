import ReceiptFormat
import ReceiptTrust
import Testing

@Suite("A device identifier")
struct DeviceIdentifierTests {
    private func identifier(_ text: String) -> DeviceIdentifier? {
        let bytes = Array("\"\(text)\"".utf8)
        return DeviceIdentifier(parsing: bytes.span, in: ByteRange(offset: 1, count: bytes.count - 2))
    }

    /// 6BA7B810-9DAD-11D1-80B4-00C04FD430C8 of RFC 4122, appendix C; base64 by
    /// `xxd -r -p | base64`.
    @Test(
        "is a UUID in any notation",
        arguments: [
            "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "6BA7B8109DAD11D180B400C04FD430C8", "6ba7b8109dad11d180b400c04fd430c8", "a6e4EJ2tEdGAtADAT9QwyA==",
            "a6e4EJ2tEdGAtADAT9QwyA",
        ])
    func readsUUIDs(text: String) {
        let bytes: [UInt8] = [
            0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
        ]
        #expect(identifier(text) == DeviceIdentifier(bytes))
        #expect(identifier(text)?.count == 16)
    }

    @Test(
        "is a MAC address in any notation",
        arguments: [
            "00:17:f2:c4:bc:c0", "00:17:F2:C4:BC:C0", "0:17:f2:c4:bc:c0", "00-17-F2-C4-BC-C0", "0-17-f2-c4-bc-c0",
            "0017.f2c4.bcc0", "0017F2C4BCC0", "0017f2c4bcc0", "ABfyxLzA",
        ])
    func readsMACs(text: String) {
        #expect(identifier(text) == DeviceIdentifier([0x00, 0x17, 0xf2, 0xc4, 0xbc, 0xc0]))
        #expect(identifier(text)?.count == 6)
    }

    @Test(
        "may stand between spaces, and a UUID in braces",
        arguments: [
            " 6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8 \t",
            "{6BA7B810-9DAD-11D1-80B4-00C04FD430C8}",
        ])
    func readsSurroundedUUIDs(text: String) {
        #expect(identifier(text) == identifier("6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        #expect(identifier(" 00 17 f2 c4 bc c0 ") == identifier("00:17:f2:c4:bc:c0"))
    }

    @Test("may be base64 in the URL-safe alphabet")
    func readsURLSafeBase64() {
        #expect(identifier("_-__-_8_") == identifier("/+//+/8/"))
        #expect(identifier("_-__-_8_") == DeviceIdentifier([0xff, 0xef, 0xff, 0xfb, 0xff, 0x3f]))
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "-", "null", "(null)", "<unknown>", "device#17", "6BA7B810-9DAD-11D1-80B4-00C04FD430C",
            "6BA7B810-9DAD-11D1-80B4-00C04FD430C8F", "6BA7B810-9DAD-11D1-80B400-C04FD430C8",
            "GBA7B810-9DAD-11D1-80B4-00C04FD430C8",
            "{6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "{0017f2c4bcc0}",
            "00:17:f2:c4:bc", "00:17:f2:c4:bc:c0:01", "00:17-f2:c4-bc:c0", "00:17:f2:c4:bc:", ":17:f2:c4:bc:c0",
            "000:17:f2:c4:bc:c0", "00:17:f2:c4:bc:g0", "0017.f2c4", "0017.f2c4.bcc", "0017f2c4bcc", "0017f2c4bcc0a",
            "a6e4EJ2tEdGAtADAT9Qwy", "a6e4EJ2tEdGAtADAT9Qwy===", "a6e4EJ2tEdGAtADA=9QwyA", "ABfyxLz", "ABfyxLzAA",
            "ABfyxLzA====", "AB fyxLzA", "６BA7B810-9DAD-11D1-80B4-00C04FD430C8",
            "00000000000000000000000000000000000000000000000000000000000000000000000000000000",
        ])
    func refusesOtherTexts(text: String) {
        #expect(identifier(text) == nil)
    }

    @Test("has 16 or 6 bytes")
    func limitsLengths() {
        for count in 0...40 {
            let found = DeviceIdentifier([UInt8](repeating: 9, count: count))
            #expect((found != nil) == (count == 16 || count == 6))
        }
        #expect(DeviceIdentifier.server == DeviceIdentifier([UInt8](repeating: 0, count: 16)))
        #expect(DeviceIdentifier.server != DeviceIdentifier([UInt8](repeating: 0, count: 6)))
    }
}
