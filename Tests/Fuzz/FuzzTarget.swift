import ReceiptVerification

#if FUZZING || DEBUG
    import Foundation
    @testable import DecodedLines
    @testable import MillJSON
    @testable import MillSystem
    @testable import ReceiptArchive
    @testable import ReceiptFormat
    @testable import ReceiptTrust
    @testable import ReceiptVerification
    @testable import DatabaseCare
    @testable import ReceiptWarehouse

    /// A reader of hostile bytes.
    enum FuzzTarget: String, CaseIterable {
        case elements, container, payload, certificates, propertyList = "property-list", signature, line, archive,
            decoded, letter, signedHeader = "signed-header", signedPayload = "signed-payload", signedLine =
            "signed-line", document
        #if ISAL
            case inflaters
        #endif

        static let chosen: FuzzTarget = {
            let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
            guard let target = FuzzTarget(rawValue: name) else {
                print("FUZZ_TARGET must be one of \(allCases.map(\.rawValue))")
                exit(64)
            }
            return target
        }()

        func feed(_ bytes: [UInt8]) {
            switch self {
            case .elements: readElements(bytes)
            case .container: readContainer(bytes)
            case .payload: readPayload(bytes)
            case .certificates: judgeCertificates(bytes)
            case .propertyList: readPropertyList(bytes)
            case .signature: judgeSignature(bytes)
            case .line: scanLine(bytes)
            case .archive: readArchive(bytes)
            case .decoded: readDecodedLines(bytes)
            case .letter: readLetter(bytes)
            case .signedHeader: judgeHeader(bytes)
            case .signedPayload: readSignedPayload(bytes)
            case .signedLine: verifySignedLines(bytes)
            case .document: verifyByLibrary(bytes)
            #if ISAL
                case .inflaters: compareInflaters(bytes)
            #endif
            }
        }

        /// A letter, and the same written as one: what was read is read again.
        private func readLetter(_ bytes: [UInt8]) {
            guard let letter = try? DeadLetter(parsing: bytes.span, in: bytes.indices) else { return }
            precondition(1...Int64(UInt32.max) ~= letter.line && !letter.text.contains(UInt8(ascii: "\n")))
            let kept = KeptLine(
                id: 1 << 32 | letter.line, archive: letter.archive, archiveName: "", reason: "", detail: "",
                document: nil, text: letter.text)
            var json = JSONWriter()
            DeadLetter.write(kept, to: &json)
            let written = Array(json.bytes.dropLast())
            let again = try? DeadLetter(parsing: written.span, in: written.indices)
            precondition(again?.text == letter.text && again?.line == letter.line && again?.archive == letter.archive)
        }

        /// Every element of every depth, as a dump would show them.
        private func readElements(_ bytes: [UInt8]) {
            func walk(_ reader: consuming ByteReader, depth: Int) {
                while !reader.isAtEnd, let element = try? reader.readElement() {
                    precondition(element.content.end <= bytes.count && element.whole.end <= bytes.count)
                    if element.isConstructed, depth < 8 { walk(reader.reader(in: element.content), depth: depth + 1) }
                    var value = reader.reader(in: element.whole)
                    _ = try? value.readInteger()
                    value = reader.reader(in: element.whole)
                    _ = try? value.readText()
                    value = reader.reader(in: element.whole)
                    _ = try? value.readDate()
                    value = reader.reader(in: element.whole)
                    if let string = try? value.readOctetString() {
                        var joined: [UInt8] = []
                        try? reader.appendBytes(of: string, to: &joined)
                        precondition(joined.count <= bytes.count)
                    }
                }
            }
            walk(ByteReader(bytes.span), depth: 0)

            /// The same of elements that are cut short, as a damaged document is shown.
            func walkClipped(_ reader: consuming ByteReader, depth: Int) {
                while let element = reader.readClippedElement() {
                    precondition(element.content.end <= bytes.count && element.whole.end <= bytes.count)
                    guard element.isConstructed, depth < 8 else { continue }
                    walkClipped(reader.reader(in: element.content), depth: depth + 1)
                }
            }
            walkClipped(ByteReader(bytes.span), depth: 0)
        }

        /// What a worker says, whichever kind of file it stands in.
        private func readDecodedLines(_ bytes: [UInt8]) {
            for namesArchives in [true, false] {
                guard var parser = try? DecodedLineParser(keepsReceipts: false, keepsRejectedLines: true) else {
                    return
                }
                let batch = parser.parse(
                    LineBatch(sequence: 0, content: .lines(bytes)), namesArchives: namesArchives)
                for run in batch.runs {
                    let verified = run.verified
                    precondition(verified.submissions.count + verified.rejections.count >= verified.lineCount)
                    precondition(verified.receipts.allSatisfy { $0.purchases.upperBound <= verified.purchases.count })
                    precondition(
                        verified.purchases.allSatisfy { $0.transactionIdentifier.end <= verified.bytes.count })
                }
            }
        }

        private func readContainer(_ bytes: [UInt8]) {
            var reader = ByteReader(bytes.span)
            guard let container = try? Container(parsing: &reader) else { return }
            precondition(container.content.range.end <= bytes.count && container.certificates.end <= bytes.count)
            precondition(container.signer.signature.end <= bytes.count)
        }

        private func readPayload(_ bytes: [UInt8]) {
            var purchases: [InAppPurchase] = []
            var reader = ByteReader(bytes.span)
            let whole = try? AppReceipt(parsing: &reader, purchases: &purchases)
            var again = ByteReader(bytes.span)
            let own = try? AppReceipt(parsingOwnAttributes: &again)
            // What is read of a receipt that is known must be what was read of
            // it when it was new.
            if var whole {
                whole.undocumentedPurchaseTypes = UndocumentedTypes(.purchase)
                precondition(whole == own)
            }
            for purchase in purchases { precondition(purchase.transactionIdentifier.end <= bytes.count) }
        }

        private func readPropertyList(_ bytes: [UInt8]) {
            var list = ByteReader(bytes.span)
            let whole = try? PropertyList(parsing: &list)
            var members: [PropertyList.Member] = []
            var again = ByteReader(bytes.span)
            let isWhole = (try? PropertyList.read(&again, into: &members)) != nil
            precondition((whole != nil) == isWhole)
            if let whole { precondition(whole.members == members) }
            for member in members { precondition(member.written.end <= bytes.count) }
            var envelope = ByteReader(bytes.span)
            _ = try? TransactionEnvelope(parsing: &envelope)
            var receipt = ByteReader(bytes.span)
            _ = try? TransactionReceipt(parsing: &receipt)
            var blob = ByteReader(bytes.span)
            _ = try? SignatureBlob(parsing: &blob)
        }

        private func scanLine(_ bytes: [UInt8]) {
            let scanner = SubmissionScanner(keys: LineKeys())
            check(try? scanner.scan(bytes.span, bytes.indices), of: bytes)
            // The bytes as a row, below a header of their own or another.
            for beginning in [bytes, Array("id\tuser_id\tjws".utf8), Array("user_id,jws".utf8)] {
                guard let table = scanner.table(TableHeader(beginningOf: beginning.span)) else { continue }
                check(try? scanner.scan(bytes.span, bytes.indices, table: table), of: bytes)
            }
        }

        private func check(_ line: ScannedLine?, of bytes: [UInt8]) {
            guard let line else { return }
            precondition(!line.documents.isEmpty && line.documentCount >= line.documents.count)
            precondition(line.documents.count <= ScannedLine.maximumDocuments + 1)
            // Texts are decoded and inflated within bounds.
            precondition(line.texts.reduce(0) { $0 + $1.bytes.count } <= 32 * bytes.count + 8 << 20)
            var buffer = ByteBuffer(capacity: 16)
            var last: [Int?: Int] = [:]
            for document in line.documents {
                let (token, text) = (document.value.token, line.buffer(of: document.value, in: bytes))
                precondition(token.kind == .string && token.range.upperBound <= text.count)
                precondition(token.range.lowerBound > last[document.value.text] ?? -1)
                last[document.value.text] = token.range.upperBound
                _ = buffer.appendBase64(text.span, in: token.range)
                let context = document.context
                for value in [context.device, context.deviceVerification, context.account, context.time] {
                    guard let value else { continue }
                    _ = line.characters(of: value, in: bytes)
                    _ = SubmissionTime.milliseconds(value.token, in: line.buffer(of: value, in: bytes))
                }
            }
        }
    }
#endif
