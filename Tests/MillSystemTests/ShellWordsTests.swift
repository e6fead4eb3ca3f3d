import Foundation
import MillSystem
import Testing

@Suite("Words for a shell")
struct ShellWordsTests {
    @Test(
        "are read by bash as they were meant",
        arguments: [
            "plain-1.gz", "", "two words", "it's", "$HOME", "`id`", "a\nb", "tab\t'\\", "*?[x]", "~", "#", "é",
            "é\u{7f}\n",
            "a=b", "\\",
        ])
    func quoted(word: String) throws {
        let bash = Process()
        bash.executableURL = URL(filePath: "/bin/bash")
        bash.arguments = ["-c", "printf '%s.' \(ShellWords.quoted(word))"]
        let output = Pipe()
        bash.standardOutput = output
        try bash.run()
        let read = try output.fileHandleForReading.readToEnd() ?? Data()
        bash.waitUntilExit()
        #expect(String(decoding: read, as: UTF8.self) == word + ".")
        #expect(!ShellWords.quoted(word).unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
    }

    @Test("leave plain words bare")
    func plain() {
        #expect(ShellWords.line(["report", "a b", "-d", "x.sqlite"]) == "receiptmill report 'a b' -d x.sqlite")
    }
}
