internal import CZlib

/// Inflates with zlib, which is in every build. The object owns zlib's stream, which must not move in memory while it
/// is in use.
package final class ZlibInflater: Inflater {
    private let stream: UnsafeMutablePointer<z_stream>

    package init?() {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard receiptmill_inflate_init_gzip(stream) == Z_OK else {
            stream.deallocate()
            return nil
        }
        self.stream = stream
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    package func inflate(
        _ input: UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> InflationStep {
        stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(clamping: output.count)
        let result = CZlib.inflate(stream, Z_NO_FLUSH)
        let ending: InflationStep.Ending
        switch result {
        case Z_STREAM_END: ending = .endOfMember
        case Z_OK, Z_BUF_ERROR: ending = .open
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) }
            ending = .damaged(reason ?? "zlib error \(result)")
        }
        return InflationStep(
            consumed: input.count - Int(stream.pointee.avail_in),
            produced: output.count - Int(stream.pointee.avail_out), ending: ending)
    }

    package func startMember() {
        inflateReset(stream)
    }
}
