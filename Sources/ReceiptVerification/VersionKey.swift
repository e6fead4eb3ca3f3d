package import ReceiptFormat

/// The text by which versions are sorted.
///
/// A version is split at dots, and each part into runs of digits and other characters. A number becomes its count of
/// digits, in two places, and its digits, so that 9 sorts before 10; other characters are kept, in lower case. Parts
/// are joined by a space, which sorts before all other characters: `1.9 < 1.10 < 1.10.1 < 1.10b2 < 1.10b10 < 2`.
/// Trailing parts of value zero don't count: 2, 2.0 and 2.0.0 are one version.
///
/// Characters are Unicode scalars, because a grapheme may be as long as the text.
package enum VersionKey {
    /// The key of a version; `2.10b3` gives `012 0210b013`.
    package static func key(_ version: DocumentText) -> DocumentText {
        var parts: [String] = []
        var part = VersionPart()
        for scalar in version.string.lowercased().unicodeScalars {
            if scalar == "." {
                parts.append(part.finish())
                part = VersionPart()
            } else {
                part.add(scalar)
            }
        }
        parts.append(part.finish())
        while let last = parts.last, last.isEmpty || last.utf8.elementsEqual(zero.utf8) { parts.removeLast() }
        return DocumentText(parts.joined(separator: " "))
    }

    private static let zero = VersionPart.number("0")

    private struct VersionPart {
        private var key = ""
        private var digits = ""

        mutating func add(_ scalar: Unicode.Scalar) {
            if ("0"..."9").contains(scalar) {
                digits.unicodeScalars.append(scalar)
                return
            }
            endNumber()
            // White space is dropped, because a space joins parts, and the loader reserves the tab.
            if !scalar.properties.isWhitespace { key.unicodeScalars.append(scalar) }
        }

        mutating func finish() -> String {
            endNumber()
            return key
        }

        private mutating func endNumber() {
            if !digits.isEmpty { key += Self.number(digits) }
            digits = ""
        }

        static func number(_ digits: String) -> String {
            let significant = digits.unicodeScalars.drop { $0 == "0" }
            let count = min(significant.count, 99)
            return (count < 10 ? "0" : "") + String(count) + String(significant)
        }
    }
}
