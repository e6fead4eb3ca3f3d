internal import CZlib

/// Bytes in memory, from an untrusted sender, that may be compressed.
package enum PackedBytes {
    /// The text of bytes that are compressed in zlib's format or as gzip, up to any damage. Inflation stops at
    /// `maximum` bytes or slightly more. Nil if the bytes are in neither format.
    package static func inflated(_ packed: [UInt8], upTo maximum: Int) -> [UInt8]? {
        var stream = z_stream()
        // zlib recognises either format by its first bytes.
        let eitherFormat = MAX_WBITS + 32
        guard
            inflateInit2_(&stream, eitherFormat, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var packed = packed
        let isBegun = packed.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            var space = [UInt8](repeating: 0, count: 1 << 16)
            while output.count < maximum {
                let (status, count) = space.withUnsafeMutableBufferPointer { space in
                    stream.next_out = space.baseAddress
                    stream.avail_out = UInt32(space.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (status, space.count - Int(stream.avail_out))
                }
                output.append(contentsOf: space[..<count])
                guard status == Z_OK, count > 0 else { return !output.isEmpty }
            }
            return true
        }
        return isBegun ? output : nil
    }

    /// Whether bytes begin like gzip's or zlib's format (RFC 1952, 2.3.1; RFC 1950, 2.2).
    package static func isPacked(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 8 else { return false }
        let start = Int(bytes[0]) << 8 | Int(bytes[1])
        return start == 0x1f8b || (bytes[0] & 0x0f == 8 && bytes[0] >> 4 < 8 && start % 31 == 0)
    }
}
