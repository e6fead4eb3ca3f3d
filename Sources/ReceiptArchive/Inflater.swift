/// Inflates the members of a gzip file, one after another (RFC 1952).
///
/// An archive gives the same text with every inflater. A damaged archive may give more text with one inflater than with
/// another, because each returns the text before the offset at which it notices the fault. zlib refuses codes that
/// leave some bit patterns undefined (RFC 1951, 3.2.7), which no compressor writes. ISA-L continues unless such a
/// pattern occurs, and still checks the text's checksum.
package protocol Inflater: AnyObject {
    /// Allocates the inflater's state; nil if memory ran out.
    init?()

    /// Inflates as much of `input` as fits into `output`.
    func inflate(_ input: UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> InflationStep

    /// Discards the state of the former member, so that the next can begin.
    func startMember()
}
