/// What one call of an ``Inflater`` did.
struct InflationStep {
    let consumed: Int
    let produced: Int
    let ending: Ending

    enum Ending {
        /// More input or more room is needed.
        case open
        /// A member ended, its checksum and length right.
        case endOfMember
        /// The input is no deflate stream, or its checksum differs.
        case damaged(String)
    }
}
