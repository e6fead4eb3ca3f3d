package import ReceiptArchive
internal import ReceiptVerification

/// The progress of an archive that is being loaded.
package struct LoadingArchive {
    package let id: Int64
    /// The number of lines processed before the current batch.
    package var lines: Int64
    package var loadedLines: Int64
    /// The number of lines about purchases of other stores, and of headers of tables. Their rejections are dismissed
    /// from the start.
    var otherStoreLines: Int64
    var headerLines: Int64
    /// The numbers of rejected documents, and of documents that are submissions. Each line that earlier runs have
    /// processed counts as one document.
    package var rejectedDocuments: Int64
    package var loadedDocuments: Int64
    /// The text of the processed lines; nil if unknown.
    package var text: ArchiveText?
    /// For a damaged archive, the number of lines before the damage; nil if all lines are sound.
    package var soundLines: Int64?

    init(
        id: Int64, lines: Int64, loadedLines: Int64, otherStoreLines: Int64, headerLines: Int64, text: ArchiveText?,
        soundLines: Int64?
    ) {
        (self.id, self.lines, self.loadedLines) = (id, lines, loadedLines)
        (self.otherStoreLines, self.headerLines) = (otherStoreLines, headerLines)
        (self.text, self.soundLines) = (text, soundLines)
        (rejectedDocuments, loadedDocuments) = (lines - loadedLines - otherStoreLines - headerLines, loadedLines)
    }

    /// The identifier of a line in the current batch.
    ///
    /// - Parameter index: the line's index in the batch, from 0.
    func lineID(index: Int) -> Int64 { LineNumber.id(archive: id, line: lines + Int64(index) + 1) }
}
