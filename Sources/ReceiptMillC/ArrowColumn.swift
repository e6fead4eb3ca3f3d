internal import CReceiptMill

/// Bytes at a fixed address, to which values are appended.
struct GrowingBuffer: ~Copyable {
    private(set) var start: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity = 64

    init() { start = .allocate(byteCount: capacity, alignment: Self.alignment) }

    deinit { start.deallocate() }

    /// The alignment that Arrow recommends.
    private static let alignment = 64

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if count + bytes.count > capacity {
            capacity = max(2 * capacity, count + bytes.count)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: Self.alignment)
            larger.copyMemory(from: start, byteCount: count)
            start.deallocate()
            start = larger
        }
        if let source = bytes.baseAddress { (start + count).copyMemory(from: source, byteCount: bytes.count) }
        count += bytes.count
    }

    mutating func append(_ integer: Int64) { withUnsafeBytes(of: integer) { append($0) } }

    /// Sets a bit of the last byte, after appending a byte for every eighth bit.
    mutating func append(bit: Bool, at index: Int) {
        if index % 8 == 0 { withUnsafeBytes(of: UInt8(0)) { append($0) } }
        guard bit else { return }
        let byte = (start + index / 8).assumingMemoryBound(to: UInt8.self)
        byte.pointee |= 1 << UInt8(index % 8)
    }
}

/// A column of an Arrow array. Values are appended to it, and then it is exported through Arrow's C data interface.
final class ArrowColumn {
    enum Layout {
        case text, integer, time, list, structure

        var format: StaticString {
            switch self {
            case .text: "U"
            case .integer: "l"
            case .time: "tsm:UTC"
            case .list: "+L"
            case .structure: "+s"
            }
        }

        var hasOffsets: Bool { self == .text || self == .list }
        var hasValues: Bool { self == .text || self == .integer || self == .time }
    }

    private let name: [CChar]
    private let layout: Layout
    let children: [ArrowColumn]
    private(set) var length = 0
    private var nullCount = 0
    private var validity = GrowingBuffer()
    private var offsets = GrowingBuffer()
    private var values = GrowingBuffer()
    /// The addresses of the buffers; nil until the column is exported.
    private var addresses: UnsafeMutablePointer<UnsafeRawPointer?>?
    private var arrays: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>?

    init(_ name: String, _ layout: Layout, _ children: [ArrowColumn] = []) {
        self.name = name.utf8.map { CChar(bitPattern: $0) } + [0]
        (self.layout, self.children) = (layout, children)
        if layout.hasOffsets { offsets.append(0) }
    }

    // MARK: Values

    func append(_ text: UnsafeRawBufferPointer) {
        values.append(text)
        offsets.append(Int64(values.count))
        appendValidity(true)
    }

    func append(_ integer: Int64) {
        values.append(integer)
        appendValidity(true)
    }

    /// Appends a list of all elements that were appended to the child since the last list.
    func appendList() {
        offsets.append(Int64(children[0].length))
        appendValidity(true)
    }

    /// Appends a struct of the values that were appended to the children.
    func appendStructure() { appendValidity(true) }

    func appendNull() {
        switch layout {
        case .text: offsets.append(Int64(values.count))
        case .list: offsets.append(Int64(children[0].length))
        case .integer, .time: values.append(0)
        case .structure: for child in children { child.appendNull() }
        }
        nullCount += 1
        appendValidity(false)
    }

    private func appendValidity(_ isValid: Bool) {
        validity.append(bit: isValid, at: length)
        length += 1
    }

    // MARK: Arrow's C data interface

    /// The array, which owns the column until the array is released. Nothing may be appended after this call.
    func array() -> ArrowArray {
        var buffers: [UnsafeRawPointer?] = [nullCount == 0 ? nil : UnsafeRawPointer(validity.start)]
        if layout.hasOffsets { buffers.append(UnsafeRawPointer(offsets.start)) }
        if layout.hasValues { buffers.append(UnsafeRawPointer(values.start)) }
        let addresses = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: buffers.count)
        addresses.initialize(from: buffers, count: buffers.count)
        self.addresses = addresses
        arrays = .allocate(capacity: max(1, children.count))
        for (index, child) in children.enumerated() {
            let array = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
            array.initialize(to: child.array())
            arrays?[index] = array
        }
        return ArrowArray(
            length: Int64(length), null_count: Int64(nullCount), offset: 0, n_buffers: Int64(buffers.count),
            n_children: Int64(children.count), buffers: addresses, children: arrays, dictionary: nil,
            release: { array in
                guard let array, let memory = array.pointee.private_data else { return }
                for index in 0..<Int(array.pointee.n_children) {
                    guard let child = array.pointee.children[index] else { continue }
                    // If a child lacks this function, its reader has moved it away.
                    child.pointee.release?(child)
                    child.deallocate()
                }
                array.pointee.release = nil
                let column = Unmanaged<ArrowColumn>.fromOpaque(memory).takeRetainedValue()
                column.addresses?.deallocate()
                column.arrays?.deallocate()
            },
            private_data: Unmanaged.passRetained(self).toOpaque())
    }

    /// The schema. It owns copies of the names, and does not own the column.
    func schema() -> ArrowSchema {
        let schemas = UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>.allocate(
            capacity: max(1, children.count))
        for (index, child) in children.enumerated() {
            let schema = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            schema.initialize(to: child.schema())
            schemas[index] = schema
        }
        let ownName = UnsafeMutablePointer<CChar>.allocate(capacity: name.count)
        ownName.initialize(from: name, count: name.count)
        return ArrowSchema(
            format: UnsafeRawPointer(layout.format.utf8Start).assumingMemoryBound(to: CChar.self), name: ownName,
            metadata: nil, flags: Int64(ARROW_FLAG_NULLABLE), n_children: Int64(children.count), children: schemas,
            dictionary: nil,
            release: { schema in
                guard let schema else { return }
                for index in 0..<Int(schema.pointee.n_children) {
                    guard let child = schema.pointee.children[index] else { continue }
                    child.pointee.release?(child)
                    child.deallocate()
                }
                schema.pointee.children?.deallocate()
                schema.pointee.name?.deallocate()
                schema.pointee.release = nil
            },
            private_data: nil)
    }
}
