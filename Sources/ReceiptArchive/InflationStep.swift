/// What one call of an ``Inflater`` did.
package struct InflationStep {
    package let consumed: Int
    package let produced: Int
    package let ending: Ending

    package enum Ending {
        /// More input or more space for output is needed.
        case open
        /// A member ended, its checksum and length right.
        case endOfMember
        /// The input is no deflate stream, or its checksum differs.
        case damaged(String)
    }
}
