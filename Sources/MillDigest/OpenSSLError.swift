internal import COpenSSL

/// A failure of OpenSSL itself, for instance because memory ran out. It is caused by the machine or the program, never
/// by a receipt.
public struct OpenSSLError: Error, Sendable, CustomStringConvertible {
    /// The name of OpenSSL's function that failed.
    public let operation: String
    /// The first error in OpenSSL's queue; empty if there was none.
    public let reason: String
    /// The advice that follows the message.
    public let advice: String

    @inline(never)
    package init(_ operation: String) {
        self.operation = operation
        var text = [CChar](repeating: 0, count: 256)
        let code = ERR_get_error()
        if code != 0 {
            ERR_error_string_n(code, &text, text.count)
        }
        reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        advice = "check the memory that is free"
        ERR_clear_error()
    }

    /// The error that OpenSSL refuses a signature which tables of its key's multiples have accepted.
    ///
    /// - Parameter document: the SHA-256 of the document with the signature.
    package init(acceptedByTablesAlone document: SHA256Digest) {
        operation = "verifying document sha256:\(document.hex)"
        reason = "the tables of its signer's key accept the signature, and EVP_PKEY_verify refuses it"
        advice = "set RECEIPTMILL_KEY_TABLES=off, which verifies without tables, and report this"
    }

    /// The function that failed, and why.
    public var description: String {
        reason.isEmpty ? "\(operation) failed" : "\(operation) failed: \(reason)"
    }
}
