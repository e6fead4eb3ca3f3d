internal import MillJSON
internal import MillSystem
package import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
package import ReceiptVerification

package enum ListingFormat: String, Sendable, CaseIterable {
    case text, json
}

/// Shows the contents of the receipts and signed strings in files.
package struct InspectRun: Sendable {
    /// The files' paths; "-" is standard input.
    package var inputs: [String]
    package var format = ListingFormat.text
    package var keys = LineKeys()
    package var limits = Limits()

    package init(inputs: [String]) {
        self.inputs = inputs
    }

    /// Writes the contents of every line to `sink`, in order. In JSON, if there is only one line in all files, its
    /// output takes several lines; otherwise each line's output takes one.
    ///
    /// - Throws: the errors of `sink`, and ``MillError`` for an internal error.
    package func run(_ sink: (String) throws -> Void) throws -> LineCounts {
        var counts = LineCounts()
        let reader = try PresentedReceiptReader(keys: keys, limits: limits, keepsCharacters: true)
        let decoder = try MillError.wrapping { () throws(OpenSSLError) in try LineDecoder(keys: keys, limits: limits) }
        counts.failures = try reader.forEach(in: inputs) { presented, isOnly in
            var report = ReportWriter(isText: format == .text, isPretty: isOnly)
            counts.count(
                try MillError.wrapping { () throws(OpenSSLError) in try write(presented, to: &report, decoder) })
            try sink(report.output)
        }
        return counts
    }

    /// Writes all documents of a line.
    ///
    /// - Returns: whether all documents could be read.
    private func write(
        _ line: PresentedReceipt, to report: inout ReportWriter, _ decoder: LineDecoder
    ) throws(OpenSSLError) -> Bool {
        var buffer = line.buffer
        var isReadable = true
        let write = { (report: inout ReportWriter, document: PresentedDocument) throws(OpenSSLError) in
            var inspection = try inspection(of: document, in: &buffer, decoder)
            try inspection?.write(to: &report, &buffer)
            let faults = inspection?.faults ?? document.fault.map { [InspectionFault($0)] } ?? []
            report.values("errors", as: "error", faults)
            isReadable = isReadable && faults.isEmpty
        }
        if format == .text {
            for (index, document) in line.documents.enumerated() {
                report.begin(line.location(ofDocument: index), source: nil, line: nil)
                try write(&report, document)
                report.end()
            }
        } else {
            report.begin(source: line.path, line: line.line)
            if line.documents.count == 1 {
                try write(&report, line.documents[0])
            } else {
                try report.list("documents", line.documents) { (report, document) throws(OpenSSLError) in
                    try write(&report, document)
                }
            }
            report.end()
        }
        return isReadable
    }

    /// The inspection of a document, or of its beginning if only that can be decoded; nil if nothing can.
    private func inspection(
        of document: PresentedDocument, in buffer: inout ByteBuffer, _ decoder: LineDecoder
    ) throws(OpenSSLError) -> (any DocumentInspection)? {
        let decoded = try? document.content.get()
        if let decoded, decoded.signed != nil {
            return try SignedInspection(Array(buffer.bytes[decoded.receipt.indices]), reader: decoder)
        }
        if let characters = document.characters, SignedInspection.isSigned(characters) {
            return try SignedInspection(characters, fault: document.fault, reader: decoder)
        }
        let beginning = decoded == nil ? document.decodedBeginning() : nil
        guard let receipt = decoded?.receipt ?? beginning.map({ buffer.append($0.bytes) }) else { return nil }
        let damage = beginning.map { InspectionFault($0.fault) }
        return buffer.kind(of: receipt) == .appReceipt
            ? ContainerInspection(receipt, damage: damage) : TransactionInspection(receipt, damage: damage)
    }
}

extension ReportWriter {
    /// Writes the kind, size and digest of the receipt at a range.
    mutating func identify(
        _ receipt: ByteRange, of kind: ReceiptKind, in bytes: Span<UInt8>
    ) throws(OpenSSLError) {
        field("kind", kind.rawValue)
        field("bytes", receipt.count)
        field("sha256", try MessageDigest().sha256(bytes, in: receipt.indices).hex)
    }
}
