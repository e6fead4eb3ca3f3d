internal import COpenSSL
internal import ReceiptFormat

/// Names that replace device and account identifiers. The holder of the key can
/// compute the name of an identifier; no one can compute an identifier from its name.
///
/// A name is the first 128 bits of HMAC-SHA256 (RFC 2104) over the kind, a zero byte and the identifier, in
/// hexadecimal. The same key gives the same names in every run and every database.
///
/// There may be several keys in sequence. Each further key computes a new name over `name`, a zero byte and the former
/// name. So a new key can replace all names without knowing the identifiers.
public struct Pseudonyms: Sendable, Hashable {
    private let key: [UInt8]
    private var furtherKeys: [[UInt8]] = []

    /// The minimum size of a key in bytes. A shorter one could be found by trying.
    public static let minimumKeyBytes = 16
    private static let nameBytes = 16

    /// Creates the names for a key; nil if it is shorter than ``minimumKeyBytes``.
    public init?(key: [UInt8]) {
        guard key.count >= Self.minimumKeyBytes else { return nil }
        self.key = key
    }

    /// These names with a further key in the sequence; nil if the key is shorter than ``minimumKeyBytes``.
    public func followed(by key: [UInt8]) -> Pseudonyms? {
        guard key.count >= Self.minimumKeyBytes else { return nil }
        var further = self
        further.furtherKeys.append(key)
        return further
    }

    /// Whether the keys begin with those of `former` and at least one further key follows.
    public func extends(_ former: Pseudonyms) -> Bool {
        key == former.key && furtherKeys.count > former.furtherKeys.count
            && furtherKeys.starts(with: former.furtherKeys)
    }

    /// The fingerprint of the key, or of the whole sequence of keys, in 32 bytes. A database recognizes the key by it.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL can't compute the HMAC.
    public func fingerprint() throws(OpenSSLError) -> [UInt8] {
        var fingerprint = try Self.digest("key", of: [], under: key)
        for key in furtherKeys { fingerprint = try Self.digest("key", of: fingerprint, under: key) }
        return fingerprint
    }

    /// The name, under all keys, of an identifier whose name under the keys of `former` is `name`. The keys have to
    /// begin with those of `former` (``extends(_:)``).
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL can't compute the HMAC.
    public func renamed(_ name: [UInt8], from former: Pseudonyms) throws(OpenSSLError) -> [UInt8] {
        var name = name
        for key in furtherKeys.dropFirst(former.furtherKeys.count) {
            name = try Self.name("name", of: name, under: key)
        }
        return name
    }

    /// The name of a device, 32 hexadecimal digits in ASCII. A device has the same name in all notations. A text that
    /// is not a device identifier is named by its characters.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL can't compute the HMAC.
    public func name(
        ofDevice claim: DeviceChecker.Claim, writtenAs text: [UInt8]
    ) throws(OpenSSLError) -> [UInt8] {
        guard case .device(let device) = claim else { return try name("text", of: text) }
        return try name("device", of: device.withBytes { Array($0.prefix(device.count)) })
    }

    /// The name of an account, 32 hexadecimal digits in ASCII.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL can't compute the HMAC.
    public func name(ofAccount text: [UInt8]) throws(OpenSSLError) -> [UInt8] { try name("account", of: text) }

    /// The name of an account's token (`appAccountToken`), 32 hexadecimal digits in ASCII. It is computed from the 16
    /// bytes of a UUID, or from the characters of any other text.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL can't compute the HMAC.
    public func name(ofAccountToken text: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let uuid = DeviceIdentifier(uuid: text.span, in: ByteRange(offset: 0, count: text.count))
        return try name("token", of: uuid?.withBytes { Array($0.prefix(16)) } ?? text)
    }

    /// The name of an app transaction (`appTransactionId`), 32 hexadecimal digits in ASCII.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL can't compute the HMAC.
    public func name(ofAppTransaction text: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        try name("app_transaction", of: text)
    }

    private func name(_ kind: String, of identifier: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var name = try Self.name(kind, of: identifier, under: key)
        for key in furtherKeys { name = try Self.name("name", of: name, under: key) }
        return name
    }

    private static func name(
        _ kind: String, of identifier: [UInt8], under key: [UInt8]
    ) throws(OpenSSLError) -> [UInt8] {
        Hex.digits(try digest(kind, of: identifier, under: key).prefix(nameBytes))
    }

    private static func digest(
        _ kind: String, of identifier: [UInt8], under key: [UInt8]
    ) throws(OpenSSLError) -> [UInt8] {
        let message = Array(kind.utf8) + [0] + identifier
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &output, &count) != nil else {
            throw OpenSSLError("HMAC")
        }
        return Array(output.prefix(Int(count)))
    }
}
