internal import COpenSSL

/// Computes digests, one at a time, with one context for all of them: fetching an algorithm again costs more than
/// digesting a receipt.
///
/// Not for use by two threads at once: every worker has its own.
public final class MessageDigest {
    private let context: OpaquePointer
    private let sha1: OpaquePointer
    private let sha256: OpaquePointer
    /// A second context, so that a digest's present value can be read while the first continues.
    private let copy: OpaquePointer

    /// Fetches SHA-1 and SHA-256.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL can't provide an algorithm or memory.
    public init() throws(OpenSSLError) {
        let (sha1, sha256) = (EVP_MD_fetch(nil, "SHA1", nil), EVP_MD_fetch(nil, "SHA256", nil))
        let (context, copy) = (EVP_MD_CTX_new(), EVP_MD_CTX_new())
        guard let sha1, let sha256, let context, let copy else {
            let error = OpenSSLError(context == nil || copy == nil ? "EVP_MD_CTX_new" : "EVP_MD_fetch")
            EVP_MD_CTX_free(context)
            EVP_MD_CTX_free(copy)
            EVP_MD_free(sha1)
            EVP_MD_free(sha256)
            throw error
        }
        self.context = context
        self.copy = copy
        self.sha1 = sha1
        self.sha256 = sha256
    }

    deinit {
        EVP_MD_CTX_free(context)
        EVP_MD_CTX_free(copy)
        EVP_MD_free(sha1)
        EVP_MD_free(sha256)
    }

    /// The SHA-256 of a range, which must be within `bytes`.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL fails, whatever the bytes.
    public func sha256(_ bytes: Span<UInt8>, in range: Range<Int>) throws(OpenSSLError) -> SHA256Digest {
        try start(.sha256)
        try update(bytes, in: range)
        return try finishSHA256()
    }

    /// Begins a digest of several parts, and discards a digest that was begun before.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL fails.
    public func start(_ algorithm: DigestAlgorithm) throws(OpenSSLError) {
        guard EVP_DigestInit_ex2(context, algorithm == .sha1 ? sha1 : sha256, nil) == 1 else {
            throw OpenSSLError("EVP_DigestInit_ex2")
        }
    }

    /// Adds a range, which must be within `bytes`, to the current digest.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL fails, or if no digest was begun.
    public func update(_ bytes: Span<UInt8>, in range: Range<Int>) throws(OpenSSLError) {
        let part = bytes.extracting(range)
        let done = part.withUnsafeBufferPointer { buffer in
            EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
        }
        guard done == 1 else { throw OpenSSLError("EVP_DigestUpdate") }
    }

    /// Begins a digest from the state of a prefix, and discards a digest that was begun before.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL fails.
    public func start(with prefix: DigestPrefix) throws(OpenSSLError) {
        guard EVP_MD_CTX_copy_ex(context, prefix.context) == 1 else { throw OpenSSLError("EVP_MD_CTX_copy_ex") }
    }

    /// The state of SHA-256 after the complete blocks of a range, from which digests of many texts can be continued.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL fails.
    public func sha256Prefix(_ bytes: Span<UInt8>, in range: Range<Int>) throws(OpenSSLError) -> DigestPrefix {
        let count = range.count / DigestPrefix.blockSize * DigestPrefix.blockSize
        try start(.sha256)
        try update(bytes, in: range.prefix(count))
        return try DigestPrefix(context, count: count)
    }

    /// Adds bytes to the current digest.
    package func update(_ bytes: UnsafeRawBufferPointer) throws(OpenSSLError) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw OpenSSLError("EVP_DigestUpdate")
        }
    }

    /// Ends a SHA-256 digest.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL fails, or if no digest was begun.
    public func finishSHA256() throws(OpenSSLError) -> SHA256Digest { try Self.finishSHA256(context) }

    /// The SHA-256 of all parts added so far; more may be added.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL fails, or if no digest was begun.
    public func currentSHA256() throws(OpenSSLError) -> SHA256Digest {
        guard EVP_MD_CTX_copy_ex(copy, context) == 1 else { throw OpenSSLError("EVP_MD_CTX_copy_ex") }
        return try Self.finishSHA256(copy)
    }

    private static func finishSHA256(_ context: OpaquePointer) throws(OpenSSLError) -> SHA256Digest {
        var raw: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        try withUnsafeMutableBytes(of: &raw) { (buffer) throws(OpenSSLError) in
            try finish(context, into: buffer)
        }
        return SHA256Digest(
            words: (raw.0.bigEndian, raw.1.bigEndian, raw.2.bigEndian, raw.3.bigEndian))
    }

    /// Ends a digest; `output` must have space for ``DigestAlgorithm/count`` bytes.
    package func finish(into output: UnsafeMutableRawBufferPointer) throws(OpenSSLError) {
        try Self.finish(context, into: output)
    }

    private static func finish(
        _ context: OpaquePointer, into output: UnsafeMutableRawBufferPointer
    ) throws(OpenSSLError) {
        let start = output.bindMemory(to: UInt8.self).baseAddress
        guard EVP_DigestFinal_ex(context, start, nil) == 1 else {
            throw OpenSSLError("EVP_DigestFinal_ex")
        }
    }
}

/// The state of SHA-256 after a common beginning of many texts. Not for use by two threads at once.
public final class DigestPrefix {
    fileprivate let context: OpaquePointer
    /// The number of bytes that were digested.
    public let count: Int

    /// The size of SHA-256's block in bytes (FIPS 180-4, 1).
    fileprivate static let blockSize = 64

    fileprivate init(_ state: OpaquePointer, count: Int) throws(OpenSSLError) {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSLError("EVP_MD_CTX_new") }
        self.context = context
        self.count = count
        guard EVP_MD_CTX_copy_ex(context, state) == 1 else { throw OpenSSLError("EVP_MD_CTX_copy_ex") }
    }

    deinit { EVP_MD_CTX_free(context) }
}

extension SHA256Digest {
    init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }
}
