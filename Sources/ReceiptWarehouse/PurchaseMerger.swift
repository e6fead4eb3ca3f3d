internal import GRDB
internal import MillSystem

/// Merges purchases, and decides when they are written.
///
/// With several workers, a window's purchases are written in parts while the next lines are loaded. Otherwise the other
/// workers would wait while the commit writes all of them.
struct PurchaseMerger {
    var purchases: Purchases
    var terms: PurchaseTerms
    private let windowSize: Int
    /// The number of lines whose purchases are merged but are not among those being written.
    private var mergedLines = 0
    /// The number of purchases that are written for each loaded line while unwritten parts remain.
    private var partSize = 0

    init(_ db: Database, windowSize: Int) throws(MillError) {
        purchases = try Purchases(db)
        terms = try PurchaseTerms(db)
        self.windowSize = windowSize
    }

    var isFull: Bool { purchases.isFull || terms.isFull }

    /// Begins or continues writing purchases after lines were loaded.
    ///
    /// Purchases are written at a rate of four lines for each loaded line. Writing begins early enough to end with the
    /// window, or with the last line.
    ///
    /// - Parameters:
    ///   - linesAhead: the approximate number of lines that follow.
    ///   - isShared: whether other workers wait for the loader.
    /// - Returns: the number of new purchases; nil if none was written.
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

    /// Writes all merged purchases and terms.
    ///
    /// - Returns: the number of new purchases of trusted receipts.
    mutating func writeAll() throws(MillError) -> Int {
        mergedLines = 0
        try terms.write()
        return try purchases.write()
    }
}
