/// The members of a property list in the order in which they stand, as far as it
/// can be read.
public struct PropertyListListing: Sendable, Hashable {
    public private(set) var members: [PropertyList.Member] = []
    /// What ends the reading; nil where all was read.
    public private(set) var fault: MalformedReceipt?

    /// - Parameter reader: over a property list and nothing else.
    public init(reading reader: consuming ByteReader) {
        guard reader.remaining <= PropertyList.maximumCount else {
            fault = MalformedReceipt(.propertyList(.tooLarge), at: reader.position)
            return
        }
        do throws(MalformedReceipt) {
            try PropertyList.read(&reader, into: &members)
        } catch {
            fault = error
        }
    }
}
