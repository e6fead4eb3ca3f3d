package import ReceiptFormat
package import ReceiptTrust

/// Reads and verifies transaction receipts of iOS 6 and before.
package struct TransactionReceiptVerifier {
    private let verifier: TransactionVerifier

    package init(anchors: TrustAnchors, issuers: IssuerCertificates) throws(OpenSSLError) {
        verifier = try TransactionVerifier(anchors: anchors, issuers: issuers)
    }

    /// A transaction receipt's parts, as places in the buffer that it was parsed
    /// with.
    package struct Parsed {
        package let app: AppReceipt
        package let purchase: InAppPurchase
        /// What the envelope says of it, outside the signature; nil where it says
        /// nothing.
        package let statedEnvironment: ByteRange?
        /// The envelope says of it something else than it is taken for.
        package let isEnvironmentContradicted: Bool
        package let signature: SignatureBlob
        /// The decoded `purchase-info`, which is what was signed.
        package let purchaseInfo: ByteRange
    }

    /// Reads a receipt. What is base64 inside it is decoded behind it, so that
    /// all ranges point into one buffer.
    ///
    /// What is signed tells the environment as far as it can: a number of the
    /// sandbox makes it `Sandbox`, whatever stands around it. Else the envelope may
    /// say so; whatever else it says, the store meant production. Were it taken at
    /// its word, one signed purchase could be presented as many.
    package static func parse(_ receipt: ByteRange, _ octets: inout ByteBuffer) throws(Unreadable) -> Parsed {
        let envelope = try reading("", .malformedContainer, receipt, octets) { (reader) throws(MalformedReceipt) in
            try TransactionEnvelope(parsing: &reader)
        }
        let blob = try octets.appendBase64(of: envelope.signature, named: .signature)
        let signature = try reading("signature: ", .malformedContainer, blob, octets) {
            (reader) throws(MalformedReceipt) in try SignatureBlob(parsing: &reader)
        }
        let info = try octets.appendBase64(of: envelope.purchaseInfo, named: .purchaseInfo)
        var transaction = try reading("purchase-info: ", .malformedPayload, info, octets) {
            (reader) throws(MalformedReceipt) in try TransactionReceipt(parsing: &reader)
        }
        try octets.resolveEscapes(of: &transaction)
        let stated = try envelope.environment.map { (text) throws(Unreadable) in try octets.resolved(text).range }
        let purchase = InAppPurchase(transaction)
        let isSandbox = octets.isOfSandbox(purchase) || octets.says(sandbox, at: stated)
        let name = isSandbox ? sandbox : production
        // The store names none where it means production.
        let isContradicted = stated == nil ? isSandbox : !octets.says(name, at: stated)
        let environment = octets.append(name, in: name.indices)
        return Parsed(
            app: AppReceipt(transaction, environment: environment), purchase: purchase, statedEnvironment: stated,
            isEnvironmentContradicted: isContradicted, signature: signature, purchaseInfo: info)
    }

    private static let production = Array("Production".utf8)
    private static let sandbox = Array("Sandbox".utf8)

    package func verify(_ parsed: Parsed, in octets: Span<UInt8>) throws(OpenSSLError) -> Verification {
        try verifier.verify(
            parsed.signature, of: parsed.purchaseInfo, in: octets, purchasedAt: parsed.purchase.purchaseDate)
    }

    /// Parses a part of the buffer; its faults name the part and the place in it.
    private static func reading<Part>(
        _ name: String, _ reason: RejectionReason, _ range: ByteRange, _ octets: ByteBuffer,
        _ parse: (inout ByteReader) throws(MalformedReceipt) -> Part
    ) throws(Unreadable) -> Part {
        do throws(MalformedReceipt) {
            var reader = ByteReader(octets.span, in: range)
            return try parse(&reader)
        } catch {
            throw Unreadable(reason, name + error.description(relativeTo: range.offset))
        }
    }
}

extension ByteBuffer {
    /// Whether a range holds a transaction receipt rather than a container.
    package func holdsTransactionReceipt(_ range: ByteRange) -> Bool {
        ByteReader(span, in: range).beginsWithBrace
    }

    /// Appends what a property list's string decodes to.
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
        guard let decoded = appendBase64(characters, in: characters.indices) else {
            throw Unreadable(.malformedContainer, "\(key.rawValue): no base64 text")
        }
        return decoded
    }

    /// A purchase's number, or that of its first transaction, is the sandbox's.
    fileprivate func isOfSandbox(_ purchase: InAppPurchase) -> Bool {
        let reader = ByteReader(span)
        return reader.isSandboxTransactionID(purchase.transactionIdentifier)
            || (purchase.originalTransactionIdentifier.map { reader.isSandboxTransactionID($0) } ?? false)
    }

    fileprivate func says(_ text: [UInt8], at range: ByteRange?) -> Bool {
        range.map { ByteReader(span).matches($0, text) } ?? false
    }

    /// The same text without escapes, written behind the others if it has any.
    fileprivate mutating func resolved(_ text: PropertyList.Text) throws(Unreadable) -> PropertyList.Text {
        guard text.hasEscapes else { return text }
        do throws(MalformedReceipt) {
            let characters = try ByteReader(span).unescaped(text)
            return PropertyList.Text(range: append(characters, in: characters.indices))
        } catch {
            throw Unreadable(.malformedPayload, error.description(relativeTo: text.range.offset))
        }
    }

    fileprivate mutating func resolveEscapes(of receipt: inout TransactionReceipt) throws(Unreadable) {
        receipt.transactionIdentifier = try resolved(receipt.transactionIdentifier)
        if let text = receipt.originalTransactionIdentifier {
            receipt.originalTransactionIdentifier = try resolved(text)
        }
        if let text = receipt.bundleIdentifier { receipt.bundleIdentifier = try resolved(text) }
        if let text = receipt.appVersion { receipt.appVersion = try resolved(text) }
        if let text = receipt.productIdentifier { receipt.productIdentifier = try resolved(text) }
    }
}
