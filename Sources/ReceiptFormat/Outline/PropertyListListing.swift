/// The members of a property list in their order, as far as it can be read.
public struct PropertyListListing: Sendable, Hashable {
    /// The members before the end or the fault, in their order.
    public private(set) var members: [PropertyList.Member] = []
    /// The fault that ended the reading; nil where all was read.
    public private(set) var fault: MalformedReceipt?

    /// Reads as far as it can.
    ///
    /// - Parameter reader: a cursor over a property list and nothing else.
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
