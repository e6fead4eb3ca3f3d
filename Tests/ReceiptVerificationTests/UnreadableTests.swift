import ReceiptFormat
internal import Testing

@testable import ReceiptVerification

/// Where a fault of a payload is said to stand. Receipts share a buffer, so that
/// its own offsets say nothing.
@Suite struct UnreadableTests {
    private let receipt = ByteRange(offset: 1_000, count: 500)

    private func detail(at offset: Int, content: ByteRange) -> String {
        Unreadable(payload: MalformedReceipt(.truncated, at: offset), in: content, of: receipt).detail
    }

    @Test("Content within the receipt: the receipt's byte")
    func within() {
        #expect(detail(at: 1_107, content: ByteRange(offset: 1_100, count: 300)).hasSuffix("(byte 107)"))
    }

    @Test("Content that stood in chunks and was joined behind the receipt: the content's byte")
    func joined() {
        #expect(detail(at: 9_007, content: ByteRange(offset: 9_000, count: 300)).hasSuffix("(byte 7)"))
    }
}
