internal import CZlib
package import Foundation
internal import MillSystem

/// Bytes in zlib's format, for columns of the database. Keeps its memory from one use to
/// the next.
package struct Deflate {
    private var room: [UInt8] = []

    /// Most of a receipt is certificates, which no level makes much smaller.
    private static let level: Int32 = 1

    /// Lends the compressed bytes to `body`.
    mutating func compress(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) throws(MillError) -> Void
    ) throws(MillError) {
        var count = compressBound(uLong(bytes.count))
        if room.count < Int(count) { room = [UInt8](repeating: 0, count: Int(count)) }
        try room.withUnsafeMutableBufferPointer { (room) throws(MillError) in
            guard compress2(room.baseAddress, &count, bytes.baseAddress, uLong(bytes.count), Self.level) == Z_OK else {
                throw MillError(stage: .loading, what: "zlib: out of memory", exitStatus: .internalFault)
            }
            try body(UnsafeRawBufferPointer(start: room.baseAddress, count: Int(count)))
        }
    }

    /// The bytes that were compressed; nil where `deflated` does not hold `count` bytes.
    package static func inflated(_ deflated: Data, bytes count: Int) -> [UInt8]? {
        // zlib refuses a null pointer, also where there is nothing to write.
        var bytes = [UInt8](repeating: 0, count: max(count, 1))
        var written = uLong(bytes.count)
        let status = bytes.withUnsafeMutableBufferPointer { room in
            deflated.withUnsafeBytes { deflated in
                uncompress(
                    room.baseAddress, &written, deflated.bindMemory(to: UInt8.self).baseAddress, uLong(deflated.count))
            }
        }
        guard status == Z_OK, Int(written) == count else { return nil }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
