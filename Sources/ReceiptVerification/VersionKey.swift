/// Text that sorts as versions do.
///
/// A version is split at dots, and each part into runs of digits and other
/// characters. A number becomes its count of digits, two places, and its
/// digits, so that 9 sorts before 10; other characters stand as they are, in
/// lower case. Parts are joined by a space, which sorts before all of them:
/// `1.9 < 1.10 < 1.10.1 < 1.10b2 < 1.10b10 < 2`. Parts of value zero at the end
/// don't count: 2, 2.0 and 2.0.0 are one version.
package enum VersionKey {
    /// The key of a version; `2.10b3` gives `012 0210b013`.
    package static func key(_ version: some StringProtocol) -> String {
        var parts = version.lowercased().split(separator: ".", omittingEmptySubsequences: false).map(Self.part)
        while let last = parts.last, last == zero || last.isEmpty { parts.removeLast() }
        return parts.joined(separator: " ")
    }

    private static let zero = number("0")

    private static func part(_ text: Substring) -> String {
        var key = ""
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                if !digits.isEmpty { key += number(digits) }
                digits = ""
                // A space is the joint, and a tab the loader's.
                if !character.isWhitespace { key.append(character) }
            }
        }
        return digits.isEmpty ? key : key + number(digits)
    }

    private static func number(_ digits: String) -> String {
        let significant = digits.drop { $0 == "0" }
        let count = min(significant.count, 99)
        return (count < 10 ? "0" : "") + String(count) + significant
    }
}
