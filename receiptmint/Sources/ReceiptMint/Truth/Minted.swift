/// A chunk of either sort with what its lines come to, made where the chunk is minted, so that
/// threads share the work.
protocol Minted: Sendable {
    var texts: [[UInt8]] { get }
    /// Lines of files of truth, by the name of the file.
    var lines: [(name: String, lines: [UInt8])] { get }
    /// What the store's reports are about; none unless they are written.
    var sales: [OwnSale] { get }

    /// What holds of a line, by its index in the chunk.
    func line(_ index: Int, archive: String, line: Int) -> LineTruth
    /// Adds what the chunk counts. No document, purchase or account occurs in two chunks.
    func count(in truth: inout Truth)
}
