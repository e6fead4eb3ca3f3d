/// Bounds on what one line may hold, so that none can exhaust the machine.
package struct Limits: Sendable, Hashable {
    /// Bytes of a line. The largest receipts seen, with hundreds of purchases,
    /// make lines of some 200 kB; twenty thousand purchases make 12 MB.
    package var lineBytes = 16 << 20
    /// Bytes of a receipt, decoded. Twenty thousand purchases take 9 MB.
    package var receiptBytes = 10 << 20
    /// How many times larger than the file its text may be. Lines of receipts
    /// compress to a fifth, the same line over and over to a hundredth; beyond
    /// lie runs of one character, made to exhaust the reader.
    package var inflation = 500
    /// Documents of an archive that may be rejected while they are more than those that are loaded, a
    /// line without any counting as one; at the next one its loading ends. A few bytes of gzip hold
    /// millions of empty lines, each a row, or of lines that hold a thousand documents each.
    package var rejections = 100_000

    package init() {}
}
