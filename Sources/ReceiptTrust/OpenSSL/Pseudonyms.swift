internal import COpenSSL
internal import ReceiptFormat

/// Names that stand in the place of device and account identifiers: who has the
/// key can tell the name of an identifier, nobody an identifier from its name.
///
/// A name is the first 128 bits of HMAC-SHA256 (RFC 2104) over the kind, a zero
/// byte and the identifier, in hexadecimal. The same key gives the same names in
/// every run and every database.
public struct Pseudonyms: Sendable, Hashable {
    private let key: [UInt8]

    /// A key that is shorter could be found by trying.
    public static let leastKeyBytes = 16
    private static let nameBytes = 16

    /// Nil where the key is too short.
    public init?(key: [UInt8]) {
        guard key.count >= Self.leastKeyBytes else { return nil }
        self.key = key
    }

    /// By what a database knows the key of its names.
    public func fingerprint() throws(OpenSSLError) -> [UInt8] {
        try digest("key", of: [])
    }

    /// A device has one name in all its notations; what is no device identifier
    /// is named as it is written.
    public func name(
        ofDevice claim: DeviceChecker.Claim, writtenAs text: [UInt8]
    ) throws(OpenSSLError) -> [UInt8] {
        guard case .device(let device) = claim else { return try name("text", of: text) }
        return try name("device", of: device.withBytes { Array($0.prefix(device.count)) })
    }

    public func name(ofAccount text: [UInt8]) throws(OpenSSLError) -> [UInt8] { try name("account", of: text) }

    private func name(_ kind: String, of identifier: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return try digest(kind, of: identifier).prefix(Self.nameBytes).flatMap {
            [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
        }
    }

    private func digest(_ kind: String, of identifier: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let message = Array(kind.utf8) + [0] + identifier
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &output, &count) != nil else {
            throw OpenSSLError("HMAC")
        }
        return Array(output.prefix(Int(count)))
    }
}
