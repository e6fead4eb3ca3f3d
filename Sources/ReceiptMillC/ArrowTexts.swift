internal import CReceiptMill

/// An Arrow array of texts or of bytes, which another library owns.
struct ArrowTexts {
    let count: Int
    private let offset: Int
    private let validity: UnsafePointer<UInt8>?
    private let data: UnsafeRawPointer?
    private let narrowOffsets: UnsafePointer<Int32>?
    private let wideOffsets: UnsafePointer<Int64>?

    /// The maximum index of an element: no memory can hold the offsets of more elements.
    private static let maximumPlace = Int64(1) << 44

    /// Reads the layout of an array; nil for another type, or if the array contradicts its type.
    init?(_ array: ArrowArray, _ schema: ArrowSchema) {
        guard let format = schema.format, array.length >= 0, array.offset >= 0, array.n_buffers == 3,
            array.offset <= Self.maximumPlace, array.length <= Self.maximumPlace - array.offset,
            array.dictionary == nil, let buffers = array.buffers,
            format[0] != 0, format[1] == 0
        else { return nil }
        (count, offset) = (Int(array.length), Int(array.offset))
        validity = array.null_count == 0 ? nil : buffers[0]?.assumingMemoryBound(to: UInt8.self)
        data = buffers[2]
        switch UInt8(bitPattern: format[0]) {
        case UInt8(ascii: "u"), UInt8(ascii: "z"):
            (narrowOffsets, wideOffsets) = (buffers[1]?.assumingMemoryBound(to: Int32.self), nil)
        case UInt8(ascii: "U"), UInt8(ascii: "Z"):
            (narrowOffsets, wideOffsets) = (nil, buffers[1]?.assumingMemoryBound(to: Int64.self))
        default: return nil
        }
        // Only an array without elements may lack its offsets.
        guard count == 0 || narrowOffsets != nil || wideOffsets != nil, bounds(count: count) != nil else { return nil }
    }

    /// The bytes of all elements.
    ///
    /// The span is valid as long as the array that was read; the caller of the interface keeps the array for that time.
    var bytes: UnsafeBufferPointer<UInt8> {
        guard let data, let end = bounds(count: count)?.upperBound else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: data.assumingMemoryBound(to: UInt8.self), count: end)
    }

    /// Whether an element is not null.
    func isValid(_ index: Int) -> Bool {
        guard let validity else { return true }
        let bit = offset + index
        return validity[bit / 8] >> UInt8(bit % 8) & 1 == 1
    }

    /// The range of an element in ``bytes``; nil if the offsets are not a range within them.
    func range(_ index: Int) -> Range<Int>? {
        let (start, end) = (place(index), place(index + 1))
        return 0 <= start && start <= end && end <= bytes.count ? start..<end : nil
    }

    private func place(_ index: Int) -> Int {
        if let narrowOffsets { return Int(narrowOffsets[offset + index]) }
        return wideOffsets.map { Int($0[offset + index]) } ?? 0
    }

    private func bounds(count: Int) -> Range<Int>? {
        guard count > 0 else { return 0..<0 }
        let (start, end) = (place(0), place(count))
        return 0 <= start && start <= end && (data != nil || start == end) ? start..<end : nil
    }
}
