package import ReceiptFormat
package import ReceiptTrust

/// Reads and verifies transaction receipts of iOS 6 and earlier.
package struct TransactionReceiptVerifier {
    private let verifier: TransactionVerifier

    package init(anchors: TrustAnchors, issuers: CertificatePool) throws(OpenSSLError) {
        verifier = try TransactionVerifier(anchors: anchors, issuers: issuers)
    }

    /// The parts of a transaction receipt, as ranges in the buffer with which it was parsed.
    package struct Parsed {
        package let app: AppReceipt
        package let purchase: InAppPurchase
        /// The environment that the unsigned envelope states; nil if it states none.
        package let statedEnvironment: ByteRange?
        /// Whether the envelope states another environment than the one in `app`.
        package let isEnvironmentContradicted: Bool
        package let signature: SignatureBlob
        /// The decoded `purchase-info`, which the signature covers.
        package let purchaseInfo: ByteRange
    }

    /// Reads a receipt. Base64 in the receipt is decoded at the end of the same buffer, so that all ranges refer to one
    /// buffer.
    ///
    /// The signed part decides the environment if it can: a transaction id of the sandbox means `Sandbox`, whatever the
    /// envelope states. Otherwise the envelope may state `Sandbox`; anything else means production. If the envelope
    /// decided, one signed purchase could be presented as many.
    package static func parse(_ receipt: ByteRange, _ buffer: inout ByteBuffer) throws(Unreadable) -> Parsed {
        let envelope = try reading("", .malformedContainer, receipt, buffer) { (reader) throws(MalformedReceipt) in
            try TransactionEnvelope(parsing: &reader)
        }
        let blob = try buffer.appendBase64(of: envelope.signature, named: .signature)
        let signature = try reading("signature: ", .malformedContainer, blob, buffer) {
            (reader) throws(MalformedReceipt) in try SignatureBlob(parsing: &reader)
        }
        let info = try buffer.appendBase64(of: envelope.purchaseInfo, named: .purchaseInfo)
        var transaction = try reading("purchase-info: ", .malformedPayload, info, buffer) {
            (reader) throws(MalformedReceipt) in try TransactionReceipt(parsing: &reader)
        }
        try buffer.resolveEscapes(of: &transaction)
        let stated = try envelope.environment.map { (text) throws(Unreadable) in try buffer.resolved(text).range }
        let purchase = InAppPurchase(transaction)
        let isSandbox = buffer.isOfSandbox(purchase) || buffer.says(sandbox, at: stated)
        let name = isSandbox ? sandbox : production
        // Apple states no environment for production.
        let isContradicted = stated == nil ? isSandbox : !buffer.says(name, at: stated)
        let environment = buffer.append(name)
        return Parsed(
            app: AppReceipt(transaction, environment: environment), purchase: purchase, statedEnvironment: stated,
            isEnvironmentContradicted: isContradicted, signature: signature, purchaseInfo: info)
    }

    private static let production = Array("Production".utf8)
    private static let sandbox = Array("Sandbox".utf8)

    package func verify(_ parsed: Parsed, in bytes: Span<UInt8>) throws(OpenSSLError) -> Verification {
        try verifier.verify(
            parsed.signature, of: parsed.purchaseInfo, in: bytes, purchasedAt: parsed.purchase.purchaseDate)
    }

    /// Parses a part of the buffer; errors name the part and the offset in it.
    private static func reading<Part>(
        _ name: String, _ reason: RejectionReason, _ range: ByteRange, _ buffer: ByteBuffer,
        _ parse: (inout ByteReader) throws(MalformedReceipt) -> Part
    ) throws(Unreadable) -> Part {
        do throws(MalformedReceipt) {
            var reader = ByteReader(buffer.span, in: range)
            return try parse(&reader)
        } catch {
            throw Unreadable(reason, name + error.description(relativeTo: range.offset))
        }
    }
}

extension ByteBuffer {
    /// Whether a range contains a transaction receipt instead of a container.
    package func holdsTransactionReceipt(_ range: ByteRange) -> Bool {
        ByteReader(span, in: range).beginsWithBrace
    }

    /// Appends the bytes that a property list's string contains in base64.
    package mutating func appendBase64(
        of text: PropertyList.Text, named key: TransactionKey
    ) throws(Unreadable) -> ByteRange {
        let characters: [UInt8]
        do throws(MalformedReceipt) {
            characters = try ByteReader(span).unescaped(text)
        } catch {
            let fault = error.description(relativeTo: text.range.offset)
            throw Unreadable(.malformedContainer, "\(key.rawValue): \(fault)")
        }
        guard let decoded = appendBase64(characters.span, in: characters.indices) else {
            throw Unreadable(.malformedContainer, "\(key.rawValue): no base64 text")
        }
        return decoded
    }

    /// Whether the identifier of a purchase, or of its first transaction, is a sandbox identifier.
    fileprivate func isOfSandbox(_ purchase: InAppPurchase) -> Bool {
        let reader = ByteReader(span)
        return reader.isSandboxTransactionID(purchase.transactionIdentifier)
            || (purchase.originalTransactionIdentifier.map { reader.isSandboxTransactionID($0) } ?? false)
    }

    fileprivate func says(_ text: [UInt8], at range: ByteRange?) -> Bool {
        range.map { ByteReader(span).matches($0, text) } ?? false
    }

    /// The text without escapes; if it has any, the unescaped text is appended to the buffer.
    fileprivate mutating func resolved(_ text: PropertyList.Text) throws(Unreadable) -> PropertyList.Text {
        guard text.hasEscapes else { return text }
        do throws(MalformedReceipt) {
            let characters = try ByteReader(span).unescaped(text)
            return PropertyList.Text(range: append(characters))
        } catch {
            throw Unreadable(.malformedPayload, error.description(relativeTo: text.range.offset))
        }
    }

    fileprivate mutating func resolveEscapes(of receipt: inout TransactionReceipt) throws(Unreadable) {
        receipt.transactionIdentifier = try resolved(receipt.transactionIdentifier)
        try resolve(&receipt.originalTransactionIdentifier)
        try resolve(&receipt.bundleIdentifier)
        try resolve(&receipt.appVersion)
        try resolve(&receipt.productIdentifier)
    }

    private mutating func resolve(_ text: inout PropertyList.Text?) throws(Unreadable) {
        if let escaped = text { text = try resolved(escaped) }
    }
}
