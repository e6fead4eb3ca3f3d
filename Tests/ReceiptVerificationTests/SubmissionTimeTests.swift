import Testing

@testable import MillJSON
@testable import ReceiptVerification

@Suite struct SubmissionTimeTests {
    /// The time of a JSON value as it stands in a line.
    private func milliseconds(_ value: String) -> Int64? {
        let bytes = Array(value.utf8)
        var cursor = JSONCursor(bytes.span, in: bytes.indices, mayHoldControls: false)
        guard let token = try? cursor.readValue() else { return nil }
        return SubmissionTime.milliseconds(token, in: bytes)
    }

    @Test(
        "Text of ISO 8601, and seconds or milliseconds as number or text, are times",
        arguments: [
            (#""2024-02-29T12:00:00Z""#, 1_709_208_000_000), (#""2024-02-29T13:00:00+01:00""#, 1_709_208_000_000),
            (#""2024-02-29 12:00:00.25""#, 1_709_208_000_250), ("1709208000", 1_709_208_000_000),
            ("1709208000123", 1_709_208_000_123), ("1709208000.5", 1_709_208_000_500),
            (#""1709208000""#, 1_709_208_000_000),
            (#""1709208000123""#, 1_709_208_000_123), ("0", 0), ("1.709208e9", 1_709_208_000_000),
        ] as [(String, Int64)])
    func times(value: String, milliseconds: Int64) {
        #expect(self.milliseconds(value) == milliseconds)
    }

    @Test("A plus sign written as an escape, as some writers have it, is a plus sign")
    func escaped() {
        #expect(milliseconds(#""2024-02-29T13:00:00\u002B01:00""#) == 1_709_208_000_000)
        #expect(milliseconds(#""2024-02-29T13:00:00\u002b01:00""#) == 1_709_208_000_000)
    }

    @Test(
        "Anything else is no time",
        arguments: [
            #""""#, #""yesterday""#, "-1", "1e30", #""2024-02-30T12:00:00Z""#, "true", "null", "[1]", "{}", #""nan""#,
            #""inf""#,
            "253402300800000", #""0x10""#,
        ])
    func noTimes(value: String) {
        #expect(milliseconds(value) == nil)
    }
}
