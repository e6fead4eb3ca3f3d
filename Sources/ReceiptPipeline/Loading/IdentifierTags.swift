internal import GRDB

/// Numbers that stand for accounts and devices where equal ones are looked for:
/// the same for the same identifier, and for two that differ at most once in a
/// hundred million pairs.
///
/// A polynomial over the field of 2⁶¹ − 1 at a point that the database keeps to
/// itself (Carter and Wegman, Universal Classes of Hash Functions, 1979): nobody
/// can choose identifiers that share a number.
struct IdentifierTags {
    private static let prime: UInt64 = 1 << 61 - 1
    /// Bytes of an identifier that make one coefficient.
    private static let wordBytes = 7

    private let point: UInt64

    init(seed: Int64) {
        point = UInt64(bitPattern: seed) % (Self.prime - 1) + 1
    }

    /// The database's own.
    init(_ db: Database) throws {
        self.init(seed: try Int64.fetchOne(db, sql: "SELECT seed FROM tag_seed") ?? 0)
    }

    /// - Returns: 31 bits.
    func tag(of identifier: some Collection<UInt8>) -> Int64 {
        // The length comes first, so that zeros at the end count.
        var sum = UInt64(identifier.count)
        var word: UInt64 = 0
        var count = 0
        for byte in identifier {
            word = word << 8 | UInt64(byte)
            count += 1
            if count == Self.wordBytes {
                sum = times(sum + word)
                (word, count) = (0, 0)
            }
        }
        return Int64(times(sum + word) & 0x7fff_ffff)
    }

    /// `value`, which is below 2⁶², times the point, modulo the prime.
    private func times(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: point)
        // 2⁶¹ is 1: what stands above is added to what stands below.
        let sum = product.low & Self.prime + (product.high << 3 | product.low >> 61)
        let folded = sum & Self.prime + sum >> 61
        return folded >= Self.prime ? folded - Self.prime : folded
    }
}
