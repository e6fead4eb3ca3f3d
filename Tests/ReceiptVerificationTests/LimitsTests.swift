import Foundation
import MillTestSupport
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptInspection
@testable import ReceiptVerification

/// Each limit at its edge: what is as large is taken, what is one more is not.
@Suite("A limit")
struct LimitsTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    /// What the only receipt of a file is refused for, before it is parsed; nil
    /// where it is handed on.
    private func fault(_ bytes: [UInt8], _ change: (inout Limits) -> Void) throws -> Unreadable? {
        var limits = Limits()
        change(&limits)
        let path = try workdir.write(bytes, to: "receipt")
        var found: [PresentedReceipt] = []
        try PresentedReceiptReader(keys: LineKeys(), limits: limits).read(path) { found.append($0) }
        let only = try #require(found.first)
        #expect(found.count == 1)
        guard case .failure(let fault) = only.content else { return nil }
        return fault
    }

    /// A receipt in nothing but its length.
    private let octets = [0x30] + [UInt8](repeating: 0x80, count: 299)

    @Test("on a receipt's bytes holds for every form, and for what is decoded")
    func limitsReceipts() throws {
        let base64 = Data(octets).base64EncodedString()
        let forms = [
            octets, Array(base64.utf8), Array("\"\(base64)\"".utf8), Array("{\"receipt\":\"\(base64)\"}\n".utf8),
            Array("{\n\"receipt\":\n\"\(base64)\"\n}".utf8),
        ]
        for form in forms {
            let taken = try fault(form) { $0.receiptBytes = 300 }
            #expect(taken == nil)
            let refused = try fault(form) { $0.receiptBytes = 299 }
            #expect(refused?.reason == .malformedContainer)
            #expect(refused?.detail.contains("299") == true)
        }
    }

    @Test("on a line's bytes holds for text, and leaves receipts as their bytes alone")
    func limitsLines() throws {
        let base64 = Array(Data(octets).base64EncodedString().utf8)
        let object = Array("{\"receipt\":\"".utf8) + base64 + Array("\"}".utf8)
        for text in [base64, object] {
            let taken = try fault(text) { $0.lineBytes = text.count }
            #expect(taken == nil)
            let refused = try fault(text) { $0.lineBytes = text.count - 1 }
            #expect(refused?.reason == .lineTooLong)
        }
        let binary = try fault(octets) { $0.lineBytes = 10 }
        #expect(binary == nil)
        // Longer than what is read of a file at once.
        let long = [0x30] + [UInt8](repeating: 0x80, count: 200_000)
        let whole = try fault(long) { $0.lineBytes = 10 }
        #expect(whole == nil)
    }

    @Test("on the nesting of JSON counts the line's own object")
    func limitsNesting() throws {
        func reason(_ levels: Int, _ open: String, _ close: String) throws -> RejectionReason? {
            let inner = String(repeating: open, count: levels - 1) + "0" + String(repeating: close, count: levels - 1)
            return try fault(Array("{\"receipt\":\"QUJD\",\"a\":\(inner)}".utf8)) { _ in }?.reason
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let taken = try reason(256, open, close)
            #expect(taken == nil)
            let refused = try reason(257, open, close)
            #expect(refused == .invalidJSON)
        }
    }

    @Test("on inflation is a share of the file's size")
    func limitsInflation() throws {
        let size = 48 << 20
        let compressed = try Gzip.compress([UInt8](repeating: 0x20, count: size), in: workdir)
        let path = try workdir.write(compressed, to: "blanks.gz")
        var room = [UInt8](repeating: 0, count: 1 << 20)
        func produced(_ limit: Int) throws -> Int {
            var source = try ByteSource(file: try InputFile(path: path), inflationLimit: limit)
            var sum = 0
            while case .produced(let count) = try room.withUnsafeMutableBytes({ try source.read(into: $0) }) {
                sum += count
            }
            return sum
        }
        let times = size / compressed.count
        // Somewhat more, because the trailer is read last.
        let whole = try produced(times + 2)
        #expect(whole == size)
        let cut = try produced(times - 2)
        #expect(cut < size)
    }
}
