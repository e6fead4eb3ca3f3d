/// Names of archives in the folder to which runs move them: the archive's own name or, if another file has that name,
/// the own name with the archive's digest before it.
package enum MovedName {
    private static let digits = 16

    /// The name of an archive if another file has its own name.
    package static func beside(_ name: String, _ sha256: String) -> String { "\(sha256.prefix(digits))-\(name)" }

    /// The original name of an archive that is now named `name`, if `name` begins with a digest; otherwise nil.
    package static func original(of name: String) -> String? {
        let digest = name.prefix(while: \.isHexDigit)
        let rest = name.dropFirst(digits)
        return digest.count == digits && rest.first == "-" && rest.count > 1 ? String(rest.dropFirst()) : nil
    }

    /// The original name of an archive with this content. If the name begins with the digest of another content, that
    /// is part of the original name.
    package static func original(of name: String, _ sha256: String) -> String {
        guard let original = original(of: name), name == beside(original, sha256) else { return name }
        return Self.original(of: original, sha256)
    }
}
