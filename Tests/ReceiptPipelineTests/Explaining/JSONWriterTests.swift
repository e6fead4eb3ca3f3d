internal import Foundation
internal import Testing

@testable internal import ReceiptPipeline

@Suite struct JSONWriterTests {
    private func written(isPretty: Bool = false, _ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(isPretty: isPretty)
        body(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func keepsTheOrderOfKeysAndEveryDigit() {
        let text = written { json in
            json.open()
            json.member("z", Int64.max)
            json.member("a", Int64.min)
            json.openArray("list")
            json.value(Int64(0))
            json.open()
            json.close()
            json.null()
            json.closeArray()
            json.member("none", nil as String?)
            json.member("yes", true)
            json.close()
            json.endLine()
        }
        #expect(
            text == #"{"z":9223372036854775807,"a":-9223372036854775808,"list":[0,{},null],"none":null,"yes":true}"#
                + "\n")
    }

    @Test func indentsByTwoWhenPretty() {
        let text = written(isPretty: true) { json in
            json.open()
            json.member("a", 1)
            json.openArray("empty")
            json.closeArray()
            json.openArray("b")
            json.value("x")
            json.value("y")
            json.closeArray()
            json.close()
        }
        #expect(
            text == """
                {
                  "a": 1,
                  "empty": [],
                  "b": [
                    "x",
                    "y"
                  ]
                }
                """)
    }

    @Test(arguments: ["", "plain", "\"\\/", "\u{0}\u{1f}\u{7f}\n\r\t", "Grüße, 世界 👨‍👩‍👧", "\u{2028}"])
    func foundationReadsBackWhatItEscapes(text: String) throws {
        let json = written { json in
            json.open()
            json.member("text", text)
            json.close()
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String])
        #expect(object["text"] == text)
    }
}
