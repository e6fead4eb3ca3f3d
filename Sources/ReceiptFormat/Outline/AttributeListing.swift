/// Every attribute of a payload or of a purchase, known or not, in the order in
/// which they stand.
///
/// Reads on past an attribute that is malformed, and to where the bytes end, but
/// no more attributes than a receipt may hold, and no more faults than say
/// something: a hostile one could hold millions of either.
public struct AttributeListing: Sendable, Hashable {
    public private(set) var attributes: [Attribute] = []
    /// What could not be read, in order.
    public private(set) var faults: [MalformedReceipt] = []
    /// What is listed; a purchase is one attribute here.
    public static let maximumCount = AppReceipt.maximumAttributes + AppReceipt.maximumPurchases
    public static let maximumFaults = 100

    /// - Parameter reader: over a SET of attributes.
    public init(reading reader: consuming ByteReader) {
        let start = reader.position
        guard let set = reader.readClippedElement() else {
            faults.append(MalformedReceipt(.truncated, at: start))
            return
        }
        guard set.tag == Tag.set else {
            faults.append(MalformedReceipt(.unexpectedTag(expected: Tag.set, found: set.tag), at: start))
            return
        }
        var members = reader.reader(in: set.content)
        while !members.isAtEnd {
            let before = members.position
            guard attributes.count < Self.maximumCount else {
                faults.append(MalformedReceipt(.tooManyAttributes, at: before))
                return
            }
            do throws(MalformedReceipt) {
                attributes.append(try members.readAttribute())
            } catch {
                // A member that could not be passed hides all that follow it.
                faults.append(error)
                if faults.count == Self.maximumFaults { return }
                if members.position == before || members.isInside(before) { break }
            }
        }
        if !reader.isAtEnd { faults.append(MalformedReceipt(.trailingBytes, at: reader.position)) }
    }
}

extension ByteReader {
    /// Whether reading the element at `start` failed before its end was known.
    fileprivate func isInside(_ start: Int) -> Bool {
        var again = reader(in: ByteRange(offset: start, count: end - start))
        guard let element = try? again.readElement() else { return true }
        return element.whole.end != position
    }
}
