internal import ReceiptVerification

/// An archive as it is being loaded.
package struct LoadingArchive {
    package let id: Int64
    /// Lines processed before the batch at hand.
    package var lines: Int64
    package var loadedLines: Int64

    /// The identifier of a line, in the order of loading.
    ///
    /// - Parameter index: of the line in the batch at hand, from 0.
    func lineID(index: Int) -> Int64 { LineNumber.id(archive: id, line: lines + Int64(index) + 1) }
}
