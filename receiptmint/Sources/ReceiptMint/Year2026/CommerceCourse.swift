/// What becomes of a sale by the Advanced Commerce API.
enum CommerceCourse: CaseIterable, Sendable {
    case settled
    /// A part of an item's price is given back, and the customer keeps the item.
    case partlyRefunded
    /// An item is given back.
    case itemRevoked
    /// An ordinary subscription comes first, and is migrated.
    case migrated
    /// Something bought once, of which an item is refunded.
    case chargedOnce
    /// Items are exchanged, and some money is given back for one.
    case itemsModified
    /// All items are given back.
    case allRevoked
}
