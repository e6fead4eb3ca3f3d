/// Attribute types of an app receipt, by Apple's names where it gives one
/// (Receipt Validation Programming Guide, "Receipt Fields"; the rest are known
/// from receipts).
public enum AppAttribute {
    public static let environment: Int64 = 0
    public static let appItemID: Int64 = 1
    public static let bundleIdentifier: Int64 = 2
    public static let appVersion: Int64 = 3
    public static let opaqueValue: Int64 = 4
    public static let sha1Hash: Int64 = 5
    public static let receiptCreationDate: Int64 = 12
    public static let downloadID: Int64 = 15
    public static let versionExternalIdentifier: Int64 = 16
    public static let inAppPurchaseReceipt: Int64 = 17
    public static let originalPurchaseDate: Int64 = 18
    public static let originalApplicationVersion: Int64 = 19
    public static let expirationDate: Int64 = 21
    public static let preorderDate: Int64 = 32
}

/// Attribute types of an in-app purchase receipt.
public enum PurchaseAttribute {
    public static let quantity: Int64 = 1701
    public static let productIdentifier: Int64 = 1702
    public static let transactionIdentifier: Int64 = 1703
    public static let purchaseDate: Int64 = 1704
    public static let originalTransactionIdentifier: Int64 = 1705
    public static let originalPurchaseDate: Int64 = 1706
    public static let productType: Int64 = 1707
    public static let expiresDate: Int64 = 1708
    public static let webOrderLineItemID: Int64 = 1711
    public static let cancellationDate: Int64 = 1712
    public static let isTrialPeriod: Int64 = 1713
    public static let isInIntroOfferPeriod: Int64 = 1719
    public static let cancellationReason: Int64 = 1720
    public static let promotionalOfferIdentifier: Int64 = 1721
}
