internal import ReceiptFormat

/// Contents that only few signed documents have.
package final class SignedExtras: Sendable, Equatable {
    /// The sale by the Advanced Commerce API; nil for any other sale.
    package let commerce: SignedCommerce?
    /// The members and values that are not in the table of fields.
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

    /// The approximate size of an item or a refund: its arrays of slots with their headers.
    private static let itemSize = 320
    private static let refundSize = 160

    package static func == (one: SignedExtras, other: SignedExtras) -> Bool {
        one.commerce == other.commerce && one.unknown == other.unknown
    }
}

/// A sale by the Advanced Commerce API, as stated by a transaction or renewal info.
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
