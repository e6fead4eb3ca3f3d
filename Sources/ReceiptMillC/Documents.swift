internal import CReceiptMill
internal import ReceiptFormat
internal import ReceiptVerdicts
internal import ReceiptVerification

/// A `receiptmill_document`: a document, with the bytes of its texts at a fixed address.
///
/// Safe to share between threads: nothing changes after the initialiser.
private final class DocumentHandle {
    let document: VerifiedDocument
    /// The decision whether to accept the document; nil if it was only verified.
    let judged: JudgedDocument?
    private let purchases: [(purchase: InAppPurchase, receipt: VerifiedReceipt)]
    /// The bytes of the document's batch, then the program's own texts.
    private let bytes: UnsafeMutableBufferPointer<CChar>
    /// The ranges of the program's own texts, by the raw values of fields.
    private var words: [Int32: Range<Int>] = [:]
    /// The ranges of the words for verdicts on purchases.
    private var verdicts: [Verdict: Range<Int>] = [:]
    /// The ranges of the reasons for refusing the document.
    private var reasons: [Range<Int>] = []

    init(_ document: VerifiedDocument, _ judged: JudgedDocument? = nil) {
        (self.document, self.judged) = (document, judged)
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
        for reason in judged?.reasons ?? [] { reasons.append(append(reason)) }
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
        return range.flatMap { text(at: $0, count) }
    }

    private func text(at range: Range<Int>, _ count: UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>? {
        guard let start = bytes.baseAddress else { return nil }
        count?.pointee = range.count
        return UnsafePointer(start + range.lowerBound)
    }

    func reason(_ index: Int, _ count: UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>? {
        reasons.indices.contains(index) ? text(at: reasons[index], count) : nil
    }

    /// Passes ownership of the document to C, which frees it.
    consuming func handedOver() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }
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
        // The text is not copied: a document may have any length, and one that is too long is refused without being
        // read.
        let text = UnsafeRawBufferPointer(start: bytes, count: count).bindMemory(to: UInt8.self)
        let verified = VerifiedDocument(try verifier.verify(text.span, [text.indices]))
        document.pointee = DocumentHandle(verified).handedOver()
        return RECEIPTMILL_OK.rawValue
    } catch {
        return RECEIPTMILL_CRYPTO_FAILED.rawValue
    }
}

@_cdecl("receiptmill_judge")
public func judge(
    _ verifier: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ count: Int, _ expectation: UnsafeRawPointer?,
    _ document: UnsafeMutablePointer<OpaquePointer?>?
) -> UInt32 {
    // The size is checked first: a caller built for another version has a structure of another length.
    guard let verifier = DocumentVerifier.borrowed(verifier), let document, bytes != nil || count == 0, count >= 0,
        let expectation, expectation.load(as: Int.self) == MemoryLayout<receiptmill_expectation>.size
    else { return RECEIPTMILL_INVALID_ARGUMENT.rawValue }
    let expected = expectation.load(as: receiptmill_expectation.self)
    guard let bundle = expected.bundle, bundle.pointee != 0, let word = expected.environment,
        let environment = ExpectedEnvironment(rawValue: String(cString: word))
    else { return RECEIPTMILL_INVALID_EXPECTATION.rawValue }
    do throws(OpenSSLError) {
        let text = UnsafeRawBufferPointer(start: bytes, count: count).bindMemory(to: UInt8.self)
        let judged = try verifier.judge(
            text.span, bundle: String(cString: bundle), environment: environment,
            device: expected.device.map { String(cString: $0) }, at: expected.at?.pointee)
        document.pointee = DocumentHandle(judged.document, judged).handedOver()
        return RECEIPTMILL_OK.rawValue
    } catch {
        return RECEIPTMILL_CRYPTO_FAILED.rawValue
    }
}

@_cdecl("receiptmill_accepted")
public func documentIsAccepted(_ document: OpaquePointer?) -> Int32 {
    DocumentHandle.borrowed(document)?.judged?.isAccepted == true ? 1 : 0
}

@_cdecl("receiptmill_reason_count")
public func documentReasonCount(_ document: OpaquePointer?) -> Int {
    DocumentHandle.borrowed(document)?.judged?.reasons.count ?? 0
}

@_cdecl("receiptmill_reason")
public func documentReason(
    _ document: OpaquePointer?, _ index: Int, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
    DocumentHandle.borrowed(document)?.reason(index, count)
}

@_cdecl("receiptmill_purchase_in_force")
public func purchaseIsInForce(_ document: OpaquePointer?, _ purchase: Int) -> Int32 {
    guard let areInForce = DocumentHandle.borrowed(document)?.judged?.areInForce else { return 0 }
    return areInForce.indices.contains(purchase) && areInForce[purchase] ? 1 : 0
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
