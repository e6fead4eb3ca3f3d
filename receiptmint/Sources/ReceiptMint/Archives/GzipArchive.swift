internal import CZlib
internal import Foundation

/// Writes lines into a gzip file (RFC 1952) of one member or many.
///
/// zlib leaves the header's time and name empty, so the bytes depend on the
/// lines, the level and zlib's version alone.
final class GzipArchive {
    let name: String
    private(set) var lines = 0
    private let file: NewFile
    private let linesPerMember: Int
    private let level: Int32
    /// zlib keeps the stream's address, so it lives on the heap and stays there.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isOpen = false
    private var linesOfMember = 0
    private var output = [UInt8](repeating: 0, count: 1 << 16)

    init(folder: URL, name: String, linesPerMember: Int, level: Int32) throws {
        (self.name, self.linesPerMember, self.level) = (name, linesPerMember, level)
        file = try NewFile(folder, name)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { deflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
        try? file.close()
    }

    /// Appends lines, each of which gets its newline.
    func append(_ batch: [[UInt8]]) throws {
        var pending: [UInt8] = []
        for line in batch {
            pending += line
            pending.append(UInt8(ascii: "\n"))
            lines += 1
            linesOfMember += 1
            if linesOfMember == linesPerMember {
                try compress(pending, flush: Z_FINISH)
                pending.removeAll(keepingCapacity: true)
            }
        }
        if !pending.isEmpty { try compress(pending, flush: Z_NO_FLUSH) }
    }

    /// Ends the last member and closes the file. An archive without lines still is a gzip file.
    func finish() throws {
        if isOpen || lines == 0 { try compress([], flush: Z_FINISH) }
        try file.close()
    }

    private func compress(_ bytes: [UInt8], flush: Int32) throws {
        if !isOpen {
            try MintError.check("deflateInit2", receiptmill_deflate_init_gzip(stream, level) == Z_OK)
            isOpen = true
        }
        try bytes.withUnsafeBufferPointer { input in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = uInt(input.count)
            repeat {
                let written = try output.withUnsafeMutableBufferPointer { buffer in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = uInt(buffer.count)
                    try MintError.check("deflate", deflate(stream, flush) != Z_STREAM_ERROR)
                    return buffer.count - Int(stream.pointee.avail_out)
                }
                try file.write(Array(output[..<written]))
            } while stream.pointee.avail_out == 0
        }
        if flush == Z_FINISH {
            deflateEnd(stream)
            isOpen = false
            linesOfMember = 0
        }
    }
}
