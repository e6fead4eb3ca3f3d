/// Limits for lines and archives, so that no input can exhaust the machine.
package struct Limits: Sendable, Hashable {
    /// The maximum size of a line in bytes. The largest known receipts, with hundreds of purchases, take lines of some
    /// 200 kB; twenty thousand purchases take 12 MB.
    package var lineBytes = 16 << 20
    /// The maximum size of a decoded receipt in bytes. Twenty thousand purchases take 9 MB.
    package var receiptBytes = 10 << 20
    /// The maximum ratio of the sizes of an archive's text and its file. Lines of receipts compress to a fifth, and
    /// repetitions of one line to a hundredth. Only runs of a single character, made to exhaust the reader, exceed the
    /// limit.
    package var inflation = 500
    /// The maximum number of an archive's rejected documents, as long as more are rejected than loaded; at the next
    /// rejection, loading the archive ends. A line without any document counts as one. Without the limit, a few bytes
    /// of gzip could cause millions of rows, by empty lines or by lines of a thousand documents each.
    package var rejections = 100_000

    package init() {}
}
