import Foundation
import TestSupport
import Testing

@testable import MillBytes

@Suite("Base64url")
struct Base64URLTests {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private func decoded(_ text: [UInt8]) -> [UInt8]? {
        // Something stands around, which must not be read, and before what is appended.
        let buffer = Array("A=.".utf8) + text + Array("AAAA".utf8)
        var output: [UInt8] = [1, 2, 3]
        guard Base64.appendURL(buffer.span, in: 3..<3 + text.count, to: &output) else {
            #expect(output == [1, 2, 3])
            return nil
        }
        #expect(output.starts(with: [1, 2, 3]))
        return Array(output.dropFirst(3))
    }

    @Test("is decoded as Foundation encoded it, of every length")
    func decodes() {
        var random = SeededGenerator(seed: 1)
        for count in 0..<400 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            #expect(decoded(Array(SignedStringParts.base64URL(bytes).utf8)) == bytes, "\(count) bytes")
        }
    }

    /// Blocks of 32 characters are read by vector instructions where there are such, and
    /// the rest by others: both have to refuse.
    @Test("has one alphabet, no padding and no white space, at every place", arguments: [4, 31, 64, 99])
    func refusesOtherCharacters(length: Int) {
        for place in 0..<length {
            for byte in UInt8.min ... .max {
                var text = [UInt8](repeating: UInt8(ascii: "A"), count: length)
                text[place] = byte
                let isLast = place == length - 1 && length % 4 != 0
                let isUsed = isLast ? byte == UInt8(ascii: "A") : Self.alphabet.contains(byte)
                // Of the last character of three, two bits are unused.
                let isEven = isLast && Self.alphabet.firstIndex(of: byte).map { $0 % 4 == 0 } == true
                #expect((decoded(text) != nil) == (isUsed || isEven), "\(byte) at \(place) of \(length)")
            }
        }
    }

    @Test("leaves no bits unused but zeros, and no single character")
    func refusesUnusedBits() {
        for lead in ["", String(repeating: "QUJD", count: 20)] {
            for (index, last) in Self.alphabet.enumerated() {
                let lead = Array(lead.utf8) + Array("QU".utf8.prefix(1))
                #expect((decoded(lead + [last]) != nil) == (index % 16 == 0), "two characters")
                #expect((decoded(lead + [UInt8(ascii: "U"), last]) != nil) == (index % 4 == 0), "three characters")
                #expect(decoded(lead.dropLast() + [last]) == nil, "one character")
            }
        }
        #expect(decoded([]) == [])
    }
}
