internal import MillJSON
package import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Shows everything that receipts and signed strings in files hold.
package struct InspectRun: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    /// Paths, "-" for standard input.
    package var inputs: [String]
    package var format = Format.text
    package var keys = LineKeys()
    package var limits = Limits()

    package init(inputs: [String]) {
        self.inputs = inputs
    }

    package struct Outcome: Sendable {
        /// Receipts that were shown whole.
        public internal(set) var readable = 0
        /// What is no receipt, or is malformed; what could be read was shown.
        public internal(set) var malformed = 0
        /// Files that can't be read; the others were.
        public internal(set) var failures: [MillError] = []
    }

    /// Writes a dump of every receipt to `sink`, in order; in JSON a single
    /// receipt over several lines, many with one line each.
    ///
    /// - Throws: what `sink` throws, and ``MillError`` for an internal fault.
    package func run(_ sink: (String) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        let reader = try PresentedReceiptReader(keys: keys, limits: limits, isSalvaging: true)
        let decoder = try MillError.wrapping { () throws(OpenSSLError) in try LineDecoder(keys: keys, limits: limits) }
        outcome.failures = try reader.forEach(in: inputs) { presented, isOnly in
            let shown = try MillError.wrapping { () throws(OpenSSLError) in
                try dump(presented, isPretty: isOnly, decoder)
            }
            outcome.readable += shown.isReadable ? 1 : 0
            outcome.malformed += shown.isReadable ? 0 : 1
            try sink(shown.text)
        }
        return outcome
    }

    /// A document, opened.
    private enum Opened {
        case receipt(Inspection)
        case signed(SignedInspection)
        case unreadable(Unreadable)

        var faults: [InspectionFault] {
            switch self {
            case .receipt(let inspection): inspection.faults
            case .signed(let inspection): inspection.faults
            case .unreadable(let fault): [InspectionFault(fault)]
            }
        }
    }

    private func dump(
        _ presented: PresentedReceipt, isPretty: Bool, _ decoder: LineDecoder
    ) throws(OpenSSLError) -> (text: String, isReadable: Bool) {
        var buffer = presented.buffer
        var opened: [Opened] = []
        for document in presented.documents { opened.append(try open(document, &buffer, decoder)) }
        var report = ReportWriter(isText: format == .text, isPretty: isPretty)
        if format == .text {
            for (index, document) in opened.enumerated() {
                report.begin(presented.location(ofDocument: index), source: nil, line: nil)
                write(document, to: &report, buffer)
                report.end()
            }
        } else {
            report.begin(source: presented.path, line: presented.line)
            if opened.count == 1 {
                write(opened[0], to: &report, buffer)
            } else {
                report.list("documents", opened) { write($1, to: &$0, buffer) }
            }
            report.end()
        }
        return (report.output, opened.allSatisfy { $0.faults.isEmpty })
    }

    private func open(
        _ document: PresentedDocument, _ buffer: inout ByteBuffer, _ decoder: LineDecoder
    ) throws(OpenSSLError) -> Opened {
        if let characters = document.characters {
            // Of a line that can't be scanned the string is but a part.
            let fault: Unreadable? = if case .failure(let fault) = document.content { fault } else { nil }
            return .signed(
                try SignedInspection(Array(buffer.bytes[characters.indices]), fault: fault, reader: decoder))
        }
        switch document.content {
        case .success(let line) where line.signed != nil:
            return .signed(try SignedInspection(Array(buffer.bytes[line.receipt.indices]), reader: decoder))
        case .success(let line): return .receipt(try Inspection(line, in: &buffer, damage: document.damage))
        case .failure(let fault): return .unreadable(fault)
        }
    }

    private func write(_ opened: Opened, to report: inout ReportWriter, _ buffer: ByteBuffer) {
        switch opened {
        case .receipt(let inspection): inspection.write(to: &report, buffer.span)
        case .signed(let inspection): inspection.write(to: &report)
        case .unreadable: break
        }
        report.list("errors", opened.faults) { report, fault in
            report.text("error", "\(fault.reason.rawValue): \(fault.detail)")
            report.member("reason", fault.reason.rawValue)
            report.member("detail", fault.detail)
            report.member("offset", fault.offset)
        }
    }
}
