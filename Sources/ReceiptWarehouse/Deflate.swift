internal import CZlib
package import Foundation
internal import MillSystem

/// Compresses columns of the database in zlib's format. The value reuses its buffer.
package struct Deflate {
    private var buffer: [UInt8] = []

    /// The level of compression: most bytes of a receipt are certificates, which no level makes much smaller.
    private static let level: Int32 = 1

    /// Compresses bytes, and passes the result to `body`.
    mutating func compress(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) throws(MillError) -> Void
    ) throws(MillError) {
        var count = compressBound(uLong(bytes.count))
        if buffer.count < Int(count) { buffer = [UInt8](repeating: 0, count: Int(count)) }
        try buffer.withUnsafeMutableBufferPointer { (buffer) throws(MillError) in
            guard compress2(buffer.baseAddress, &count, bytes.baseAddress, uLong(bytes.count), Self.level) == Z_OK
            else {
                throw MillError(stage: .loading, what: "zlib: out of memory", exitStatus: .internalFault)
            }
            try body(UnsafeRawBufferPointer(start: buffer.baseAddress, count: Int(count)))
        }
    }

    /// The original bytes; nil if `deflated` does not inflate to `count` bytes.
    package static func inflated(_ deflated: Data, bytes count: Int) -> [UInt8]? {
        // zlib refuses a null pointer even for an empty result.
        var bytes = [UInt8](repeating: 0, count: max(count, 1))
        var written = uLong(bytes.count)
        let status = bytes.withUnsafeMutableBufferPointer { buffer in
            deflated.withUnsafeBytes { deflated in
                uncompress(
                    buffer.baseAddress, &written, deflated.bindMemory(to: UInt8.self).baseAddress, uLong(deflated.count)
                )
            }
        }
        guard status == Z_OK, Int(written) == count else { return nil }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
