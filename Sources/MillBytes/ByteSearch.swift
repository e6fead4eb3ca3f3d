public import Glibc

/// Searches and compares bytes with the C library's vector instructions.
@usableFromInline package enum ByteSearch {
    /// The offset of the first `byte` in a range of `bytes`; nil if there is none.
    @inlinable package static func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            guard !range.isEmpty, let start = buffer.baseAddress,
                let found = memchr(start + range.lowerBound, Int32(byte), range.count)
            else { return nil }
            return UnsafeRawPointer(start).distance(to: found)
        }
    }

    /// The offset of the last `byte` at or after `from`; nil if there is none.
    @inlinable package static func lastIndex(of byte: UInt8, in bytes: Span<UInt8>, from: Int) -> Int? {
        var index = bytes.count
        while index > from {
            index -= 1
            if bytes[index] == byte { return index }
        }
        return nil
    }

    /// Whether `bytes` contains `other` as consecutive bytes.
    package static func contains(_ bytes: ArraySlice<UInt8>, _ other: [UInt8]) -> Bool {
        other.isEmpty || firstIndex(of: other, in: bytes) != nil
    }

    /// The index in `slice` at which `other` first begins; nil if `slice` does not contain `other`, or if `other` is
    /// empty.
    package static func firstIndex(of other: [UInt8], in slice: ArraySlice<UInt8>) -> Int? {
        slice.withUnsafeBytes { bytes in
            other.withUnsafeBytes { other in
                guard let start = bytes.baseAddress, let wanted = other.first, let word = other.baseAddress else {
                    return nil
                }
                var offset = 0
                while offset + other.count <= bytes.count,
                    let found = memchr(start + offset, Int32(wanted), bytes.count - other.count + 1 - offset)
                {
                    if memcmp(found, word, other.count) == 0 { return slice.startIndex + start.distance(to: found) }
                    offset = start.distance(to: found) + 1
                }
                return nil
            }
        }
    }

    /// Whether a range of `bytes` holds exactly `other`.
    @inlinable package static func isEqual(_ bytes: Span<UInt8>, _ range: Range<Int>, _ other: [UInt8]) -> Bool {
        guard range.count == other.count else { return false }
        return bytes.extracting(range).withUnsafeBufferPointer { part in
            other.withUnsafeBufferPointer { other in
                guard let left = part.baseAddress, let right = other.baseAddress else { return true }
                return memcmp(left, right, part.count) == 0
            }
        }
    }

    /// Whether both hold the same bytes.
    @inlinable package static func isEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        return one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { other in
                guard let left = one.baseAddress, let right = other.baseAddress else { return true }
                return memcmp(left, right, one.count) == 0
            }
        }
    }

    /// Whether all bytes of a range are below 128.
    package static func isASCII(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        bytes.extracting(range).withUnsafeBufferPointer { buffer in
            var bits: UInt8 = 0
            for byte in buffer { bits |= byte }
            return bits < 0x80
        }
    }
}
