/// The purpose that a signer's certificate must have.
enum SigningPurpose: Sendable, Hashable, CaseIterable {
    /// The signing of app receipts, and of transaction receipts with a signature of
    /// version 3, which have the same signer.
    case appReceipts
    /// The signing of transaction receipts with a signature of version 2, by the
    /// iTunes Store until 2016.
    case iTunesStorePurchases
    /// The signing of signed data of StoreKit 2.
    case signedData

    var signerMarker: AppleMarker {
        self == .iTunesStorePurchases ? .purchaseReceiptSigning : .receiptSigning
    }

    var signerMarkerName: String {
        self == .iTunesStorePurchases ? "purchase-receipt-signing" : "receipt-signing"
    }

    /// The marker of the intermediate; nil if none is required.
    ///
    /// Apple's developers get certificates from the developer-relations intermediate
    /// as well, so the signer of app receipts needs its own marker and its issuer's.
    /// The iTunes Store's intermediate issued certificates to the store alone, so its
    /// marker (1.2.840.113635.100.6.2.2) would add nothing: no other issuer under an
    /// anchor writes the signer's.
    var intermediateMarker: AppleMarker? {
        self == .iTunesStorePurchases ? nil : .intermediate
    }

    /// The size of the signer's shortest accepted RSA key.
    ///
    /// 1024 bits are the one exception from ``ChainRules/minimumKeyBits``: from 2009
    /// to 2016 the iTunes Store signed with such keys, and its receipts of that time
    /// exist in no stronger form. The exception holds for the signer alone, for
    /// signatures of a fixed size that fits no longer key, and only with a marker
    /// that Apple's own intermediate wrote. No such key is known to be broken; a
    /// broken one could forge purchases dated before 2016 and no others.
    var minimumSignerKeyBits: Int {
        self == .iTunesStorePurchases ? 1024 : ChainRules.minimumKeyBits
    }
}
