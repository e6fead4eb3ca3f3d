/// What a signer's certificate has to be made for.
enum SigningPurpose: Sendable, Hashable, CaseIterable {
    /// App receipts, and transaction receipts whose signature is of version 3:
    /// the signer is the same.
    case appReceipts
    /// Transaction receipts whose signature is of version 2, by the signer of the
    /// iTunes Store until 2016.
    case iTunesStorePurchases

    var signerMarker: AppleMarker {
        self == .appReceipts ? .receiptSigning : .purchaseReceiptSigning
    }

    var signerMarkerName: String {
        self == .appReceipts ? "receipt-signing" : "purchase-receipt-signing"
    }

    /// The marker of the intermediate, where one is demanded.
    ///
    /// Apple's developers get certificates from the developer-relations
    /// intermediate as well, so the signer of app receipts is told from them by
    /// its own marker and its issuer's. The iTunes Store's intermediate issued to
    /// nobody but the store, so its own marker (1.2.840.113635.100.6.2.2) would
    /// add nothing: no other issuer under an anchor writes the signer's.
    var intermediateMarker: AppleMarker? {
        self == .appReceipts ? .intermediate : nil
    }

    /// The one exception from ``ChainRules/minimumKeyBits``: from 2009 to 2016 the
    /// iTunes Store signed with keys of 1024 bits, and no receipt of that time can
    /// be had that is signed better. It holds for the signer alone, for receipts
    /// whose signature has room for no longer key, and only behind a marker that
    /// Apple's own intermediate wrote. Nobody has broken such a key in public; who
    /// could, would forge purchases dated before 2016 and no others.
    var minimumSignerKeyBits: Int {
        self == .appReceipts ? ChainRules.minimumKeyBits : 1024
    }
}
