internal import MillBytes

/// A subject's name in the form that the report `fraud-queue` writes beside the name: an `x`, and the name's UTF-8 in
/// hexadecimal. Tables escape control characters and formulas in names, and spreadsheets change spaces and digits, but
/// a key remains unchanged.
package enum SubjectKey {
    package static func text(of subject: String) -> String { "x" + Hex.text(subject.utf8) }

    /// Decodes a key into the subject's name; nil if the text is not a key.
    package static func subject(_ key: String) -> String? {
        let key = Array(key.utf8)
        guard key.first == UInt8(ascii: "x") || key.first == UInt8(ascii: "X") else { return nil }
        return Hex.bytes(key.span, in: 1..<key.count).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
