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
            var buffer = presented.buffer
            var isReadable = true
            try MillError.wrapping { () throws(OpenSSLError) in
                try report.documents(of: presented, source: presented.path, number: presented.line) {
                    (report, index) throws(OpenSSLError) in
                    let faults = try write(presented.documents[index], to: &report, &buffer, decoder)
                    report.values("errors", as: "error", faults)
                    isReadable = isReadable && faults.isEmpty
                }
            }
            counts.count(isReadable)
            try sink(report.output)
        }
        return counts
    }

    /// Writes the contents of a document, or of its beginning if only that can be decoded; nothing if nothing can.
    ///
    /// - Parameter buffer: the line's buffer. Chunked content and base64 are decoded at its end.
    /// - Returns: the document's faults. If loading would reject the document, the reason comes first.
    private func write(
        _ document: PresentedDocument, to report: inout ReportWriter, _ buffer: inout ByteBuffer, _ decoder: LineDecoder
    ) throws(OpenSSLError) -> [InspectionFault] {
        let decoded = try? document.content.get()
        let signed = decoded.flatMap { $0.signed == nil ? nil : Array(buffer.bytes[$0.receipt.indices]) }
        if let characters = signed ?? document.characters, signed != nil || SignedInspection.isSigned(characters) {
            let inspection = try SignedInspection(characters, fault: document.fault, reader: decoder)
            try inspection.write(to: &report)
            return inspection.faults
        }
        let beginning = decoded == nil ? document.decodedBeginning() : nil
        guard let receipt = decoded?.receipt ?? beginning.map({ buffer.append($0.bytes) }) else {
            return document.fault.map { [InspectionFault($0)] } ?? []
        }
        let faults = beginning.map { [InspectionFault($0.fault)] } ?? []
        let kind = buffer.kind(of: receipt)
        report.field("kind", kind.rawValue)
        report.field("bytes", receipt.count)
        report.field("sha256", try MessageDigest().sha256(buffer.span, in: receipt.indices).hex)
        if kind == .appReceipt {
            var inspection = ContainerInspection(receipt: receipt, faults: faults)
            try inspection.write(to: &report, buffer.span)
            return inspection.faults
        }
        var inspection = TransactionInspection(receipt: receipt, faults: faults)
        try inspection.write(to: &report, &buffer)
        return inspection.faults
    }
}
