/// Inflates the members of a gzip file, one after another (RFC 1952).
///
/// An archive reads the same whatever inflates it. A damaged one may go on for
/// longer with one than with another: each takes what stands before the place
/// where it notices the fault for text.
protocol Inflater: AnyObject {
    /// Nil where memory ran out.
    init?()

    /// Inflates what it can of `input` into `output`.
    func inflate(_ input: UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> InflationStep

    /// Makes ready for the next member.
    func startMember()
}
