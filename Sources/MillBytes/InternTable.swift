/// A cache of the numbers of repeated texts, so that the database is queried once for each.
///
/// A look-up allocates nothing. The size is limited: a full table is cleared, which costs one database look-up for each
/// text that occurs again.
@usableFromInline package struct InternTable {
    @usableFromInline struct InternedText {
        @usableFromInline let hash: Int
        @usableFromInline let text: ByteRange
        @usableFromInline let number: Int64
    }

    @usableFromInline var entries: [InternedText] = []
    /// The cached texts, one after another.
    @usableFromInline var bytes: [UInt8] = []
    @usableFromInline var slots = SlotTable()
    /// The seed makes hashes differ from run to run, so that no input can choose texts that
    /// collide.
    @usableFromInline let seed = UInt64.random(in: .min ... .max)

    package init() {}

    /// The maximum number of cached texts, and of their bytes. Real archives contain some thousands of texts; a flood
    /// of invented ones must not fill the memory.
    private static let capacity = 1 << 16
    private static let byteCapacity = 4 << 20
    /// The maximum size in bytes of a cached text; Apple's are far shorter.
    private static let longestText = 1 << 10

    /// The number of `text`, from the cache or else from `find`.
    @inlinable package mutating func number<Failure>(
        of text: UnsafeBufferPointer<UInt8>, orElse find: () throws(Failure) -> Int64
    ) throws(Failure) -> Int64 {
        let hash = hash(of: text)
        let found = slots.index(hash) { entries[$0].hash == hash && isEqual(entries[$0].text, text) }
        if let found { return entries[found].number }
        let number = try find()
        remember(text, hash, number)
        return number
    }

    /// Folds the text's words into one by multiplication. Texts are short, and setting up the standard library's hasher
    /// takes longer than the whole fold.
    @inlinable func hash(of text: UnsafeBufferPointer<UInt8>) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        var hash = seed ^ UInt64(text.count)
        var offset = 0
        while offset < bytes.count {
            var word: UInt64 = 0
            if offset + 8 <= bytes.count {
                word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            } else {
                for rest in offset..<bytes.count { word = word << 8 | UInt64(bytes[rest]) }
            }
            let product = (hash ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15 ^ seed << 1)
            hash = product.high ^ product.low
            offset += 8
        }
        return Int(truncatingIfNeeded: hash)
    }

    @inlinable func isEqual(_ remembered: ByteRange, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        ByteSearch.isEqual(bytes.span.extracting(remembered.indices), text.span)
    }

    @usableFromInline mutating func remember(_ text: UnsafeBufferPointer<UInt8>, _ hash: Int, _ number: Int64) {
        guard text.count <= Self.longestText else { return }
        if entries.count >= Self.capacity || bytes.count + text.count > Self.byteCapacity {
            self = InternTable()
        }
        entries.append(
            InternedText(hash: hash, text: ByteRange(offset: bytes.count, count: text.count), number: number))
        bytes.append(contentsOf: text)
        slots.insert(entries.count - 1, hash) { entries[$0].hash }
    }
}
