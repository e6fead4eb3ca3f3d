internal import Foundation
package import GRDB

/// Tags for finding equal accounts and devices: equal identifiers have equal tags. The probability that two different
/// identifiers have the same tag is at most one in a hundred million.
///
/// A tag is a polynomial over the field of 2⁶¹ − 1 at a secret point that each database has (Carter and Wegman,
/// Universal Classes of Hash Functions, 1979), so a writer of archives can't choose identifiers that share a tag.
package struct IdentifierTags {
    private static let prime: UInt64 = 1 << 61 - 1
    /// The number of an identifier's bytes in one coefficient of the polynomial.
    private static let wordBytes: UInt64 = 7

    private let point: UInt64

    init(seed: Int64) {
        point = UInt64(bitPattern: seed) % (Self.prime - 1) + 1
    }

    /// Tags computed at the secret point of a database.
    package init(_ db: Database) throws {
        self.init(seed: try Int64.fetchOne(db, sql: "SELECT seed FROM tag_seed") ?? 0)
    }

    /// Adds the SQL functions `account_tag_of` and `device_tag_of`, which compute the tags of texts or of their bytes.
    package func addFunctions(to db: Database) {
        db.add(
            function: DatabaseFunction("account_tag_of", argumentCount: 1, pure: true) { values in
                Data.fromDatabaseValue(values[0]).map { tag(ofAccount: $0) }
            })
        db.add(
            function: DatabaseFunction("device_tag_of", argumentCount: 1, pure: true) { values in
                Data.fromDatabaseValue(values[0]).map { tag(ofDevice: $0) }
            })
    }

    /// - Returns: 31 bits.
    package func tag(ofAccount account: some Sequence<UInt8>) -> Int64 {
        tag(of: account, isFolded: false)
    }

    /// The tag of a device, equal for every notation of one UUID or MAC address: identifiers that share a key in the
    /// view `internal_device_submissions` share a tag.
    ///
    /// - Returns: 31 bits.
    package func tag(ofDevice device: some Collection<UInt8>) -> Int64 {
        // SQLite counts as characters all bytes that do not continue another character.
        var characters = 0
        for byte in device where byte & 0xc0 != 0x80 { characters += 1 }
        // An identifier of one of these lengths may be a MAC address or a UUID in base64, where the case of a letter
        // matters.
        let isBase64 = characters == 8 || characters == 22 || characters == 24
        return tag(of: device, isFolded: !isBase64)
    }

    /// - Parameter isFolded: whether separators are skipped and letters lower-cased.
    private func tag(of bytes: some Sequence<UInt8>, isFolded: Bool) -> Int64 {
        // The initial 1 distinguishes words of zeros from an empty text; the count in the last word distinguishes
        // single zeros.
        var sum: UInt64 = 1
        var word: UInt64 = 0
        var count: UInt64 = 0
        for var byte in bytes {
            if isFolded {
                switch byte {
                case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "."): continue
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte |= 0x20
                default: break
                }
            }
            word = word << 8 | UInt64(byte)
            count += 1
            if count == Self.wordBytes {
                sum = times(sum + word)
                (word, count) = (0, 0)
            }
        }
        return Int64(times(sum + (word << 3 | count)) & 0x7fff_ffff)
    }

    /// The product of the secret point and a value below 2⁶², modulo the prime.
    private func times(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: point)
        // 2⁶¹ is congruent to 1, so the upper bits are added to the lower ones.
        let sum = product.low & Self.prime + (product.high << 3 | product.low >> 61)
        let folded = sum & Self.prime + sum >> 61
        return folded >= Self.prime ? folded - Self.prime : folded
    }
}
