/// What keeps the mint from working.
public enum MintError: Error, CustomStringConvertible {
    /// A file or folder can't be made: path and cause.
    case cannotWrite(path: String, cause: String)
    /// A file stands where one is to be written.
    case exists(path: String)
    /// A function of OpenSSL or zlib failed that doesn't depend on input.
    case library(operation: String)

    /// Fails where a function did that doesn't depend on input.
    static func check(_ operation: String, _ isDone: Bool) throws {
        guard isDone else { throw MintError.library(operation: operation) }
    }

    public var description: String {
        switch self {
        case .cannotWrite(let path, let cause): "can't write \(path): \(cause)"
        case .exists(let path): "\(path) exists (--force replaces it)"
        case .library(let operation): "\(operation) failed"
        }
    }
}
