/// The purpose that a signer's certificate must have.
enum SigningPurpose: Sendable, Hashable, CaseIterable {
    /// Signing app receipts, and transaction receipts with a signature of version 3, which have the same signer.
    case appReceipts
    /// Signing transaction receipts with a signature of version 2, by the iTunes Store until 2016.
    case iTunesStorePurchases
    /// Signing StoreKit 2's signed data.
    case signedData

    var signerMarker: AppleMarker {
        self == .iTunesStorePurchases ? .purchaseReceiptSigning : .receiptSigning
    }

    var signerMarkerName: String {
        self == .iTunesStorePurchases ? "purchase-receipt-signing" : "receipt-signing"
    }

    /// The marker (Apple's certificate extension) of the intermediate; nil if none is required.
    ///
    /// Apple's developers also get certificates from the developer-relations intermediate, so both the signer of app
    /// receipts and its issuer need a marker. The iTunes Store's intermediate issued certificates only to the store, so
    /// requiring its marker (1.2.840.113635.100.6.2.2) would add nothing: no other issuer below an anchor writes the
    /// signer's marker.
    var intermediateMarker: AppleMarker? {
        self == .iTunesStorePurchases ? nil : .intermediate
    }

    /// The minimum size of the signer's RSA key in bits.
    ///
    /// 1024 bits are the only exception from ``ChainRules/minimumKeyBits``: from 2009 to 2016 the iTunes Store signed
    /// with such keys, and its receipts of that time exist in no stronger form. The exception applies only to the
    /// signer, only to signatures of a fixed size that fits no longer key, and only with a marker that Apple's own
    /// intermediate wrote. No such key is known to be broken; with a broken one, only purchases dated before 2016 could
    /// be forged.
    var minimumSignerKeyBits: Int {
        self == .iTunesStorePurchases ? 1024 : ChainRules.minimumKeyBits
    }
}
