internal import MillJSON
internal import ReceiptFormat
internal import ReceiptVerification

/// Sets of attribute types as JSON text, remembered.
struct TypeLists {
    private var ofApp = RecentValues<UInt64, [UInt8]>()
    private var ofPurchases = RecentValues<UInt64, [UInt8]>()

    /// Writes nothing of an empty set.
    mutating func write(_ name: some DecodedKey, _ set: UndocumentedTypes, to json: inout JSONWriter) {
        guard !set.isEmpty else { return }
        json.key(name.name)
        guard set.others == nil else { return json.written(Self.text(set)) }
        switch set.level {
        case .app: json.written(ofApp.value(for: set.bits) { Self.text(set) })
        case .purchase: json.written(ofPurchases.value(for: set.bits) { Self.text(set) })
        }
    }

    private static func text(_ set: UndocumentedTypes) -> [UInt8] { Array("[\(set.list)]".utf8) }
}

/// Sets of attribute types read back from JSON, remembered by their text.
struct KnownTypeLists {
    private var entries: [(text: [UInt8], set: UndocumentedTypes)] = []

    /// Texts that are remembered, and bytes of one.
    private static let capacity = 64
    private static let longestText = 512

    mutating func read(
        _ level: UndocumentedTypes.Level, _ cursor: inout JSONCursor
    ) throws(InvalidJSON) -> UndocumentedTypes {
        // A bracket ends the text, so that a match at the beginning is one of the whole.
        for entry in entries where entry.set.level == level && cursor.skip(entry.text) { return entry.set }
        let start = cursor.position
        var set = UndocumentedTypes(level)
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            guard let type = try cursor.readInteger() else { throw cursor.failure("an attribute's type is missing") }
            set.insert(type)
        }
        let whole = start..<cursor.position
        if whole.count <= Self.longestText {
            if entries.count == Self.capacity { entries.removeFirst() }
            entries.append((cursor.bytes.extracting(whole).withUnsafeBufferPointer { Array($0) }, set))
        }
        return set
    }
}
