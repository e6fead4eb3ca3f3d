internal import COpenSSL
public import ReceiptFormat

/// Names of algorithms, for people and reports.
enum AlgorithmName {
    /// The name of an object identifier's content: OpenSSL's short name in lower case, such as `md5`, or the dotted
    /// form if OpenSSL has no name.
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
    /// The object identifier in dotted form, such as `1.2.840.113549.1.1.5`.
    public let identifier: String
    /// OpenSSL's long name, such as `sha1WithRSAEncryption`; nil if it has none.
    public let name: String?

    /// Reads an object identifier.
    ///
    /// - Parameters:
    ///   - bytes: the buffer of `range`.
    ///   - range: the content of an OBJECT IDENTIFIER.
    public init(_ bytes: Span<UInt8>, in range: ByteRange) {
        identifier = ObjectIdentifier.dotted(bytes, in: range)
        let known = OBJ_txt2nid(identifier)
        ERR_clear_error()
        name = known == NID_undef ? nil : OBJ_nid2ln(known).map { String(cString: $0) }
    }
}
