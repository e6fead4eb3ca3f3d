/// Types of attributes that a receipt holds and Apple does not document, at one
/// level of it.
///
/// Gathering them costs a receipt of a store nothing but a few operations on
/// words: its types take a bit each. Whether a value is empty makes no difference.
public struct UndocumentedTypes: Sendable, Hashable {
    /// Where attributes stand, which decides what their numbers mean.
    public enum Level: Sendable, Hashable {
        /// Beside the purchases, among the receipt's own.
        case app
        /// Within purchases.
        case purchase
    }

    public let level: Level
    /// Types from the level's first on, the lowest bit's.
    public private(set) var bits: UInt64 = 0
    /// Types beyond those, ascending; nil until there is one.
    public private(set) var others: [Int64]?

    /// Types without a bit that are kept, the least of them. Stores write none; of
    /// a hostile receipt they must not fill anything.
    public static let maximumOthers = 64

    /// - Returns: no types.
    public init(_ level: Level) {
        self.level = level
    }

    public var isEmpty: Bool { bits == 0 && others == nil }

    /// All types, ascending.
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

    /// Adds the types of a payload's or a purchase's attributes.
    @inline(__always)
    mutating func formUnion(_ seen: AttributeSet) {
        bits |= seen.bits & ~level.documented
        if let others = seen.others { insertOthers(others) }
    }

    @inline(never)
    private mutating func insertOthers(_ types: Set<Int64>) {
        for type in types { insertOther(type) }
    }

    /// Keeps the least, in whatever order they come.
    private mutating func insertOther(_ type: Int64) {
        var kept = others ?? []
        others = nil
        let place = kept.firstIndex { $0 >= type } ?? kept.count
        if place < Self.maximumOthers, place == kept.count || kept[place] != type {
            if kept.count == Self.maximumOthers { kept.removeLast() }
            kept.insert(type, at: place)
        }
        others = kept
    }
}

extension UndocumentedTypes.Level {
    /// The first of the 64 types that have a bit: all that Apple documents are
    /// among them, and all that were ever seen.
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

    private static let documentedOfApp = bits(from: Self.app.firstType, AttributeName.ofApp)
    private static let documentedOfPurchase = bits(from: Self.purchase.firstType, AttributeName.ofPurchase)

    private static func bits(from first: Int64, _ name: (Int64) -> AttributeName?) -> UInt64 {
        (0..<64 as Range<Int64>).reduce(0) { bits, index in
            name(first + index)?.source == .documented ? bits | 1 << UInt64(index) : bits
        }
    }
}
