internal import ReceiptVerification

/// An archive as it is being loaded.
package struct LoadingArchive {
    package let id: Int64
    /// Lines processed before the batch at hand.
    package var lines: Int64
    package var loadedLines: Int64
    /// Documents that can't be read, and those that are submissions: of lines of earlier runs one each.
    package var rejectedDocuments: Int64
    package var loadedDocuments: Int64

    init(id: Int64, lines: Int64, loadedLines: Int64) {
        (self.id, self.lines, self.loadedLines) = (id, lines, loadedLines)
        (rejectedDocuments, loadedDocuments) = (lines - loadedLines, loadedLines)
    }

    /// The identifier of a line, in the order of loading.
    ///
    /// - Parameter index: of the line in the batch at hand, from 0.
    func lineID(index: Int) -> Int64 { LineNumber.id(archive: id, line: lines + Int64(index) + 1) }
}
