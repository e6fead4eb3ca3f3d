/// Prepares text so that a terminal shows it safely and in columns.
package enum TerminalText {
    /// A text with control sequences and invisible characters made visible. Archives are untrusted input: an escape
    /// sequence in a device identifier could overwrite the screen, and two names that differ in an invisible character
    /// look the same. Such characters are shown as `\u{1b}`.
    package static func harmless(_ text: String) -> String {
        guard !isPrintableASCII(text), text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars
            .map { isControl($0) ? escaped($0) : String($0) }
            .joined()
    }

    /// The same as ``harmless(_:)`` for a text of several lines; its line ends and tabs are kept.
    package static func harmlessLines(_ text: String) -> String {
        if isPrintableASCII(text) { return text }
        var shown = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            // A CR is a line end only if an LF follows.
            if isAfterReturn { shown.append(contentsOf: (scalar == "\n" ? "\r" : escaped("\r")).unicodeScalars) }
            isAfterReturn = scalar == "\r"
            if isAfterReturn { continue }
            if isControl(scalar), scalar != "\n", scalar != "\t" {
                shown.append(contentsOf: escaped(scalar).unicodeScalars)
            } else {
                shown.append(scalar)
            }
        }
        if isAfterReturn { shown.append(contentsOf: escaped("\r").unicodeScalars) }
        return String(shown)
    }

    /// The escape for a scalar that would be invisible, or would change how others are shown; nil
    /// for any other.
    package static func escape(_ scalar: Unicode.Scalar) -> String? { isControl(scalar) ? escaped(scalar) : nil }

    private static func escaped(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    /// The text cut to a number of columns, with `…` at the end if something was cut.
    package static func cut(_ text: String, to columns: Int) -> String {
        // Each column takes at least one byte.
        guard text.utf8.count > columns else { return text }
        // A character may have any number of scalars, drawn on top of each other.
        let bounded = String(text.unicodeScalars.prefix(columns * 4))
        var kept = bounded.prefix(columns)
        var width = width(of: String(kept))
        guard bounded.utf8.count < text.utf8.count || kept.endIndex < bounded.endIndex || width > columns else {
            return text
        }
        while width >= columns, let last = kept.popLast() { width -= Self.width(of: String(last)) }
        return kept + "…"
    }

    /// A text in lines of so many columns at most, ended between words where there is a blank. A text that fits into one
    /// line is returned as it is.
    package static func wrapped(_ text: String, to columns: Int) -> [String] {
        guard width(of: text) > columns else { return [text] }
        var lines = [""]
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let isFirst = lines[lines.count - 1].isEmpty
            if isFirst || width(of: lines[lines.count - 1]) + 1 + width(of: String(word)) <= columns {
                lines[lines.count - 1] += (isFirst ? "" : " ") + word
            } else {
                lines.append(String(word))
            }
            while case let last = lines[lines.count - 1], width(of: last) > columns {
                let fitting = prefix(of: last, columns: columns)
                lines[lines.count - 1] = String(last.prefix(fitting))
                lines.append(String(last.dropFirst(fitting)))
            }
        }
        return lines
    }

    /// The number of characters that fit into so many columns, at least one.
    private static func prefix(of text: String, columns: Int) -> Int {
        var (count, used) = (0, 0)
        for character in text {
            used += width(of: String(character))
            guard used <= columns else { break }
            count += 1
        }
        return max(count, 1)
    }

    /// The width of a text in columns: two for each wide East Asian character or emoji, one for any other character,
    /// however many scalars it has.
    package static func width(of text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + ($1.unicodeScalars.first.map(isWide) == true ? 2 : 1) }
    }

    package static func padded(_ text: String, to columns: Int, onLeft: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, columns - width(of: text)))
        return onLeft ? padding + text : text + padding
    }

    /// Whether all characters are printable ASCII, as in nearly all texts.
    private static func isPrintableASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }

    /// Control characters are C0, DEL, C1, the line and paragraph separators, and all characters that Unicode ignores
    /// by default (DerivedCoreProperties, Default_Ignorable_Code_Point) and fonts do not draw: direction marks,
    /// zero-width characters, fillers, variation selectors.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x2028...0x2029: true
        case 0x20..<0x7f: false
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// The blocks that Unicode's East Asian Width (UAX #11) calls wide, to a good approximation.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
            0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff,
            0x1f900...0x1f9ff, 0x20000...0x3fffd:
            true
        default: false
        }
    }
}
