internal import COpenSSL
internal import ReceiptFormat

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
