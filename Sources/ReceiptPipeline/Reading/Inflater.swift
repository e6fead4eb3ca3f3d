/// Inflates the members of a gzip file, one after another (RFC 1952).
///
/// An archive reads the same whatever inflates it: the same text, damaged or not.
protocol Inflater: AnyObject {
    /// Nil where memory ran out.
    init?()

    /// Inflates what it can of `input` into `output`.
    func inflate(_ input: UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> InflationStep

    /// Makes ready for the next member.
    func startMember()
}
