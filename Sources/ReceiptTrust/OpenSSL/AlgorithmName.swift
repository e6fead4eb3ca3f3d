internal import COpenSSL
public import ReceiptFormat

/// Names of algorithms, for people and reports.
enum AlgorithmName {
    /// OpenSSL's short name in lower case, such as `md5`; the dotted form where it
    /// knows none.
    static func of(_ bytes: Span<UInt8>, _ range: ByteRange) -> String {
        let dotted = ObjectIdentifier.dotted(bytes, in: range)
        let known = OBJ_txt2nid(dotted)
        ERR_clear_error()
        guard known != NID_undef, let name = OBJ_nid2sn(known) else { return dotted }
        return String(cString: name).lowercased()
    }
}

/// An object identifier for people: in dotted form, and by its name.
public struct NamedObject: Sendable, Hashable {
    public let identifier: String
    /// OpenSSL's long name, such as `sha1WithRSAEncryption`; nil where it knows none.
    public let name: String?

    /// - Parameter range: the content octets of an OBJECT IDENTIFIER.
    public init(_ bytes: Span<UInt8>, in range: ByteRange) {
        identifier = ObjectIdentifier.dotted(bytes, in: range)
        let known = OBJ_txt2nid(identifier)
        ERR_clear_error()
        name = known == NID_undef ? nil : OBJ_nid2ln(known).map { String(cString: $0) }
    }
}
