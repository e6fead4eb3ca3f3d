internal import CReceiptMill
internal import ReceiptFormat
internal import ReceiptVerdicts
internal import ReceiptVerification

/// A `receiptmill_document`: a document, and the bytes of its texts at an address that stays.
///
/// Safe to share between threads: nothing changes after the initialiser.
private final class DocumentHandle {
    let document: VerifiedDocument
    private let purchases: [(purchase: InAppPurchase, receipt: VerifiedReceipt)]
    /// The bytes of the document's batch, then the texts that are the mill's own.
    private let bytes: UnsafeMutableBufferPointer<CChar>
    /// The ranges of the mill's own texts, by the raw values of fields.
    private var words: [Int32: Range<Int>] = [:]
    /// The ranges of the words of verdicts on purchases.
    private var verdicts: [Verdict: Range<Int>] = [:]

    init(_ document: VerifiedDocument) {
        self.document = document
        let documents = document.documents
        purchases = documents.purchases(of: document.row)
        var text = documents.batch.bytes
        func append(_ word: String) -> Range<Int> {
            let start = text.count
            text.append(contentsOf: word.utf8)
            return start..<text.count
        }
        for field in DocumentField.allCases {
            if case .word(let word) = field.value(of: document.row, in: documents) {
                words[field.rawValue] = append(word)
            }
        }
        for (_, receipt) in purchases where verdicts[receipt.verification.verdict] == nil {
            verdicts[receipt.verification.verdict] = append(receipt.verification.verdict.rawValue)
        }
        bytes = .allocate(capacity: text.count)
        _ = bytes.initialize(from: text.lazy.map { CChar(bitPattern: $0) })
    }

    deinit { bytes.deallocate() }

    static func borrowed(_ handle: OpaquePointer?) -> DocumentHandle? {
        handle.map { Unmanaged<DocumentHandle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    func value(_ field: Int32) -> DocumentValue? {
        DocumentField(rawValue: field)?.value(of: document.row, in: document.documents)
    }

    func value(_ field: Int32, ofPurchase index: Int) -> DocumentValue? {
        guard purchases.indices.contains(index) else { return nil }
        return PurchaseField(rawValue: field)?.value(
            of: purchases[index].purchase, by: purchases[index].receipt, in: document.documents)
    }

    func word(_ field: Int32) -> Range<Int>? { words[field] }

    func verdictWord(ofPurchase index: Int) -> Range<Int>? { verdicts[purchases[index].receipt.verification.verdict] }

    /// The address and the length of a text.
    func text(
        _ value: DocumentValue?, word: @autoclosure () -> Range<Int>?, _ count: UnsafeMutablePointer<Int>?
    ) -> UnsafePointer<CChar>? {
        let range: Range<Int>? =
            switch value {
            case .text(let range): range.indices
            case .word: word()
            case .integer, nil: nil
            }
        guard let range, let start = bytes.baseAddress else { return nil }
        count?.pointee = range.count
        return UnsafePointer(start + range.lowerBound)
    }
}

extension DocumentValue {
    fileprivate func store(_ value: UnsafeMutablePointer<Int64>?) -> Int32 {
        guard case .integer(let integer) = self, let value else { return 0 }
        value.pointee = integer
        return 1
    }
}

@_cdecl("receiptmill_verify")
public func verify(
    _ verifier: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ count: Int,
    _ document: UnsafeMutablePointer<OpaquePointer?>?
) -> UInt32 {
    guard let verifier = DocumentVerifier.borrowed(verifier), let document, bytes != nil || count == 0, count >= 0
    else { return RECEIPTMILL_INVALID_ARGUMENT.rawValue }
    do throws(OpenSSLError) {
        let verified = try verifier.verify([UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
        document.pointee = OpaquePointer(Unmanaged.passRetained(DocumentHandle(verified)).toOpaque())
        return RECEIPTMILL_OK.rawValue
    } catch {
        return RECEIPTMILL_CRYPTO_FAILED.rawValue
    }
}

@_cdecl("receiptmill_document_free")
public func freeDocument(_ document: OpaquePointer?) {
    guard let document else { return }
    Unmanaged<DocumentHandle>.fromOpaque(UnsafeRawPointer(document)).release()
}

@_cdecl("receiptmill_document_verdict")
public func documentVerdict(_ document: OpaquePointer?) -> UInt32 {
    let verdict =
        switch DocumentHandle.borrowed(document)?.document.verdict {
        case nil: RECEIPTMILL_UNREADABLE
        case .trusted: RECEIPTMILL_TRUSTED
        case .untrustedRoot: RECEIPTMILL_UNTRUSTED_ROOT
        case .brokenChain: RECEIPTMILL_BROKEN_CHAIN
        case .wrongPurpose: RECEIPTMILL_WRONG_PURPOSE
        case .notValidAtCreation: RECEIPTMILL_NOT_VALID_AT_CREATION
        case .badSignature: RECEIPTMILL_BAD_SIGNATURE
        case .unsupportedAlgorithm: RECEIPTMILL_UNSUPPORTED_ALGORITHM
        }
    return verdict.rawValue
}

@_cdecl("receiptmill_text")
public func documentText(
    _ document: OpaquePointer?, _ field: Int32, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
    guard let handle = DocumentHandle.borrowed(document) else { return nil }
    return handle.text(handle.value(field), word: handle.word(field), count)
}

@_cdecl("receiptmill_integer")
public func documentInteger(
    _ document: OpaquePointer?, _ field: Int32, _ value: UnsafeMutablePointer<Int64>?
) -> Int32 {
    DocumentHandle.borrowed(document)?.value(field)?.store(value) ?? 0
}

@_cdecl("receiptmill_purchase_text")
public func purchaseText(
    _ document: OpaquePointer?, _ purchase: Int, _ field: Int32, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
    guard let handle = DocumentHandle.borrowed(document) else { return nil }
    let value = handle.value(field, ofPurchase: purchase)
    return handle.text(value, word: handle.verdictWord(ofPurchase: purchase), count)
}

@_cdecl("receiptmill_purchase_integer")
public func purchaseInteger(
    _ document: OpaquePointer?, _ purchase: Int, _ field: Int32, _ value: UnsafeMutablePointer<Int64>?
) -> Int32 {
    DocumentHandle.borrowed(document)?.value(field, ofPurchase: purchase)?.store(value) ?? 0
}

@_cdecl("receiptmill_json")
public func documentJSON(_ document: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    guard let json = DocumentHandle.borrowed(document)?.document.json else { return nil }
    let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: json.utf8.count + 1)
    let end = text.initialize(from: json.utf8.lazy.map { CChar(bitPattern: $0) }).index
    text[end] = 0
    return text.baseAddress
}

@_cdecl("receiptmill_json_free")
public func freeJSON(_ json: UnsafeMutablePointer<CChar>?) { json?.deallocate() }
