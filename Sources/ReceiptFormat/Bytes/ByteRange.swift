/// A place in a buffer: what parsers keep instead of copies or slices.
///
/// Offsets are those of the whole buffer that was parsed, so that an error
/// knows its place and a nested structure needs no arithmetic.
public struct ByteRange: Sendable, Hashable {
    /// Offset of the first byte.
    public var start: UInt32
    /// Number of bytes.
    public var length: UInt32

    /// A range of `count` bytes from `offset`, both at most `UInt32.max`.
    @inlinable
    public init(offset: Int, count: Int) {
        start = UInt32(truncatingIfNeeded: offset)
        length = UInt32(truncatingIfNeeded: count)
    }

    @inlinable public var offset: Int { Int(start) }
    @inlinable public var count: Int { Int(length) }
    @inlinable public var end: Int { Int(start) + Int(length) }
    @inlinable public var isEmpty: Bool { length == 0 }
    @inlinable public var indices: Range<Int> { offset..<end }
}
