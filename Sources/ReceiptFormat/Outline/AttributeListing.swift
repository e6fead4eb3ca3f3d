/// All attributes of a payload or of a purchase, known or not, in their order.
///
/// Reading goes on past a malformed attribute, and to where the bytes end. It
/// stops at ``maximumCount`` attributes and at ``maximumFaults`` faults, because
/// a hostile receipt could hold millions of either.
public struct AttributeListing: Sendable, Hashable {
    /// The attributes that could be read, in their order.
    public private(set) var attributes: [Attribute] = []
    /// What could not be read, in order.
    public private(set) var faults: [MalformedReceipt] = []
    /// The number of attributes that are listed; a purchase counts as one.
    public static let maximumCount = AppReceipt.maximumAttributes + AppReceipt.maximumPurchases
    /// The number of faults that are listed.
    public static let maximumFaults = 100

    /// Reads as far as it can.
    ///
    /// - Parameter reader: a cursor over a SET of attributes.
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
                // Where an attribute's end is not known, none after it can be found.
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
