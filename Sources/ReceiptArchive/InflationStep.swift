/// The result of one call of an ``Inflater``.
package struct InflationStep {
    package let consumed: Int
    package let produced: Int
    package let ending: Ending

    package enum Ending {
        /// The inflater needs more input or more space for output.
        case open
        /// A member ended; its checksum and length are correct.
        case endOfMember
        /// The input is not a deflate stream, or its checksum differs.
        case damaged(String)
    }
}
