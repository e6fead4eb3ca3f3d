internal import GRDB
internal import MillSystem

/// Merges purchases, and decides when they are written.
///
/// With several workers, a window's purchases are written part by part while the next lines
/// are loaded: else the other workers would wait while the commit writes them all.
struct PurchaseMerger {
    var purchases: Purchases
    var terms: PurchaseTerms
    private let windowSize: Int
    /// Lines whose purchases are merged and not being written yet.
    private var mergedLines = 0
    /// Purchases to be written for each line that is loaded, while some are unwritten.
    private var partSize = 0

    init(_ db: Database, windowSize: Int) throws(MillError) {
        purchases = try Purchases(db)
        terms = try PurchaseTerms(db)
        self.windowSize = windowSize
    }

    var isFull: Bool { purchases.isFull || terms.isFull }

    /// Begins or goes on to write purchases after lines were loaded.
    ///
    /// The purchases of four lines are written for each line that is loaded. Writing begins early enough to end with
    /// the window, or with the lines.
    ///
    /// - Parameters:
    ///   - linesAhead: about how many lines are still to come.
    ///   - isShared: whether other workers wait for the loader.
    /// - Returns: how many purchases are new; nil where none was written.
    mutating func advance(_ lines: Int, linesAhead: Int, isShared: Bool) throws(MillError) -> Int? {
        mergedLines += lines
        if purchases.unwritten > 0 { return try purchases.writePart(partSize * lines) }
        if isShared, mergedLines >= max(min(windowSize / 5, linesAhead) * 4, windowSize / 16) {
            purchases.beginWriting()
            partSize = 4 * purchases.unwritten / max(mergedLines, 1) + 1
            mergedLines = 0
        }
        return nil
    }

    /// Writes all that was merged.
    ///
    /// - Returns: how many purchases of trusted receipts are new.
    mutating func writeAll() throws(MillError) -> Int {
        mergedLines = 0
        try terms.write()
        return try purchases.write()
    }
}
