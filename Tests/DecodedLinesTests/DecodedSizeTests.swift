import MillTestSupport
import ReceiptArchive
import ReceiptVerification
import TestSupport
import Testing

@testable import DecodedLines
@testable import MillRun

/// What bounds the memory of `load`: no more is read while what waits for the loader is large.
@Suite("Decoded lines that wait for the loader")
struct DecodedSizeTests {
    /// Decoded lines of two archives with their receipts, as a batch.
    private func lines() throws -> [UInt8] {
        var decode = try MintedArchive.shared.get().decode()
        decode.configuration.keepsReceipts = true
        return Array(try decode.text().utf8)
    }

    @Test("count as many bytes as their receipts have at least, and not for each archive again")
    func size() throws {
        let text = try lines()
        var parser = try DecodedLineParser(keepsReceipts: true, keepsRejectedLines: false)
        let batch = parser.parse(LineBatch(sequence: 0, content: .lines(text)), namesArchives: true)
        #expect(batch.fault == nil && batch.runs.count > 1)
        let receipts = batch.runs.reduce(0) { $0 + $1.verified.receipts.reduce(0) { $0 + $1.bytes } }
        let file = OpenedFile(path: "a", name: "a", bytes: 0, identity: nil, processedLines: 0)
        let position = ReadingPosition(firstLine: 1, consumedBytes: 0, bytesAhead: 0, isEndKnown: true)
        let size = DecodedSink.size(of: .batch(batch, of: file, position))
        // Base64 of a receipt takes four thirds of it, and all else of a line much less than twice that.
        #expect(receipts > 100_000 && size >= receipts && size < 4 * text.count)
    }
}
