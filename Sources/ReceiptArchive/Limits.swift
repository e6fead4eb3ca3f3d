/// Limits on the content of lines and archives, so that no input can exhaust the machine.
package struct Limits: Sendable, Hashable {
    /// The maximum size of a line in bytes. The largest receipts seen, with hundreds of purchases,
    /// make lines of some 200 kB; twenty thousand purchases make 12 MB.
    package var lineBytes = 16 << 20
    /// The maximum size of a decoded receipt in bytes. Twenty thousand purchases take 9 MB.
    package var receiptBytes = 10 << 20
    /// The maximum ratio of an archive's text to its file. Lines of receipts compress to a fifth,
    /// the same line over and over to a hundredth; only runs of one character, made to exhaust the
    /// reader, lie beyond.
    package var inflation = 500
    /// The number of an archive's documents that may be rejected while more are rejected than
    /// loaded, where a line without any document counts as one; at the next one the archive's
    /// loading ends. A few bytes of gzip hold millions of empty lines, each a row, or of lines that
    /// hold a thousand documents each.
    package var rejections = 100_000

    package init() {}
}
