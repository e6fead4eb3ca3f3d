/// Names of archives in the folder where runs move them: their own, or where that
/// is taken, one that begins with their digest.
package enum MovedName {
    private static let digits = 16

    /// The name of an archive whose own is taken.
    package static func beside(_ name: String, _ sha256: String) -> String { "\(sha256.prefix(digits))-\(name)" }

    /// The name under which an archive came that has this one now, if its name was
    /// taken; nil where it can't have been.
    package static func original(of name: String) -> String? {
        let digest = name.prefix(while: \.isHexDigit)
        let rest = name.dropFirst(digits)
        return digest.count == digits && rest.first == "-" && rest.count > 1 ? String(rest.dropFirst()) : nil
    }

    /// The name under which an archive of this content came: a digest that is not
    /// its own is part of its name.
    package static func original(of name: String, _ sha256: String) -> String {
        guard let original = original(of: name), name == beside(original, sha256) else { return name }
        return Self.original(of: original, sha256)
    }
}
