internal import COpenSSL

/// The digests that receipts are signed with, and one that no store ever used.
public enum Digest: String, Sendable {
    case sha1, sha256
    /// Of device verifications and the store's certificates; receipts know none.
    case sha384
    /// Too weak for anything; only as a defect.
    case md5

    /// Arcs of the digest's algorithm identifier (RFC 3279 2.2.1, RFC 4055 2.1).
    var objectIdentifier: [UInt64] {
        switch self {
        case .md5: [1, 2, 840, 113549, 2, 5]
        case .sha1: [1, 3, 14, 3, 2, 26]
        case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
        case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
        }
    }

    /// OpenSSL's description of the algorithm, a constant that lives as long as the process.
    var algorithm: OpaquePointer? { EVP_get_digestbyname(rawValue) }

    /// The digest of bytes.
    func hash(_ bytes: [UInt8]) throws -> [UInt8] {
        try output("EVP_Digest") { EVP_Digest(bytes, bytes.count, &$0, &$1, algorithm, nil) == 1 }
    }

    /// HMAC (RFC 2104).
    func code(_ message: [UInt8], key: [UInt8]) throws -> [UInt8] {
        try output("HMAC") { HMAC(algorithm, key, Int32(key.count), message, message.count, &$0, &$1) != nil }
    }

    private func output(_ operation: String, _ write: (inout [UInt8], inout UInt32) -> Bool) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard write(&output, &count) else { throw MintError.library(operation: operation) }
        return Array(output.prefix(Int(count)))
    }
}

extension [UInt8] {
    /// Lower-case hexadecimal.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
