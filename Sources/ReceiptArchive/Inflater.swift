/// Inflates the members of a gzip file, one after another (RFC 1952).
///
/// An archive reads the same whatever inflates it. A damaged archive may yield more text with one
/// inflater than with another: each returns the text before the offset where it notices the fault.
/// zlib refuses codes that leave bits without a meaning (RFC 1951, 3.2.7), which no compressor
/// writes; ISA-L reads on where such bits don't occur, and then holds the text to the checksum as
/// ever.
package protocol Inflater: AnyObject {
    /// Allocates the inflater's state; nil if memory ran out.
    init?()

    /// Inflates as much of `input` into `output` as fits.
    func inflate(_ input: UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> InflationStep

    /// Discards the state of the former member, so that the next can begin.
    func startMember()
}
