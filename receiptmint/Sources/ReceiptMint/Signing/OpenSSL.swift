internal import COpenSSL

/// Calls of OpenSSL that fail for no reason that lies in what the mint was asked for.
enum OpenSSL {
    /// What OpenSSL made, which the caller frees.
    static func made(_ operation: String, _ pointer: OpaquePointer?) throws -> OpaquePointer {
        guard let pointer else { throw MintError.library(operation: operation) }
        return pointer
    }

    /// Calculates with so many numbers, which are gone afterwards.
    static func calculate<Result>(
        with count: Int, _ body: (_ numbers: [OpaquePointer], _ context: OpaquePointer) throws -> Result
    ) throws -> Result {
        let context = try made("BN_CTX_new", BN_CTX_new())
        defer { BN_CTX_free(context) }
        BN_CTX_start(context)
        defer { BN_CTX_end(context) }
        return try body((0..<count).map { _ in try made("BN_CTX_get", BN_CTX_get(context)) }, context)
    }

    /// Sets a number to big-endian bytes.
    static func set(_ number: OpaquePointer, to bytes: [UInt8]) throws {
        try MintError.check("BN_bin2bn", BN_bin2bn(bytes, Int32(bytes.count), number) != nil)
    }
}
