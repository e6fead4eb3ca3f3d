internal import MillSystem
internal import Testing

/// What a terminal is given of texts that senders chose.
@Suite struct TerminalTextTests {
    @Test(
        "Sequences for the terminal and marks that turn text around are escaped",
        arguments: [
            ("\u{1b}[31mred", #"\u{1b}[31mred"#), ("\u{9b}31m", #"\u{9b}31m"#), ("a\u{202e}b", #"a\u{202e}b"#),
            ("a\u{61c}b\u{2069}", #"a\u{61c}b\u{2069}"#), ("a\nb", #"a\u{a}b"#), ("日本", "日本"),
        ])
    func harmless(text: String, shown: String) { #expect(TerminalText.harmless(text) == shown) }

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
