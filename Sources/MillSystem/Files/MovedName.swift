internal import Foundation
internal import ReceiptTrust

/// Names of archives in the folder where runs move them: their own, or where that
/// is taken, one that begins with their digest.
enum MovedName {
    private static let digits = 16

    /// Of an archive whose own name is taken.
    static func beside(_ name: String, _ sha256: SHA256Digest) -> String { "\(sha256.hex.prefix(digits))-\(name)" }

    /// The name under which an archive came that has this one now, if its name was
    /// taken; nil where it can't have been.
    static func original(of name: String) -> String? {
        let digest = name.prefix(while: \.isHexDigit)
        let rest = name.dropFirst(digits)
        return digest.count == digits && rest.first == "-" && rest.count > 1 ? String(rest.dropFirst()) : nil
    }

    /// The name under which an archive of this content came: a digest that is not
    /// its own is part of its name.
    static func original(of name: String, _ sha256: SHA256Digest) -> String {
        guard let original = original(of: name), name == beside(original, sha256) else { return name }
        return Self.original(of: original, sha256)
    }
}
