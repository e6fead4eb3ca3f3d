import MillBytes
import TestSupport
import Testing

@Suite("A text of a document")
struct DocumentTextTests {
    @Test("is its bytes: é is not e and an accent, nor is one the other's key")
    func isItsBytes() {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        // To `String` they are one.
        #expect(composed == decomposed)
        #expect(DocumentText(composed) != DocumentText(decomposed))
        #expect(Set([composed, decomposed].map { DocumentText($0) }).count == 2)
        #expect(DocumentText(decoding: Array("caf".utf8) + [0xc3, 0xa9]) == DocumentText(composed))
        #expect("ES256" ~= DocumentText(decoding: Array("ES256".utf8)))
        #expect(!("ES256" ~= DocumentText("ES256\u{301}")))
    }

    @Test("sorts by its bytes, a beginning before the whole")
    func sorts() {
        let sorted: [DocumentText] = ["", "B", "a", "ab", "cafe\u{301}", "caf\u{e9}", "\u{ff1d}", "\u{1f600}"]
        #expect(sorted.reversed().sorted() == sorted)
    }

    @Test("stands in a dictionary beside others that begin alike")
    func isKey() {
        var values: [[DocumentText]: Int] = [:]
        values[["a", "bc"]] = 1
        values[["ab", "c"]] = 2
        #expect(values.count == 2)
        #expect(values[["a", "bc"]] == 1)
    }

    /// As `String`s these take minutes.
    @Test("of a million combining characters is compared and hashed in no time")
    func takesNoTime() {
        let text = HostileText.combining(bytes: 2 << 20)
        let time = HostileText.processorTime {
            let (one, other) = (DocumentText(text), DocumentText(text + "\u{301}"))
            #expect(one != other && one < other)
            #expect(Set([one, other, one]).count == 2)
            #expect(!("ES256" ~= one))
        }
        #expect(time < 2, "\(time) s")
    }
}
