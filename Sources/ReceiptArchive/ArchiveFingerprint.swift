package import MillDigest
package import MillSystem

/// An archive's identity: its content, regardless of its name.
package struct ArchiveID: Sendable, Hashable {
    /// The file's name without folders, when it was delivered.
    package let name: String
    /// The SHA-256 of the file's bytes, compressed or not.
    package let sha256: SHA256Digest
    /// The size of the file in bytes.
    package let bytes: Int64

    package init(name: String, sha256: SHA256Digest, bytes: Int64) {
        (self.name, self.sha256, self.bytes) = (name, sha256, bytes)
    }
}

/// The identity of an open archive, with the file's state when it was read.
package struct ArchiveFingerprint: Sendable {
    package let id: ArchiveID
    /// The stamp of the file before it was read.
    package let stamp: FileStamp
    /// The archive's former content, which an earlier run has loaded and to which the rest was
    /// appended.
    package var prefix: SHA256Digest?

    /// Reads a file to its end, and rewinds it. Bytes that are appended afterwards are not read, because they belong to
    /// another content.
    ///
    /// - Throws: ``MillError`` if the file can't be read, or if it is named as gzip and is empty, as after an
    ///   interrupted delivery: even an empty text has a gzip header and trailer (RFC 1952, 2.3).
    package init(of file: InputFile) throws(MillError) {
        stamp = try file.stamp()
        let (sha256, bytes) = try file.digest()
        if bytes == 0, file.name.lowercased().hasSuffix(".gz") {
            throw MillError(
                stage: .reading, path: file.path, what: "is empty, and no gzip file",
                hint: "fetch the archive again under its name", exitStatus: .badData)
        }
        try file.rewind(upTo: bytes)
        id = ArchiveID(name: MovedName.original(of: file.name, sha256.hex), sha256: sha256, bytes: bytes)
    }

    package var name: String { id.name }
    package var sha256: SHA256Digest { id.sha256 }
    package var bytes: Int64 { id.bytes }

    /// The change of a file since it was recognised.
    package enum FileChange {
        case none
        /// Bytes were appended.
        case grown
        /// The file no longer begins with the recognised content.
        case rewritten
    }

    /// Compares the file with the recognised content. If the file was written to since, it is read once more.
    package func change(of file: InputFile) throws(MillError) -> FileChange {
        let now = try file.stamp()
        if now == stamp, now.bytes == bytes { return .none }
        return try file.digest(upTo: bytes).sha256 == sha256 ? .grown : .rewritten
    }
}

extension InputFile {
    /// The SHA-256 of the file's first `limit` bytes, and the number of digested bytes, which is smaller if the file is
    /// shorter.
    package func digest(upTo limit: Int64 = .max) throws(MillError) -> (sha256: SHA256Digest, bytes: Int64) {
        try digests(upTo: [limit])[0]
    }

    /// The SHA-256 of the file's beginnings of the given ascending lengths, in one pass. For a length greater than the
    /// file's, the digest is that of the whole file.
    package func digests(upTo lengths: [Int64]) throws(MillError) -> [(sha256: SHA256Digest, bytes: Int64)] {
        let digest = try Self.hashing { () throws(OpenSSLError) in try MessageDigest() }
        try Self.hashing { () throws(OpenSSLError) in try digest.start(.sha256) }
        try rewind()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var bytes: Int64 = 0
        var digests: [(SHA256Digest, Int64)] = []
        for length in lengths {
            while bytes < length {
                let wanted = Int(min(Int64(buffer.count), length - bytes))
                var space = buffer.mutableSpan
                let count = try space.withUnsafeMutableBytes { (space) throws(MillError) in
                    try read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<wanted]))
                }
                if count == 0 { break }
                try Self.hashing { () throws(OpenSSLError) in try digest.update(buffer.span, in: 0..<count) }
                bytes += Int64(count)
            }
            digests.append((try Self.hashing { () throws(OpenSSLError) in try digest.currentSHA256() }, bytes))
        }
        return digests
    }

    private static func hashing<Result>(_ work: () throws(OpenSSLError) -> Result) throws(MillError) -> Result {
        try MillError.wrapping(at: .reading, work)
    }
}
