/// Quotes words for a shell, in commands that a person copies.
package enum ShellWords {
    /// A command of this program as a line for sh(1).
    package static func line(_ arguments: [String]) -> String {
        (["receiptmill"] + arguments.map(quoted)).joined(separator: " ")
    }

    /// A word, quoted for sh(1) unless it is plain. A control character is escaped in bash's form of quotes, because
    /// the line could otherwise not be copied from a terminal.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.utf8.allSatisfy(isPlain) { return word }
        if word.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
            return "$'" + word.utf8.map(escaped).joined() + "'"
        }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_./:=,+@%".utf8.contains(byte)
        }
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
        case 0x20..<0x7f: String(UnicodeScalar(byte))
        default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
