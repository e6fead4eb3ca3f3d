internal import MillJSON
package import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
package import ReceiptVerification
internal import SignedDataFormat

/// Decoded lines as text.
package struct AnsweredLines: Sendable {
    package let text: [UInt8]
    /// The number of lines.
    package let count: Int
    /// Offset of the last line.
    package let lastLine: Int

    /// Marks a line that was written as the last of its archive.
    ///
    /// - Parameter line: a whole line with its newline.
    package static func markLast(_ line: inout [UInt8]) {
        line.removeLast(2)
        line.append(contentsOf: #","last":true}"#.utf8)
        line.append(UInt8(ascii: "\n"))
    }
}

/// Writes verified lines as docs/decode-format.md says. Every worker has a writer of its own.
package struct DecodedLineWriter: ~Copyable {
    private let form: DocumentForm
    private var memory: WriterMemory? = WriterMemory()
    private var json: JSONWriter? = JSONWriter()

    /// Bytes of memory that are used again for the next batch; what one huge line made larger is freed.
    private static let greatestCapacity = 4 << 20

    /// - Parameters:
    ///   - apps: apps that are expected; none expects any.
    ///   - pseudonymKey: fingerprint of the key that devices and accounts are named by.
    ///   - keepsReceipts: whether lines hold their receipts.
    package init(apps: [AppSetting], pseudonymKey: [UInt8]?, keepsReceipts: Bool) {
        form = DocumentForm(
            bundles: apps.map { Array($0.bundleID.utf8) }, pseudonymKey: pseudonymKey, keepsReceipts: keepsReceipts)
    }

    /// Writes a batch whose every document was verified: a line for each of its
    /// lines, in order.
    ///
    /// - Parameters:
    ///   - archive: the archive that the lines say they are of; nil of a stream.
    ///   - firstLine: the batch's first line in it.
    package mutating func write(
        _ batch: VerifiedBatch, of archive: ArchiveID?, atLine firstLine: Int64
    ) -> AnsweredLines {
        var writer = MemberWriter(
            batch, of: archive, into: json.take() ?? JSONWriter(), memory.take() ?? WriterMemory())
        var documents = BatchDocuments(batch, form)
        var lastLine = 0
        for line in 0..<batch.lineCount {
            lastLine = writer.json.count
            var decoded = DecodedLine()
            decoded.schema = DecodedLine.schema
            decoded.archive = archive
            decoded.number = archive == nil ? nil : firstLine + Int64(line)
            documents.fill(&decoded, line: line)
            writer.write(&decoded)
            writer.json.endLine()
        }
        memory = writer.memory
        let text = writer.json.bytes
        if writer.json.capacity <= Self.greatestCapacity {
            writer.json.removeAll()
            json = consume writer.json
        }
        return AnsweredLines(text: text, count: batch.lineCount, lastLine: lastLine)
    }
}
