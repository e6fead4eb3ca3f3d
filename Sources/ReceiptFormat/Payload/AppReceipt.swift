/// An app receipt's payload: what the store says of one installation.
///
/// Texts and raw values are places in the bytes that were parsed, dates
/// milliseconds since 1970 UTC; nil means absent or empty. Everything here is a
/// claim until the signature has been verified.
public struct AppReceipt: Sendable, Hashable {
    public package(set) var environment: ByteRange?
    public package(set) var appItemID: Int64?
    public package(set) var bundleIdentifier: ByteRange?
    /// The whole octet string of the bundle identifier, ASN.1 tag and length
    /// included: what the device hash is computed over.
    public package(set) var bundleIdentifierBytes: ByteRange?
    public package(set) var appVersion: ByteRange?
    public package(set) var opaqueValue: ByteRange?
    public package(set) var sha1Hash: ByteRange?
    public package(set) var receiptCreationDate: Int64?
    public package(set) var downloadID: Int64?
    public package(set) var versionExternalIdentifier: Int64?
    public package(set) var originalPurchaseDate: Int64?
    public package(set) var originalApplicationVersion: ByteRange?
    public package(set) var expirationDate: Int64?
    public package(set) var preorderDate: Int64?
    /// Types of its own attributes that Apple does not document.
    public package(set) var undocumentedTypes = UndocumentedTypes(.app)
    /// Those of its purchases' attributes, of all purchases together, where they
    /// were read.
    public package(set) var undocumentedPurchaseTypes = UndocumentedTypes(.purchase)

    /// How many purchases a receipt may hold; the largest receipts seen hold
    /// some hundreds. Bounds what one line can make the mill remember.
    public static let maximumPurchases = 20_000
    /// How many attributes a payload may hold beside its purchases. The store's
    /// hold some thirty.
    public static let maximumAttributes = 1_000

    /// A receipt that states nothing.
    package init() {}
}
