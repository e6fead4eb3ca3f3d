import ReceiptFormat
import TestSupport
import Testing

@Suite("UTF-8 is well-formed")
struct UTF8ValidationTests {
    private func isValid(_ bytes: [UInt8]) -> Bool { isValid(bytes, offset: 0, count: bytes.count) }

    private func isValid(_ bytes: [UInt8], offset: Int, count: Int) -> Bool {
        UTF8Validation.isValid(bytes.span, in: ByteRange(offset: offset, count: count))
    }

    private func standardLibrarySays(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    @Test("exactly where the standard library says so, for all sequences of one, two and three bytes at the edges")
    func agreesOnShortSequences() {
        var disagreeing: [[UInt8]] = []
        func compare(_ bytes: [UInt8]) {
            if isValid(bytes) != standardLibrarySays(bytes) { disagreeing.append(bytes) }
        }
        compare([])
        for first in UInt8.min ... .max {
            compare([first])
            for second in UInt8.min ... .max {
                compare([first, second])
                for third: UInt8 in [0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff] { compare([first, second, third]) }
            }
        }
        #expect(disagreeing.isEmpty, "\(disagreeing.prefix(5))")
    }

    @Test("exactly where the standard library says so, for four bytes at the edges")
    func agreesOnLongSequences() {
        let edges: [UInt8] = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xf4, 0xff]
        var disagreeing: [[UInt8]] = []
        for first: UInt8 in [0xe0, 0xed, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff] {
            for second in edges {
                for third in edges {
                    for fourth in edges {
                        for bytes in [[first, second, third, fourth], [0x41, first, second, third, fourth, 0x41]]
                        where isValid(bytes) != standardLibrarySays(bytes) {
                            disagreeing.append(bytes)
                        }
                    }
                }
            }
        }
        #expect(disagreeing.isEmpty, "\(disagreeing.prefix(5))")
    }

    @Test("exactly where the standard library says so, for damaged texts")
    func agreesOnDamagedTexts() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let text = Array("Grüße, 日本語, 🏳️‍🌈, ру́сский, \u{10ffff}\u{7ff}\u{800}\u{ffff}".utf8)
        for _ in 0..<Nightly.rounds(day: 5_000, night: 20_000) {
            var bytes = text
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0 ... .max, using: &random)
            }
            bytes = Array(bytes.dropLast(Int.random(in: 0...8, using: &random)))
            #expect(isValid(bytes) == standardLibrarySays(bytes), "seed \(seed): \(bytes)")
        }
    }

    @Test("within a range, whatever stands around it")
    func keepsToTheRange() {
        let bytes: [UInt8] = [0xff, 0x41, 0xc3, 0xa9, 0xff]
        #expect(isValid(bytes, offset: 1, count: 3))
        #expect(!isValid(bytes, offset: 1, count: 2))
        #expect(!isValid(bytes, offset: 0, count: 2))
        #expect(!isValid(bytes, offset: 3, count: 1))
    }

    @Test("of a text's three types; an empty one is absent, NUL and other types are refused")
    func readsTexts() throws {
        func text(_ bytes: [UInt8]) throws -> String? {
            var reader = ByteReader(bytes.span)
            return try reader.readText().map { String(decoding: bytes[$0.indices], as: UTF8.self) }
        }
        #expect(try text([0x0c, 3, 0x41, 0xc3, 0xa9]) == "Aé")
        #expect(try text([0x16, 1, 0x41]) == "A")
        #expect(try text([0x13, 1, 0x41]) == "A")
        for tag: UInt8 in [0x0c, 0x16, 0x13] { #expect(try text([tag, 0]) == nil) }
        #expect(fault { try text([0x0c, 3, 0x41, 0x00, 0x41]) } == .invalidText)
        #expect(fault { try text([0x0c, 1, 0xff]) } == .invalidText)
        #expect(fault { try text([0x04, 1, 0x41]) } == .invalidText)
        #expect(fault { try text([0x1e, 2, 0x00, 0x41]) } == .invalidText)
    }
}
