/// An app receipt's payload: what Apple states about one installation.
///
/// Texts and raw values are ranges of the bytes that were parsed; dates are milliseconds since 1970 UTC; nil means
/// absent or empty. Values are not trusted until the signature has been verified.
public struct AppReceipt: Sendable, Hashable {
    /// Apple's name of the environment, such as `Production` (attribute 0).
    public package(set) var environment: ByteRange?
    /// The app's identifier in the App Store (attribute 1).
    public package(set) var appItemID: Int64?
    /// The text of the app's bundle identifier (attribute 2).
    public package(set) var bundleIdentifier: ByteRange?
    /// The whole value of attribute 2, including ASN.1 tag and length, which is part of the device hash.
    public package(set) var bundleIdentifierBytes: ByteRange?
    /// The app's version (attribute 3).
    public package(set) var appVersion: ByteRange?
    /// The random bytes that are part of the device hash (attribute 4).
    public package(set) var opaqueValue: ByteRange?
    /// The device hash, of any length (attribute 5).
    public package(set) var sha1Hash: ByteRange?
    /// When Apple created the receipt (attribute 12).
    public package(set) var receiptCreationDate: Int64?
    /// The identifier of the download (attribute 15).
    public package(set) var downloadID: Int64?
    /// Apple's identifier of the app's version (attribute 16).
    public package(set) var versionExternalIdentifier: Int64?
    /// When the app was first obtained (attribute 18).
    public package(set) var originalPurchaseDate: Int64?
    /// The version of the app that was first obtained (attribute 19).
    public package(set) var originalApplicationVersion: ByteRange?
    /// When a receipt of the Volume Purchase Program expires (attribute 21).
    public package(set) var expirationDate: Int64?
    /// When the app was ordered before its release (attribute 32).
    public package(set) var preorderDate: Int64?
    /// The types of the receipt's own attributes that Apple does not document.
    public package(set) var undocumentedTypes = UndocumentedTypes(.app)
    /// The types of attributes that Apple does not document, in all purchases together; empty if purchases were
    /// skipped.
    public package(set) var undocumentedPurchaseTypes = UndocumentedTypes(.purchase)

    /// The maximum number of purchases in a receipt, which limits the memory for one line. The largest known receipts
    /// have some hundreds.
    public static let maximumPurchases = 20_000
    /// The maximum number of attributes in a payload besides its purchases, and in a purchase. Apple's payloads have
    /// some thirty.
    public static let maximumAttributes = 1_000

    /// The maximum size in bytes of an environment, a bundle identifier or a version. Apple allows 155 characters for a
    /// bundle identifier and some twenty for a version, and the longest known has 51. The database stores and sorts
    /// these names, and reports group by them, so a name of megabytes would slow down every later query. A document
    /// with a longer name is malformed: if the name were cut, it would be another app's.
    public static let maximumNameBytes = 255

    /// A receipt that states nothing.
    package init() {}
}
