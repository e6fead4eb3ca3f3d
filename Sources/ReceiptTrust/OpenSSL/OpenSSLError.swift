internal import COpenSSL

/// A failure of OpenSSL itself, such as memory that ran out: a fault of ours,
/// never of a receipt.
public struct OpenSSLError: Error, Sendable, CustomStringConvertible {
    /// The function that failed.
    public let operation: String
    /// What OpenSSL's error queue said; empty where it said nothing.
    public let reason: String

    @inline(never)
    init(_ operation: String) {
        self.operation = operation
        var text = [CChar](repeating: 0, count: 256)
        let code = ERR_get_error()
        if code != 0 {
            ERR_error_string_n(code, &text, text.count)
        }
        reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        ERR_clear_error()
    }

    public var description: String {
        reason.isEmpty ? "\(operation) failed" : "\(operation) failed: \(reason)"
    }
}
