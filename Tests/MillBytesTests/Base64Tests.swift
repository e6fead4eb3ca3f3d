import CBase64
import Foundation
import TestSupport
import Testing

@Suite("Base64")
struct Base64Tests {
    /// Both ways at once, which have to agree; nil where the text is refused.
    private func decode(_ text: [UInt8]) -> [UInt8]? {
        func run(_ function: (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8]? {
            // What stands behind the room must stay as it is.
            let capacity = receiptmill_base64_capacity(text.count)
            var output = [UInt8](repeating: 0xa5, count: capacity + 64)
            let count = text.withUnsafeBufferPointer { text in
                output.withUnsafeMutableBufferPointer { output -> Int in
                    guard let from = text.baseAddress, let to = output.baseAddress else { return 0 }
                    return function(from, text.count, to)
                }
            }
            #expect(output[capacity...].allSatisfy { $0 == 0xa5 })
            return count < 0 ? nil : Array(output[..<count])
        }
        let fast = run { receiptmill_base64_decode($0, $1, $2) }
        let portable = run { receiptmill_base64_decode_portable($0, $1, $2) }
        #expect(fast == portable, "\(String(decoding: text, as: UTF8.self))")
        return fast
    }

    private func random(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in .random(in: 0...255, using: &random) }
    }

    @Test("decodes what Foundation encodes, in every alphabet, padding and spacing")
    func decodesFoundations() {
        var source = SeededGenerator(seed: 5)
        for count in Array(0...70) + [95, 96, 97, 190, 191, 192, 193, 400, 1_000] {
            let bytes = random(count, &source)
            let text = Data(bytes).base64EncodedString()
            let urlSafe = text.replacing("+", with: "-").replacing("/", with: "_")
            let mixed = String(text.map { $0 == "+" && Bool.random(using: &source) ? "-" : $0 })
            let wrapped = Data(bytes).base64EncodedString(options: .lineLength64Characters)
            let spaced = String(text.flatMap { Int.random(in: 0...9, using: &source) == 0 ? [" ", $0, "\t"] : [$0] })
            for form in [text, urlSafe, mixed, wrapped, spaced, " \(text)\n"] {
                #expect(decode(Array(form.utf8)) == bytes)
                #expect(decode(Array(form.filter { $0 != "=" }.utf8)) == bytes)
            }
        }
    }

    /// The grammar in other words: characters of the alphabets, not one more than
    /// whole quanta, and no padding or just what completes the last. The bytes are
    /// Foundation's, whose own grammar is looser in parts and stricter in others.
    private func expected(_ text: [UInt8]) -> [UInt8]? {
        let solid = text.filter { !" \t\r\n".utf8.contains($0) }
        let padding = solid.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let characters = String(decoding: solid.dropLast(padding), as: UTF8.self)
            .replacing("-", with: "+").replacing("_", with: "/")
        let isOfAlphabet = characters.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "/")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "+")
        }
        let lacking = (4 - characters.utf8.count % 4) % 4
        guard isOfAlphabet, lacking < 3, padding == 0 || padding == lacking else { return nil }
        return Data(base64Encoded: characters + String(repeating: "=", count: lacking)).map { [UInt8]($0) }
    }

    @Test("takes of mutated text what the grammar allows, by both ways alike")
    func agreesOnMutatedText() {
        var source = SeededGenerator(seed: 6)
        let alphabet = Array("ABCXYZabcxyz0129+/=-_ \n!\0\u{7f}é".utf8)
        for _ in 0..<1_500 {
            var text = Array(Data(random(.random(in: 0...120, using: &source), &source)).base64EncodedString().utf8)
            for _ in 0..<Int.random(in: 1...2, using: &source) {
                let place = Int.random(in: 0...text.count, using: &source)
                switch Int.random(in: 0...2, using: &source) {
                case 0 where place < text.count: text[place] = alphabet.randomElement(using: &source) ?? 0
                case 1 where place < text.count: text.remove(at: place)
                default: text.insert(alphabet.randomElement(using: &source) ?? 0, at: place)
                }
            }
            #expect(decode(text) == expected(text), "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test(
        "is refused where it is cut, padded in the midst or too much, or holds other characters",
        arguments: [
            "A", "QUJDR", "QQ=", "QQ===", "QQ==QQ==", "=", "====", "QUJD=", "QUJD====", "QU!D", "QUJD\u{0}", "QÜJD",
            "Q=Q=",
        ])
    func refuses(text: String) {
        #expect(decode(Array(text.utf8)) == nil)
        // The same behind text long enough for the vector way.
        #expect(decode(Array((String(repeating: "QUJD", count: 30) + text).utf8)) == nil)
    }
}
