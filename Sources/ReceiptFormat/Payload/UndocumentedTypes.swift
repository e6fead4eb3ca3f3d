/// The types of attributes of a receipt, at one level, that Apple does not document; attributes with empty values
/// count, too.
///
/// The types in Apple's receipts take one bit each, so that collecting them costs a few operations on words.
public struct UndocumentedTypes: Sendable, Hashable {
    /// The level of attributes, which decides the meaning of their types.
    public enum Level: Sendable, Hashable {
        /// The receipt's own attributes, without the purchases.
        case app
        /// The attributes of purchases.
        case purchase
    }

    /// The level at which the types occur.
    public let level: Level
    /// The first 64 types of the level; the lowest bit is for the first, which is 0 for an app receipt and 1701 for a
    /// purchase.
    public private(set) var bits: UInt64 = 0
    /// The types that have no bit, in ascending order; nil until there is one.
    public private(set) var others: [Int64]?

    /// The maximum number of types that have no bit; the lowest are kept. Apple writes none, and a hostile receipt
    /// could contain many.
    public static let maximumOthers = 64

    /// An empty set.
    public init(_ level: Level) {
        self.level = level
    }

    /// Whether there are no types.
    public var isEmpty: Bool { bits == 0 && others == nil }

    /// All types, in ascending order.
    public var types: [Int64] {
        let ofBits = (0..<64).filter { bits >> UInt64($0) & 1 == 1 }.map { level.firstType + Int64($0) }
        guard let others else { return ofBits }
        return (ofBits + others).sorted()
    }

    /// Adds a type, unless Apple documents it.
    package mutating func insert(_ type: Int64) {
        let index = type &- level.firstType
        guard UInt64(bitPattern: index) < 64 else { return insertOther(type) }
        bits |= (1 << UInt64(index)) & ~level.documented
    }

    /// Adds the types of a payload's or a purchase's attributes, except those that Apple documents.
    @inline(__always)
    mutating func formUnion(_ seen: AttributeSet) {
        bits |= seen.bits & ~level.documented
        if let others = seen.others { insertOthers(others) }
    }

    @inline(never)
    private mutating func insertOthers(_ types: Set<Int64>) {
        for type in types { insertOther(type) }
    }

    /// Adds a type that has no bit. If there are too many, the lowest are kept, so that the set doesn't depend on the
    /// order in which types are added.
    private mutating func insertOther(_ type: Int64) {
        var kept = others ?? []
        others = nil
        let index = kept.firstIndex { $0 >= type } ?? kept.count
        if index < Self.maximumOthers, index == kept.count || kept[index] != type {
            if kept.count == Self.maximumOthers { kept.removeLast() }
            kept.insert(type, at: index)
        }
        others = kept
    }
}

extension UndocumentedTypes.Level {
    /// The first of the 64 types with a bit. They include all types that Apple documents and all that are known from
    /// receipts.
    var firstType: Int64 {
        switch self {
        case .app: AppAttribute.environment
        case .purchase: PurchaseAttribute.quantity
        }
    }

    /// The bits of types that Apple documents.
    var documented: UInt64 {
        switch self {
        case .app: Self.documentedOfApp
        case .purchase: Self.documentedOfPurchase
        }
    }

    private static let documentedOfApp = bits(of: .app)
    private static let documentedOfPurchase = bits(of: .purchase)

    private static func bits(of level: Self) -> UInt64 {
        (0..<64 as Range<Int64>).reduce(0) { bits, index in
            let isDocumented = AttributeField.of(level.firstType + index, at: level)?.source == .documented
            return isDocumented ? bits | 1 << UInt64(index) : bits
        }
    }
}
