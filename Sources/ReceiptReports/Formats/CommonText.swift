internal import ReceiptFormat

/// What all texts of a column have in common.
enum CommonText {
    /// All texts are equal to this one.
    case value(DocumentText)
    /// All identifiers begin with these parts of a domain name, such as `com.example.atlas.`.
    case beginning(DocumentText)

    /// Finds what texts have in common; nil if it is nothing, or a beginning of fewer than two parts. Words such as
    /// `(all)` and the text for null don't count as identifiers. Versions, which begin with a digit, are not shortened.
    init?(of texts: [String]) {
        let values = Set(texts.map { DocumentText($0) })
        if values.count == 1, let value = values.first {
            self = .value(value)
            return
        }
        let identifiers = values.filter { Self.isIdentifier($0) }.map { Array($0.utf8) }
        guard identifiers.count > 1, let first = identifiers.first else { return nil }
        let shortest = identifiers.map(\.count).min() ?? 0
        let common = (0..<shortest).prefix(while: { index in identifiers.allSatisfy { $0[index] == first[index] } })
        let points = common.filter { first[$0] == UInt8(ascii: ".") }
        // Setting the bit 0x20 turns an ASCII capital letter into a small one.
        let isName = first.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) } ?? false
        guard isName, points.count > 1, let last = points.last, last + 1 < shortest else { return nil }
        self = .beginning(DocumentText(decoding: first[...last]))
    }

    /// The texts without the beginning that all identifiers among them have in common.
    static func shortened(_ texts: [String]) -> [String] {
        guard case .beginning(let beginning)? = CommonText(of: texts) else { return texts }
        return texts.map { without(beginning, $0) }
    }

    /// Removes the beginning from a text. A text with another beginning is returned unchanged.
    static func without(_ beginning: DocumentText, _ text: String) -> String {
        guard text.utf8.starts(with: beginning.utf8) else { return text }
        return DocumentText(decoding: text.utf8.dropFirst(beginning.utf8.count)).string
    }

    private static func isIdentifier(_ text: DocumentText) -> Bool {
        text.utf8.first != UInt8(ascii: "(") && !(TableFormat.nullText ~= text)
    }
}
