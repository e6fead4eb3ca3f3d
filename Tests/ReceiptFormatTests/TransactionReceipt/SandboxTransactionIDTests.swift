import ReceiptFormat
import TestSupport
import Testing

@Suite("A transaction identifier")
struct SandboxTransactionIDTests {
    private func isSandbox(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return ByteReader(bytes.span).isSandboxTransactionID(ByteReader(bytes.span).whole)
    }

    @Test("is the sandbox's where it has sixteen digits that begin as the sandbox's do")
    func recognizesSandboxIDs() {
        for text in ["1000000046178817", "1000009999999999", "2000000000000001", "2000001098765432"] {
            #expect(isSandbox(text), "\(text)")
        }
    }

    @Test("is not where it has another length, beginning or character")
    func refusesOthers() {
        for text in [
            "", "100000004617881", "10000000461788170", "1000010046178817", "3000000046178817", "170000029449420",
            "01000000046178817", "100000004617881a", "1000000046178817 ", " 100000004617881", "100000004617881\u{0665}",
        ] { #expect(!isSandbox(text), "\(text)") }
    }

    @Test(
        "is the sandbox's in the store's own receipts of the sandbox, and in no other")
    func agreesWithTheStore() throws {
        var counts = (sandbox: 0, others: 0)
        for name in Corpus.names() {
            let receipt = try Corpus.expectation(name)["receipt"] as? [String: Any]
            for purchase in receipt?["purchases"] as? [[String: Any]] ?? [] {
                let id = try #require(purchase["transaction_id"] as? String)
                let isOfSandbox = receipt?["environment"] as? String == "ProductionSandbox"
                #expect(isSandbox(id) == isOfSandbox, "\(name): \(id)")
                if isOfSandbox { counts.sandbox += 1 } else { counts.others += 1 }
            }
        }
        #expect(counts.sandbox > 200 && (counts.others > 5 || !Corpus.isWhole))
    }
}

extension ByteReader {
    /// All that is still to be read.
    fileprivate var whole: ByteRange { ByteRange(offset: position, count: remaining) }
}
