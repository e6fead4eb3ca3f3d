import Foundation
import MillBytes
import Testing

@Suite("Hexadecimal")
struct HexTests {
    @Test("is written in lower case as printf writes it, and read in either case")
    func writesAndReads() {
        let bytes = (0...255).map { UInt8($0) }
        let text = bytes.map { String(format: "%02x", $0) }.joined()
        #expect(Hex.text(bytes) == text)
        for spelled in [text, text.uppercased()] {
            let digits = Array(spelled.utf8)
            #expect(Hex.bytes(digits.span, in: digits.indices) == bytes)
        }
    }

    @Test(
        "is refused where a digit is left over or another character stands",
        arguments: ["0", "0g", "g0", " 0", "0x", "00/", "：０"])
    func refuses(text: String) {
        let digits = Array(text.utf8)
        #expect(Hex.bytes(digits.span, in: digits.indices) == nil)
    }

    @Test("of an escape has four digits")
    func codeUnits() {
        let text = Array("u00e9D83Dxyz1".utf8)
        #expect(Hex.codeUnit(text.span, at: 1) == 0xe9)
        #expect(Hex.codeUnit(text.span, at: 5) == 0xd83d)
        #expect(Hex.codeUnit(text.span, at: 6) == nil)
        #expect(Hex.codeUnit(text.span, at: 10) == nil)
    }
}

@Suite("Base64, written")
struct Base64WritingTests {
    @Test("is Foundation's, of every length")
    func writes() {
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
            #expect(String(decoding: Base64.text(bytes), as: UTF8.self) == Data(bytes).base64EncodedString())
        }
    }

    @Test("of a certificate is read in one form alone")
    func canonical() {
        let bytes: [UInt8] = [0xfb, 0xff, 0xbf, 0x00]
        let text = Array(Data(bytes).base64EncodedString().utf8)
        #expect(Base64.canonicalBytes(text.span, in: text.indices) == bytes)
        for other in ["-_+/AA==", "+/+/AB==", "+/+/AA", "+/+/AA==\n", "+/+/ AA=", "=", "====", "A===", ""] {
            let text = Array(other.utf8)
            #expect(Base64.canonicalBytes(text.span, in: text.indices) == nil, "\(other)")
        }
    }
}
