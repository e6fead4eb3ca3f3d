/// A range of bytes in a buffer, which parsers keep instead of copies or slices.
///
/// Offsets are counted from the start of the whole buffer that was parsed, so that errors can state them and nested
/// structures need no arithmetic.
public struct ByteRange: Sendable, Hashable {
    /// The offset of the first byte; 32 bits keep parsed values small.
    public var start: UInt32
    /// The number of bytes, in 32 bits.
    public var length: UInt32

    /// A range of `count` bytes from `offset`. A negative number, or one above `UInt32.max`, ends the program; parsers
    /// refuse larger buffers, so that no input can lead to such a number.
    @inlinable
    public init(offset: Int, count: Int) {
        // A single comparison checks that the upper halves of both numbers are zero.
        precondition(UInt(bitPattern: offset | count) >> 32 == 0, "a range beyond 4 GiB")
        start = UInt32(truncatingIfNeeded: offset)
        length = UInt32(truncatingIfNeeded: count)
    }

    /// A range whose end is known to be at most `UInt32.max`, like every position of a `ByteReader`.
    @inlinable @inline(__always)
    package init(within offset: Int, count: Int) {
        assert(UInt(bitPattern: offset | count) >> 32 == 0)
        start = UInt32(truncatingIfNeeded: offset)
        length = UInt32(truncatingIfNeeded: count)
    }

    /// The range of the given offsets.
    @inlinable
    public init(_ indices: Range<Int>) { self.init(offset: indices.lowerBound, count: indices.count) }

    /// The offset of the first byte.
    @inlinable public var offset: Int { Int(start) }
    /// The number of bytes.
    @inlinable public var count: Int { Int(length) }
    /// The offset after the last byte.
    @inlinable public var end: Int { Int(start) + Int(length) }
    /// Whether the range has no bytes.
    @inlinable public var isEmpty: Bool { length == 0 }
    /// The offsets of all bytes, for subscripts and loops.
    @inlinable public var indices: Range<Int> { offset..<end }
}
