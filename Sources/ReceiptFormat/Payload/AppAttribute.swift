/// Attribute types of an app receipt, by Apple's names where it gives one (Receipt Validation
/// Programming Guide, "Receipt Fields"; the other types are known from receipts).
public enum AppAttribute {
    /// Apple's name of the environment, such as `Production`; text.
    public static let environment: Int64 = 0
    /// The app's identifier in the App Store; an integer.
    public static let appItemID: Int64 = 1
    /// The app's bundle identifier; text.
    public static let bundleIdentifier: Int64 = 2
    /// The app's version, CFBundleVersion on iOS; text.
    public static let appVersion: Int64 = 3
    /// The random bytes that are part of the device hash; raw bytes.
    public static let opaqueValue: Int64 = 4
    /// The SHA-1 that ties the receipt to a device; 20 raw bytes.
    public static let sha1Hash: Int64 = 5
    /// When Apple created the receipt; a date.
    public static let receiptCreationDate: Int64 = 12
    /// The identifier of the download; an integer.
    public static let downloadID: Int64 = 15
    /// Apple's identifier of the app's version; an integer.
    public static let versionExternalIdentifier: Int64 = 16
    /// One in-app purchase receipt, a SET of ``PurchaseAttribute``; occurs once
    /// for each purchase.
    public static let inAppPurchaseReceipt: Int64 = 17
    /// When the app was first obtained; a date.
    public static let originalPurchaseDate: Int64 = 18
    /// The version of the app that was first obtained; text.
    public static let originalApplicationVersion: Int64 = 19
    /// When a receipt of the Volume Purchase Program expires; a date.
    public static let expirationDate: Int64 = 21
    /// When the app was ordered before its release; a date.
    public static let preorderDate: Int64 = 32
}

/// Attribute types of an in-app purchase receipt, by Apple's names where it gives
/// one (Receipt Validation Programming Guide, "In-App Purchase Receipt Fields").
public enum PurchaseAttribute {
    /// The number of items purchased; an integer.
    public static let quantity: Int64 = 1701
    /// The product's identifier; text.
    public static let productIdentifier: Int64 = 1702
    /// The transaction's identifier; text.
    public static let transactionIdentifier: Int64 = 1703
    /// When the product was purchased or restored; a date.
    public static let purchaseDate: Int64 = 1704
    /// The identifier of the transaction that was restored or renewed; text.
    public static let originalTransactionIdentifier: Int64 = 1705
    /// When the original transaction was made; a date.
    public static let originalPurchaseDate: Int64 = 1706
    /// The type of the product, see ``InAppPurchase/productType``; an integer.
    public static let productType: Int64 = 1707
    /// When the subscription's period ends; a date.
    public static let expiresDate: Int64 = 1708
    /// The identifier of a subscription's purchase across devices; an integer.
    public static let webOrderLineItemID: Int64 = 1711
    /// When Apple's support canceled the transaction; a date.
    public static let cancellationDate: Int64 = 1712
    /// Whether the period is a free trial; an integer, 0 or 1.
    public static let isTrialPeriod: Int64 = 1713
    /// Whether the period has an introductory price; an integer, 0 or 1.
    public static let isInIntroOfferPeriod: Int64 = 1719
    /// Why the transaction was canceled: 1 for an issue with the app, 0 for
    /// another reason; an integer or its decimal text.
    public static let cancellationReason: Int64 = 1720
    /// The identifier of a promotional offer that was redeemed; text.
    public static let promotionalOfferIdentifier: Int64 = 1721
}
