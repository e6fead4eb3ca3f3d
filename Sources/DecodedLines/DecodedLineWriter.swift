internal import MillJSON
package import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
package import ReceiptVerification
internal import SignedDataFormat

/// The text of decoded lines.
package struct AnsweredLines: Sendable {
    package let text: [UInt8]
    package let count: Int
    /// The offset of the last line in the text.
    package let lastLine: Int

    /// Marks a written line as its archive's last.
    ///
    /// - Parameter line: a whole line with its newline.
    package static func markLast(_ line: inout [UInt8]) {
        line.removeLast(2)
        line.append(contentsOf: #","last":true}"#.utf8)
        line.append(UInt8(ascii: "\n"))
    }
}

/// Writes verified lines in the format of docs/decode-format.md. Every worker has its own writer.
package struct DecodedLineWriter: ~Copyable {
    private let form: DocumentForm
    private var memory: WriterMemory? = WriterMemory()
    private var json: JSONWriter? = JSONWriter()

    /// The maximum size of the buffer that is kept for the next batch; a larger one, which a huge line needed, is
    /// freed.
    private static let maximumCapacity = 4 << 20

    /// - Parameters:
    ///   - apps: the expected apps; empty if any app is expected.
    ///   - pseudonymKey: the fingerprint of the pseudonym key for devices and accounts; nil if there is none.
    ///   - keepsReceipts: whether lines contain their complete receipts.
    package init(apps: [AppSetting], pseudonymKey: [UInt8]?, keepsReceipts: Bool) {
        form = DocumentForm(
            bundles: apps.map { Array($0.bundleID.utf8) },
            pseudonymKey: pseudonymKey.map { key in
                guard let digest = SHA256Digest(bytes: key) else { preconditionFailure("a fingerprint has 32 bytes") }
                return digest
            }, keepsReceipts: keepsReceipts)
    }

    /// Writes a batch whose documents were all verified: one decoded line for each line, in order.
    ///
    /// - Parameters:
    ///   - archive: the archive that the decoded lines name; nil for a stream.
    ///   - firstLine: number of the batch's first line in the archive.
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
        if writer.json.capacity <= Self.maximumCapacity {
            writer.json.removeAll()
            json = consume writer.json
        }
        return AnsweredLines(text: text, count: batch.lineCount, lastLine: lastLine)
    }
}
