internal import MillSystem

extension OperatorStatus {
    /// The screen as text: one line for each subject. A `!` marks lines on which a person has to act, advice is a
    /// sentence, and `→` precedes the next command to type. Control characters in names are escaped.
    ///
    /// - Parameter isStyled: whether lines on which a person has to act are bold and red.
    package func screen(isStyled: Bool) -> String {
        let lines = lines
        let needed = lines.count(where: \.isNeeded)
        let verdict = needed == 0 ? "all is well" : "a person is needed, see !"
        let host = "receiptmill \(receiptMillVersion), \(Wording.date(readAt)): "
        return host + Self.drawn(verdict, needed > 0, isStyled) + "\n\n"
            + lines.map { Self.drawn($0, isStyled) }.joined()
    }

    private static let titleColumns = 14

    private static func drawn(_ line: StatusLine, _ isStyled: Bool) -> String {
        let title = TerminalText.padded(line.subject.title, to: titleColumns)
        let head = "\(line.isNeeded ? "!" : " ") \(title)\(TerminalText.harmless(line.text))"
        let margin = String(repeating: " ", count: titleColumns + 2)
        let further =
            (line.details + [line.advice].compactMap(\.self)).map { "\(margin)\(TerminalText.harmless($0))\n" }
            + (line.next.map { ["\(margin)→ \(TerminalText.harmless($0.text))\n"] } ?? [])
        return drawn(head, line.isNeeded, isStyled) + "\n" + further.joined()
    }

    /// The text in bold red, if the terminal shows this.
    private static func drawn(_ text: String, _ isNeeded: Bool, _ isStyled: Bool) -> String {
        isStyled && isNeeded ? "\u{1b}[1;31m\(text)\u{1b}[0m" : text
    }
}
