internal import Testing

@testable import ReceiptVerification

@Suite("A line that was erased")
struct ErasedLinesTests {
    @Test(
        "is known again behind a byte-order mark, and with other white space at its ends",
        arguments: ["{}", "\u{feff}{}", "  {}", "\t{} \r", "\u{feff} {}\r"])
    func content(line: String) {
        let bytes = Array(line.utf8)
        let content = ErasedLines.content(of: bytes.span, bytes.indices)
        #expect(Array(bytes[content]) == Array("{}".utf8))
    }
}
