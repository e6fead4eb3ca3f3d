/// A chunk of either sort with what its lines come to, made where the chunk is minted, so that
/// threads share the work.
protocol Minted: Sendable {
    associatedtype Line: PresentedLine

    var submissions: [Line] { get }
    /// The text of each submission, in the same order.
    var texts: [[UInt8]] { get }
    /// Lines of files of truth, by the name of the file.
    var facts: [(name: String, lines: [UInt8])] { get }
    /// What the store's reports are about; none unless they are written.
    var sales: [OwnSale] { get }

    /// Adds what the chunk counts. No document, purchase or account occurs in two chunks.
    func count(in truth: inout Truth)
}

extension [JSONText] {
    /// Lines of a file of truth.
    var truthLines: [UInt8] { flatMap { $0.sorted.json + [UInt8(ascii: "\n")] } }
}
