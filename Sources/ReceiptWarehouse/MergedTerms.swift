internal import ReceiptFormat
internal import ReceiptTrust
internal import SignedDataFormat

/// The terms of one purchase, merged from the signed transactions that state them.
///
/// Each term comes from the newest document that states it: the store left prices out
/// for some days of December 2023, and older data lacks them. `is_upgraded` comes from
/// the newest of all. Whatever the order of the documents, the result is the same.
struct MergedTerms {
    /// A document, as the merge rule compares it.
    struct Source {
        /// When it was signed, milliseconds since 1970.
        let signedAt: Int64
        let digest: SHA256Digest
        /// Its number in the database.
        let receipt: Int64

        /// Whether it was signed later; ties go to the greater SHA-256.
        func isLater(than other: Source) -> Bool {
            signedAt != other.signedAt ? signedAt > other.signedAt : digest > other.digest
        }
    }

    /// Terms that are stated, or not, together. In the order of the schema's columns.
    enum Term: Int, CaseIterable {
        case price, storefront, ownership, offer, reason, subscriptionGroup, accountToken, appTransaction

        var sourceColumn: String {
            switch self {
            case .price: "price_receipt_id"
            case .storefront: "storefront_receipt_id"
            case .ownership: "ownership_receipt_id"
            case .offer: "offer_receipt_id"
            case .reason: "reason_receipt_id"
            case .subscriptionGroup: "subscription_group_receipt_id"
            case .accountToken: "app_account_token_receipt_id"
            case .appTransaction: "app_transaction_receipt_id"
            }
        }

        func isStated(by terms: TransactionTerms) -> Bool {
            switch self {
            case .price: terms.price != nil
            case .storefront: terms.storefront != nil
            case .ownership: terms.ownership != nil
            case .offer:
                terms.offerType != nil || terms.offerID != nil || terms.offerDiscountType != nil
                    || terms.offerPeriod != nil
            case .reason: terms.transactionReason != nil
            case .subscriptionGroup: terms.subscriptionGroupID != nil
            case .accountToken: terms.appAccountToken != nil
            case .appTransaction: terms.appTransactionID != nil
            }
        }
    }

    /// Indices among a window's sources; -1 where no document states the term.
    private(set) var sources = SIMD8<Int32>(repeating: -1)
    /// The same of the newest document.
    private(set) var newest: Int32 = -1
    private(set) var terms = TransactionTerms()

    /// Merges the terms that a document states.
    ///
    /// - Parameters:
    ///   - stated: what the document states.
    ///   - source: its index among `all`.
    ///   - copy: copies a text to where the merged texts are.
    mutating func merge(
        _ stated: TransactionTerms, by source: Int32, among all: [Source], copy: (ByteRange) -> ByteRange
    ) {
        if isLater(source, than: newest, all) {
            newest = source
            terms.isUpgraded = stated.isUpgraded
        }
        for term in Term.allCases where term.isStated(by: stated) && isLater(source, than: sources[term.rawValue], all)
        {
            take(term, of: stated, by: source, copy: copy)
        }
    }

    /// Merges what is stored of the same purchase: terms whose documents may differ.
    mutating func merge(
        stored: TransactionTerms, by storedSources: SIMD8<Int32>, newest storedNewest: Int32, among all: [Source],
        copy: (ByteRange) -> ByteRange
    ) {
        if isLater(storedNewest, than: newest, all) {
            newest = storedNewest
            terms.isUpgraded = stored.isUpgraded
        }
        for term in Term.allCases where term.isStated(by: stored) {
            let source = storedSources[term.rawValue]
            if isLater(source, than: sources[term.rawValue], all) { take(term, of: stored, by: source, copy: copy) }
        }
    }

    private func isLater(_ source: Int32, than other: Int32, _ all: [Source]) -> Bool {
        other < 0 || all[Int(source)].isLater(than: all[Int(other)])
    }

    private mutating func take(
        _ term: Term, of stated: TransactionTerms, by source: Int32, copy: (ByteRange) -> ByteRange
    ) {
        sources[term.rawValue] = source
        switch term {
        case .price: (terms.price, terms.currency) = (stated.price, stated.currency.map(copy))
        case .storefront: terms.storefront = stated.storefront.map(copy)
        case .ownership: terms.ownership = stated.ownership.map(copy)
        case .offer:
            (terms.offerType, terms.offerID) = (stated.offerType, stated.offerID.map(copy))
            (terms.offerDiscountType, terms.offerPeriod) =
                (stated.offerDiscountType.map(copy), stated.offerPeriod.map(copy))
        case .reason: terms.transactionReason = stated.transactionReason.map(copy)
        case .subscriptionGroup: terms.subscriptionGroupID = stated.subscriptionGroupID.map(copy)
        case .accountToken: terms.appAccountToken = stated.appAccountToken.map(copy)
        case .appTransaction: terms.appTransactionID = stated.appTransactionID.map(copy)
        }
    }
}
