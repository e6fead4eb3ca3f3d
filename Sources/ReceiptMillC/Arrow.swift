internal import CReceiptMill
internal import ReceiptFormat
internal import ReceiptVerdicts
internal import ReceiptVerification

@_cdecl("receiptmill_verify_arrow")
public func verifyArrow(
    _ verifier: OpaquePointer?, _ documents: UnsafeMutableRawPointer?, _ documentsSchema: UnsafeMutableRawPointer?,
    _ verdicts: UnsafeMutableRawPointer?, _ verdictsSchema: UnsafeMutableRawPointer?
) -> UInt32 {
    let array = documents?.assumingMemoryBound(to: ArrowArray.self)
    let schema = documentsSchema?.assumingMemoryBound(to: ArrowSchema.self)
    defer {
        if let array { array.pointee.release?(array) }
        if let schema { schema.pointee.release?(schema) }
    }
    guard let verifier = DocumentVerifier.borrowed(verifier), let array, let schema, let verdicts, let verdictsSchema,
        array.pointee.release != nil, schema.pointee.release != nil
    else { return RECEIPTMILL_INVALID_ARGUMENT.rawValue }
    do throws(Fault) {
        guard let texts = ArrowTexts(array.pointee, schema.pointee) else {
            throw Fault(RECEIPTMILL_UNSUPPORTED_ARRAY)
        }
        let table = VerdictTable()
        try table.append(texts, verifiedBy: verifier)
        verdicts.assumingMemoryBound(to: ArrowArray.self).initialize(to: table.rows.array())
        verdictsSchema.assumingMemoryBound(to: ArrowSchema.self).initialize(to: table.rows.schema())
        return RECEIPTMILL_OK.rawValue
    } catch {
        return error.status.rawValue
    }
}

/// A column for each field of documents, and a column for their purchases.
private struct VerdictTable {
    /// The rows, each of which is a struct.
    let rows: ArrowColumn
    private let fields: [(field: DocumentField, column: ArrowColumn)]
    private let purchases: ArrowColumn
    private let purchase: ArrowColumn
    private let purchaseFields: [(field: PurchaseField, column: ArrowColumn)]

    /// The maximum number of documents that are verified together, and of their bytes.
    private static let batchCount = 1_024
    private static let batchBytes = 8 << 20

    init() {
        fields = DocumentField.allCases.map { ($0, ArrowColumn($0.name, $0.type.layout)) }
        purchaseFields = PurchaseField.allCases.map { ($0, ArrowColumn($0.name, $0.type.layout)) }
        purchase = ArrowColumn("item", .structure, purchaseFields.map(\.column))
        purchases = ArrowColumn("purchases", .list, [purchase])
        rows = ArrowColumn("", .structure, fields.map(\.column) + [purchases])
    }

    /// Appends a row for each text.
    func append(_ texts: ArrowTexts, verifiedBy verifier: DocumentVerifier) throws(Fault) {
        var index = 0
        while index < texts.count {
            var ranges: [Range<Int>] = []
            var size = 0
            let first = index
            while index < texts.count, ranges.count < Self.batchCount, size < Self.batchBytes {
                if texts.isValid(index) {
                    guard let range = texts.range(index) else { throw Fault(RECEIPTMILL_UNSUPPORTED_ARRAY) }
                    ranges.append(range)
                    size += range.count
                }
                index += 1
            }
            let documents: VerifiedDocumentList
            do throws(OpenSSLError) {
                documents = try verifier.verify(texts.bytes.span, ranges)
            } catch {
                throw Fault(RECEIPTMILL_CRYPTO_FAILED)
            }
            var next = documents.rows.makeIterator()
            for row in first..<index {
                if texts.isValid(row), let found = next.next() {
                    append(found, of: documents)
                } else {
                    rows.appendNull()
                }
            }
        }
    }

    private func append(_ row: VerifiedDocumentList.Row, of documents: VerifiedDocumentList) {
        for (field, column) in fields { column.append(field.value(of: row, in: documents), of: documents) }
        for (purchase, receipt) in documents.purchases(of: row) {
            for (field, column) in purchaseFields {
                column.append(field.value(of: purchase, by: receipt, in: documents), of: documents)
            }
            self.purchase.appendStructure()
        }
        purchases.appendList()
        rows.appendStructure()
    }
}

extension ArrowColumn {
    fileprivate func append(_ value: DocumentValue?, of documents: VerifiedDocumentList) {
        switch value {
        case .text(let range):
            documents.batch.bytes.withUnsafeBytes { append(UnsafeRawBufferPointer(rebasing: $0[range.indices])) }
        case .word(var word): word.withUTF8 { append(UnsafeRawBufferPointer($0)) }
        case .integer(let integer): append(integer)
        case nil: appendNull()
        }
    }
}

extension DocumentValueType {
    fileprivate var layout: ArrowColumn.Layout {
        switch self {
        case .text: .text
        case .integer: .integer
        case .time: .time
        }
    }
}
