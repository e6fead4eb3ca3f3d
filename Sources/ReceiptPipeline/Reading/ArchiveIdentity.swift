internal import ReceiptTrust

/// What an archive is known by: its content, whatever its name.
struct ArchiveIdentity: Sendable {
    let name: String
    let sha256: SHA256Digest
    /// Bytes of the file.
    let bytes: Int64

    /// Reads a file to its end, and goes back to its beginning.
    init(of file: InputFile) throws(MillError) {
        let digest = try MillError.wrapping { () throws(OpenSSLError) in try MessageDigest() }
        try MillError.wrapping { () throws(OpenSSLError) in try digest.start(.sha256) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var bytes: Int64 = 0
        while true {
            var room = buffer.mutableSpan
            let count = try room.withUnsafeMutableBytes { (room) throws(MillError) in try file.read(into: room) }
            if count == 0 { break }
            try MillError.wrapping { () throws(OpenSSLError) in try digest.update(buffer.span, in: 0..<count) }
            bytes += Int64(count)
        }
        sha256 = try MillError.wrapping { () throws(OpenSSLError) in try digest.finishSHA256() }
        try file.rewind()
        name = file.name
        self.bytes = bytes
    }
}
