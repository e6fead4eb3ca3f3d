internal import ReceiptFormat

/// The contents of a signed document that few documents have.
package final class SignedExtras: Sendable, Equatable {
    /// The sale by the Advanced Commerce API; nil for another sale.
    package let commerce: SignedCommerce?
    /// The members and values that the table of fields does not know.
    package let unknown: UnknownMembers

    package init(commerce: SignedCommerce?, unknown: UnknownMembers) {
        (self.commerce, self.unknown) = (commerce, unknown)
    }

    /// The unknown members; nil if there are none.
    package var unknownMembers: UnknownMembers? { unknown.isEmpty ? nil : unknown }

    /// The approximate size in memory in bytes.
    package var size: Int {
        let items = commerce?.items ?? []
        let refunds = items.reduce(0) { $0 + $1.refunds.count }
        return MemoryLayout<SignedExtras>.size + items.count * Self.itemSize + refunds * Self.refundSize
    }

    /// The arrays of slots of an item, and of a refund, with their headers.
    private static let itemSize = 320
    private static let refundSize = 160

    package static func == (one: SignedExtras, other: SignedExtras) -> Bool {
        one.commerce == other.commerce && one.unknown == other.unknown
    }
}

/// A sale by the Advanced Commerce API, as a transaction or renewal info states the sale.
package struct SignedCommerce: Sendable, Equatable {
    package var values = SlotValues(of: .commerce)
    package var items: [Item] = []

    package init() {}

    package struct Item: Sendable, Equatable {
        package var values = SlotValues(of: .item)
        package var refunds: [SlotValues] = []

        package init() {}

        mutating func withLastRefund(_ body: (inout SlotValues) -> Void) {
            guard let last = refunds.indices.last else { return }
            body(&refunds[last])
        }
    }

    mutating func mapTexts<Failure>(_ map: (ByteRange) throws(Failure) -> ByteRange) throws(Failure) {
        try values.mapTexts(map)
        for item in items.indices {
            try items[item].values.mapTexts(map)
            for refund in items[item].refunds.indices { try items[item].refunds[refund].mapTexts(map) }
        }
    }
}
