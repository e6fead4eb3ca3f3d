internal import MillJSON
internal import MillSystem
package import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
package import ReceiptVerification

/// The form in which documents are shown.
package enum ListingFormat: String, Sendable, CaseIterable {
    case text, json
}

/// Shows everything that receipts and signed strings in files hold.
package struct InspectRun: Sendable {
    /// Paths, "-" for standard input.
    package var inputs: [String]
    package var format = ListingFormat.text
    package var keys = LineKeys()
    package var limits = Limits()

    package init(inputs: [String]) {
        self.inputs = inputs
    }

    /// Writes a dump of every line to `sink`, in order; in JSON a single one over
    /// several lines, many with one line each.
    ///
    /// - Throws: what `sink` throws, and ``MillError`` for an internal fault.
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
    /// - Returns: whether all of them could be read.
    private func write(
        _ presented: PresentedReceipt, to report: inout ReportWriter, _ decoder: LineDecoder
    ) throws(OpenSSLError) -> Bool {
        var buffer = presented.buffer
        var isReadable = true
        let write = { (report: inout ReportWriter, document: PresentedDocument) throws(OpenSSLError) in
            let faults = try self.write(document, to: &report, &buffer, decoder)
            report.values("errors", as: "error", faults)
            isReadable = isReadable && faults.isEmpty
        }
        if format == .text {
            for (index, document) in presented.documents.enumerated() {
                report.begin(presented.location(ofDocument: index), source: nil, line: nil)
                try write(&report, document)
                report.end()
            }
        } else {
            report.begin(source: presented.path, line: presented.line)
            if presented.documents.count == 1 {
                try write(&report, presented.documents[0])
            } else {
                try report.list("documents", presented.documents) { (report, document) throws(OpenSSLError) in
                    try write(&report, document)
                }
            }
            report.end()
        }
        return isReadable
    }

    /// Writes a document, or what is left of it.
    ///
    /// - Returns: what can't be read.
    private func write(
        _ document: PresentedDocument, to report: inout ReportWriter, _ buffer: inout ByteBuffer,
        _ decoder: LineDecoder
    ) throws(OpenSSLError) -> [InspectionFault] {
        let decoded = try? document.content.get()
        if let characters = document.characters, decoded?.signed == nil, SignedInspection.isSigned(characters) {
            return try write(SignedInspection(characters, fault: document.fault, reader: decoder), to: &report)
        }
        guard let decoded else {
            let fault = document.fault.map { [InspectionFault($0)] } ?? []
            guard let beginning = document.decodedBeginning() else { return fault }
            let receipt = buffer.append(beginning.bytes)
            let shown = DecodedDocument(
                line: 0, receipt: receipt, digest: try MessageDigest().sha256(buffer.span, in: receipt.indices))
            return [InspectionFault(beginning.fault)] + (try write(shown, to: &report, &buffer))
        }
        if decoded.signed != nil {
            let characters = Array(buffer.bytes[decoded.receipt.indices])
            return try write(SignedInspection(characters, reader: decoder), to: &report)
        }
        return try write(decoded, to: &report, &buffer)
    }

    private func write(
        _ inspection: SignedInspection, to report: inout ReportWriter
    ) throws(OpenSSLError) -> [InspectionFault] {
        try inspection.write(to: &report)
        return inspection.faults
    }

    /// Writes a receipt.
    private func write(
        _ document: DecodedDocument, to report: inout ReportWriter, _ buffer: inout ByteBuffer
    ) throws(OpenSSLError) -> [InspectionFault] {
        let kind = buffer.kind(of: document.receipt)
        report.field("kind", kind.rawValue)
        report.field("bytes", document.receipt.count)
        report.field("sha256", document.digest.hex)
        guard kind == .appReceipt else {
            var inspection = TransactionInspection(document.receipt)
            try inspection.write(to: &report, &buffer)
            return inspection.faults
        }
        var inspection = ContainerInspection(document.receipt, in: buffer.span)
        try inspection.write(to: &report, buffer.span)
        return inspection.faults
    }
}
