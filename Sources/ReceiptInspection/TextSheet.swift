internal import MillSystem

/// Lines for people to read: indented, with labels in a column. What comes from
/// receipts can't command the terminal.
package struct TextSheet {
    package private(set) var text = ""

    private static let labelWidth = 14

    package mutating func line(_ depth: Int, _ content: String) {
        text += String(repeating: "  ", count: depth) + TerminalText.harmless(content) + "\n"
    }

    /// A label and its content; nothing for nil.
    package mutating func field(_ depth: Int, _ label: String, _ content: String?) {
        guard let content else { return }
        line(depth, TerminalText.padded(label, to: Self.labelWidth) + content)
    }

    package mutating func gap() { text += "\n" }
}
