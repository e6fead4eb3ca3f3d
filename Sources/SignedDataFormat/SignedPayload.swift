package import ReceiptFormat

/// The values of a signed document, in slots of the table of fields (``SignedField/table``).
///
/// Texts are ranges of the buffer in which the document was parsed; dates are milliseconds since 1970 UTC. A slot is
/// nil if the document has no such member, a JSON null, or a value of another type. Values are not trusted until the
/// signature has been verified.
package struct SignedPayload: Sendable, Equatable {
    package var kind = ReceiptKind.signedTransaction
    /// The values of the document itself.
    package var values = SlotValues(of: .document)
    /// Contents that only few documents have; nil if there are none. They are one reference, because a payload is
    /// copied several times on its way to the database.
    package var extras: SignedExtras?

    package init() {}

    package subscript(field: TextField) -> ByteRange? {
        get { values[text: field.rawValue] }
        set { values[text: field.rawValue] = newValue }
    }

    package subscript(field: NumberField) -> Int64? {
        get { values[number: field.rawValue] }
        set { values[number: field.rawValue] = newValue }
    }

    /// The text in a slot of the document; nil if the document states none.
    package subscript(text slot: Int) -> ByteRange? {
        get { values[text: slot] }
        set { values[text: slot] = newValue }
    }

    /// The number in a slot of the document. A flag is 0 or 1, and a share is stored as the bits of a Double.
    package subscript(number slot: Int) -> Int64? {
        get { values[number: slot] }
        set { values[number: slot] = newValue }
    }

    /// The share in a slot of the document; nil if the number is not from 0 to 1.
    package subscript(share slot: Int) -> Double? { values[share: slot] }

    /// The text of a field by its name in Apple's JSON, for code in which speed does not matter.
    package func text(_ name: String) -> ByteRange? {
        guard case .text(let slot) = SignedField.named(name)?.slot else { return nil }
        return self[text: slot]
    }

    /// The number, date or flag of a field by its name in Apple's JSON.
    package func number(_ name: String) -> Int64? {
        guard case .number(let slot) = SignedField.named(name)?.slot else { return nil }
        return self[number: slot]
    }

    package func has(_ slot: SignedField.Slot) -> Bool { values.has(slot) }

    /// Whether the payload states details of a revocation without its date, which don't count as a revocation.
    package var hasUndatedRevocation: Bool {
        self[.revocationDate] == nil && Self.revocation.contains { has($0) }
    }

    /// Removes the details of a revocation that has no date.
    package mutating func removeUndatedRevocation() {
        guard hasUndatedRevocation else { return }
        for slot in Self.revocation { values.take(slot, of: SlotValues(of: .document)) }
    }

    private static let revocation = SignedField.table.compactMap { $0.merge == .withRevocation ? $0.slot : nil }

    /// Replaces the ranges of all stored texts, for instance when the texts are copied to another buffer. Signed
    /// strings in the document and the proof of its device keep their ranges, because they are not stored.
    ///
    /// - Parameter map: returns the new range of a text; the slot is nil for texts outside the document's own values,
    ///   which identify no person.
    package mutating func mapTexts<Failure>(
        _ map: (_ slot: Int?, ByteRange) throws(Failure) -> ByteRange
    ) throws(Failure) {
        for slot in Self.storedTexts {
            if let text = values[text: slot] { values[text: slot] = try map(slot, text) }
        }
        guard let former = extras, var commerce = former.commerce else { return }
        try commerce.mapTexts { (text) throws(Failure) in try map(nil, text) }
        extras = SignedExtras(commerce: commerce, unknown: former.unknown)
    }

    private static let storedTexts: [Int] = SignedField.table.compactMap { field in
        guard field.record == .document, case .text(let slot) = field.slot, field.type != .signedString,
            field.type != .deviceProof
        else { return nil }
        return slot
    }
}

extension SignedPayload {
    /// Whether the payload contains a text that identifies a person.
    package var statesPerson: Bool { SignedField.persons.contains { self[text: $0.slot] != nil } }

    /// What the payload states about the app, as attributes of an app receipt, so that all kinds of documents can be
    /// treated alike.
    package var app: AppReceipt {
        var app = AppReceipt()
        app.environment = self[.environment]
        app.appItemID = self[.appAppleID]
        app.bundleIdentifier = self[.bundleID]
        app.receiptCreationDate = self[.signedDate]
        guard kind == .appTransaction else { return app }
        app.appVersion = self[.applicationVersion]
        app.versionExternalIdentifier = self[.versionExternalIdentifier]
        app.originalPurchaseDate = self[.originalPurchaseDate]
        app.originalApplicationVersion = self[.originalApplicationVersion]
        app.preorderDate = self[.preorderDate]
        return app
    }

    /// The purchase that a transaction states; nil for other kinds.
    package func purchase(in bytes: Span<UInt8>) -> InAppPurchase? {
        guard kind == .signedTransaction, let transactionID = self[.transactionID] else { return nil }
        let reader = ByteReader(bytes)
        var purchase = InAppPurchase(transactionIdentifier: transactionID)
        purchase.originalTransactionIdentifier = self[.originalTransactionID]
        purchase.productIdentifier = self[.productID]
        purchase.quantity = self[.quantity]
        purchase.productType = self[.productType].map { type in
            Self.productTypes.first { reader.matches(type, $0.name) }?.number ?? -1
        }
        purchase.purchaseDate = self[.purchaseDate]
        purchase.originalPurchaseDate = self[.originalPurchaseDate]
        purchase.expiresDate = self[.expiresDate]
        purchase.cancellationDate = self[.revocationDate]
        purchase.cancellationReason = self[.revocationReason]
        purchase.webOrderLineItemID = self[.webOrderLineItemID]
        let offerType = self[.offerType]
        let isFree = self[.offerDiscountType].map { reader.matches($0, "FREE_TRIAL") }
        if offerType != 1 || isFree != nil {
            purchase.isTrialPeriod = isFree == true ? 1 : 0
            purchase.isInIntroOfferPeriod = offerType == 1 && isFree == false ? 1 : 0
        }
        if offerType == 2 { purchase.promotionalOfferIdentifier = self[.offerID] }
        return purchase
    }

    /// The numbers of attribute 1707 by the names of types in signed data.
    private static let productTypes: [(name: StaticString, number: Int64)] = [
        ("Auto-Renewable Subscription", 3), ("Non-Consumable", 0), ("Consumable", 1),
        ("Non-Renewing Subscription", 2),
    ]

    /// The signed strings inside the document, in this order: transaction, renewal info, app transaction.
    package var parts: [(part: SignedPart, text: ByteRange)] {
        [
            self[.signedTransaction].map { (.transaction, $0) }, self[.signedRenewal].map { (.renewal, $0) },
            self[.signedAppTransaction].map { (.appTransaction, $0) },
        ].compactMap { $0 }
    }
}

/// The place of a document in the notification that contains it. The raw values are those of the database.
package enum SignedPart: String, Sendable, Hashable, CaseIterable {
    case transaction, renewal
    case appTransaction = "app_transaction"

    /// The part's position in the order in which parts are read and written.
    package var rank: Int {
        switch self {
        case .transaction: 0
        case .renewal: 1
        case .appTransaction: 2
        }
    }
}
