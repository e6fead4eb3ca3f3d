/// What a terminal allows a table.
package struct TableLayout: Sendable, Hashable {
    /// Columns of the terminal; nil where lines may be of any length.
    package var width: Int?
    /// Whether headings may be set in bold, faint and the like.
    package var isStyled: Bool

    package init(width: Int? = nil, isStyled: Bool = false) {
        self.width = width
        self.isStyled = isStyled
    }

    func bold(_ text: String) -> String { isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
    func faint(_ text: String) -> String { isStyled ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
}
