#if FUZZING || DEBUG
    import CReceiptMill
    import ReceiptMillC

    extension FuzzTarget {
        /// Fed by one thread, as libFuzzer does.
        nonisolated(unsafe) private static let libraryVerifier: OpaquePointer? = {
            var verifier: OpaquePointer?
            return receiptmill_verifier_new(nil, &verifier) == RECEIPTMILL_OK ? verifier : nil
        }()

        /// A document by the C interface: every field can be read, and Arrow's array says the same.
        func verifyByLibrary(_ bytes: [UInt8]) {
            var document: OpaquePointer?
            guard receiptmill_verify(Self.libraryVerifier, bytes, bytes.count, &document) == RECEIPTMILL_OK else {
                return
            }
            defer { receiptmill_document_free(document) }
            precondition(receiptmill_document_verdict(document) != RECEIPTMILL_TRUSTED)
            let texts = (0..<13).map { Self.text(document, receiptmill_field($0)) }
            precondition(texts[0] != nil && texts[12] == nil)
            var (count, value) = (Int64(0), Int64(0))
            _ = receiptmill_integer(document, RECEIPTMILL_PURCHASE_COUNT, &count)
            for purchase in 0...Int(count) {
                for field in 0..<17 {
                    var length = 0
                    let field = receiptmill_purchase_field(UInt32(field))
                    let text = receiptmill_purchase_text(document, purchase, field, &length)
                    _ = text.map { Self.copy($0, length) }
                    let isNumber = receiptmill_purchase_integer(document, purchase, field, &value) == 1
                    precondition(!(isNumber && text != nil) && (purchase < count || !isNumber && text == nil))
                }
            }
            guard let json = receiptmill_json(document) else { preconditionFailure("no JSON") }
            precondition(json[0] == CChar(UInt8(ascii: "{")))
            receiptmill_json_free(json)
            compareArrow(bytes, texts)
            judge(bytes)
        }

        /// No fuzzed input is accepted, and there is always a reason.
        private func judge(_ bytes: [UInt8]) {
            var document: OpaquePointer?
            "com.example.app".withCString { bundle in
                "production".withCString { environment in
                    var expectation = receiptmill_expectation()
                    expectation.size = MemoryLayout<receiptmill_expectation>.size
                    (expectation.bundle, expectation.environment, expectation.device) = (bundle, environment, bundle)
                    let status = receiptmill_judge(
                        Self.libraryVerifier, bytes, bytes.count, &expectation, &document)
                    precondition(status == RECEIPTMILL_OK)
                }
            }
            defer { receiptmill_document_free(document) }
            precondition(receiptmill_accepted(document) == 0 && receiptmill_reason_count(document) > 0)
            for index in 0..<receiptmill_reason_count(document) {
                var count = 0
                let text = receiptmill_reason(document, index, &count)
                precondition(text != nil && count > 0)
                _ = text.map { Self.copy($0, count) }
            }
        }

        private static func text(_ document: OpaquePointer?, _ field: receiptmill_field) -> [CChar]? {
            var count = 0
            return receiptmill_text(document, field, &count).map { copy($0, count) }
        }

        /// Reads all bytes of a text. It is not inlined: the optimiser of Swift 6.3 would free an unused array before it
        /// is filled.
        @inline(never)
        private static func copy(_ text: UnsafePointer<CChar>, _ count: Int) -> [CChar] {
            [CChar](UnsafeBufferPointer(start: text, count: count))
        }

        /// The texts of the document's row, the document twice in an array.
        private func compareArrow(_ bytes: [UInt8], _ texts: [[CChar]?]) {
            let offsets = [0, Int64(bytes.count), Int64(2 * bytes.count)]
            (bytes + bytes).withUnsafeBytes { data in
                offsets.withUnsafeBytes { offsets in
                    var buffers: [UnsafeRawPointer?] = [nil, offsets.baseAddress, data.baseAddress]
                    buffers.withUnsafeMutableBufferPointer { buffers in
                        "Z".withCString { format in
                            var array = ArrowArray()
                            (array.length, array.n_buffers, array.buffers) = (2, 3, buffers.baseAddress)
                            array.release = { $0?.pointee.release = nil }
                            var schema = ArrowSchema()
                            (schema.format, schema.release) = (format, { $0?.pointee.release = nil })
                            var (rows, rowsSchema) = (ArrowArray(), ArrowSchema())
                            let status = receiptmill_verify_arrow(
                                Self.libraryVerifier, &array, &schema, &rows, &rowsSchema)
                            precondition(status == RECEIPTMILL_OK && rows.length == 2 && rows.null_count == 0)
                            for row in 0..<2 {
                                precondition(Self.text(rows.children[0], row) == texts[0])
                                precondition(Self.text(rows.children[2], row) == texts[2])
                            }
                            rows.release(&rows)
                            rowsSchema.release(&rowsSchema)
                        }
                    }
                }
            }
        }

        private static func text(_ column: UnsafeMutablePointer<ArrowArray>?, _ row: Int) -> [CChar]? {
            guard let array = column?.pointee,
                let offsets = array.buffers[1]?.assumingMemoryBound(to: Int64.self),
                let data = array.buffers[2]?.assumingMemoryBound(to: CChar.self)
            else { return nil }
            if let validity = array.buffers[0]?.assumingMemoryBound(to: UInt8.self) {
                guard validity[row / 8] >> UInt8(row % 8) & 1 == 1 else { return nil }
            }
            let range = Int(offsets[row])..<Int(offsets[row + 1])
            return range.map { data[$0] }
        }
    }
#endif
