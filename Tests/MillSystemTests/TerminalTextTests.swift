internal import MillSystem
internal import Testing

/// What a terminal is given of texts that senders chose.
@Suite struct TerminalTextTests {
    @Test(
        "A text is wrapped between words, and a longer word within; what fits a line stays as it is",
        arguments: [
            ("two  blanks ", 12, ["two  blanks "]), ("", 4, [""]), ("one two three", 8, ["one two", "three"]),
            ("a sha256:0123456789 b", 8, ["a", "sha256:0", "12345678", "9 b"]),
            ("日本語 日本", 5, ["日本", "語", "日本"]),
        ] as [(String, Int, [String])])
    func wraps(text: String, columns: Int, lines: [String]) {
        #expect(TerminalText.wrapped(text, to: columns) == lines)
    }

    @Test(
        "Sequences for the terminal and marks that turn text around are escaped",
        arguments: [
            ("\u{1b}[31mred", #"\u{1b}[31mred"#), ("\u{9b}31m", #"\u{9b}31m"#), ("a\u{202e}b", #"a\u{202e}b"#),
            ("a\u{61c}b\u{2069}", #"a\u{61c}b\u{2069}"#), ("a\nb", #"a\u{a}b"#), ("日本", "日本"),
        ])
    func harmless(text: String, shown: String) { #expect(TerminalText.harmless(text) == shown) }

    /// Ranges of Unicode's DerivedCoreProperties, 16.0.
    @Test(
        "Characters that Unicode ignores by default are escaped at both ends of their ranges, and their neighbours are not",
        arguments: [
            0xad...0xad, 0x34f...0x34f, 0x61c...0x61c, 0x115f...0x1160, 0x17b4...0x17b5, 0x180b...0x180f,
            0x200b...0x200f, 0x202a...0x202e, 0x2060...0x206f, 0x3164...0x3164, 0xfe00...0xfe0f, 0xfeff...0xfeff,
            0xffa0...0xffa0, 0xfff0...0xfff8, 0x1bca0...0x1bca3, 0x1d173...0x1d17a, 0xe0000...0xe0fff,
        ] as [ClosedRange<UInt32>])
    func ignorable(range: ClosedRange<UInt32>) throws {
        for value in [range.lowerBound, range.upperBound] {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(TerminalText.harmless("a\(scalar)b") == "a\\u{\(String(value, radix: 16))}b")
        }
        for value in [range.lowerBound - 1, range.upperBound + 1] where value != 0x2029 {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(TerminalText.harmless("a\(scalar)b") == "a\(scalar)b", "\(String(value, radix: 16))")
        }
    }

    @Test("Of several lines, line ends and tabs stay, and a carriage return that could overwrite a line does not")
    func lines() {
        #expect(TerminalText.harmlessLines("a\tb\r\nc\n") == "a\tb\r\nc\n")
        #expect(TerminalText.harmlessLines("good\rbad \u{1b}[2K\n\r") == "good\\u{d}bad \\u{1b}[2K\n\\u{d}")
    }

    @Test(
        "A text is cut to columns, of which a wide character takes two",
        arguments: [("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("日本語", 6, "日本語"), ("日本語文", 6, "日本…")])
    func cut(text: String, columns: Int, shown: String) { #expect(TerminalText.cut(text, to: columns) == shown) }
}
