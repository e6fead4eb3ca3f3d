internal import Foundation
internal import Testing

@testable import MillJSON

@Suite struct JSONWriterTests {
    private func written(isPretty: Bool = false, _ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(isPretty: isPretty)
        body(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("Keys keep their order and numbers every digit")
    func orderAndDigits() {
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

    @Test("Pretty output is indented by two")
    func indents() {
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

    @Test(
        "Foundation reads back what is escaped",
        arguments: ["", "plain", "\"\\/", "\u{0}\u{1f}\u{7f}\n\r\t", "Grüße, 世界 👨‍👩‍👧", "\u{2028}"])
    func escapes(text: String) throws {
        let json = written { json in
            json.open()
            json.member("text", text)
            json.close()
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String])
        #expect(object["text"] == text)
    }

    /// Texts of every length around eight bytes, with one byte to be escaped at
    /// every place: what is compared at once must not hide it.
    @Test(
        "finds what has to be escaped at every position", arguments: ["\"", "\\", "\n", "\u{1f}", "\u{7f}", "é", "世"])
    func escapesAtEveryPlace(odd: String) throws {
        for length in 0...26 {
            for place in 0...length {
                let text = String(repeating: "~", count: place) + odd + String(repeating: " ", count: length - place)
                let json = written { json in
                    json.openArray()
                    json.value(text)
                    json.closeArray()
                }
                #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String] == [text])
                #expect(json.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
            }
        }
    }

    @Test("leaves all other characters as they are, side by side")
    func plainCharacters() {
        let plain = (0x20..<0x7f).map { UInt8($0) }.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        for start in 0..<16 {
            let text = String(decoding: plain[start...] + plain[..<start], as: UTF8.self)
            #expect(written { $0.value(text) } == "\"\(text)\"")
        }
    }

    @Test(
        "writes U+FFFD for what is no UTF-8",
        arguments: [
            ([0xff], "\u{fffd}"), ([0x61, 0xc3], "a\u{fffd}"), ([0xed, 0xa0, 0x80], "\u{fffd}\u{fffd}\u{fffd}"),
            ([0x80, 0x22, 0xe4, 0xb8, 0x96, 0x0a, 0xf0, 0x9f], "\u{fffd}\"世\n\u{fffd}"),
        ])
    func repairs(octets: [UInt8], wanted: String) throws {
        // Unicode 16, 3.9, U+FFFD Substitution of Maximal Subparts.
        let json = written { json in
            json.openArray()
            json.string { json in octets.withUnsafeBufferPointer { json.appendEscaped($0) } }
            json.closeArray()
        }
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String] == [wanted])
    }

    @Test("writes numbers as Swift does, at every length")
    func numbers() {
        var power: UInt64 = 1
        for digits in 1...19 {
            for number in [Int64(power) - 1, Int64(power), -Int64(power), Int64(power) * 5 / 3] {
                #expect(written { $0.value(number) } == "\(number)")
            }
            let padded = written { json in json.string { $0.appendDigits(power, places: digits + 2) } }
            #expect(padded == "\"00\(power)\"")
            if digits < 19 { power *= 10 }
        }
    }

    // RFC 4648, 10.
    @Test(
        "RFC 4648's vectors of base64 are written",
        arguments: ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE="])
    func base64Vectors(plain: String, base64: String) {
        let json = written { json in
            json.string { json in Array(plain.utf8).withUnsafeBufferPointer { json.appendBase64($0) } }
        }
        #expect(json == "\"\(base64)\"")
    }

    @Test("keeps what it holds as it grows past its memory many times over")
    func grows() {
        let piece = String(repeating: "0123456789", count: 1000)
        let json = written { json in
            json.openArray()
            for _ in 0..<300 { json.value(piece) }
            json.closeArray()
        }
        #expect(json == "[" + Array(repeating: "\"\(piece)\"", count: 300).joined(separator: ",") + "]")
    }
}
