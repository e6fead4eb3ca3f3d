/// Names of archives in the folder where runs move them: an archive's own name, or where another
/// file has that name, one that begins with the archive's digest.
package enum MovedName {
    private static let digits = 16

    /// The name of an archive whose own name another file has.
    package static func beside(_ name: String, _ sha256: String) -> String { "\(sha256.prefix(digits))-\(name)" }

    /// The name with which an archive came that now has `name`, if its own name was taken; nil
    /// where `name` is not of that form.
    package static func original(of name: String) -> String? {
        let digest = name.prefix(while: \.isHexDigit)
        let rest = name.dropFirst(digits)
        return digest.count == digits && rest.first == "-" && rest.count > 1 ? String(rest.dropFirst()) : nil
    }

    /// The name with which an archive of this content came. A digest at the beginning that is
    /// another content's is part of the name.
    package static func original(of name: String, _ sha256: String) -> String {
        guard let original = original(of: name), name == beside(original, sha256) else { return name }
        return Self.original(of: original, sha256)
    }
}
