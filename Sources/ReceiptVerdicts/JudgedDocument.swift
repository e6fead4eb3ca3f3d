internal import Foundation
internal import ReceiptFormat
internal import ReceiptInspection
public import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// The App Store environment that a service expects.
public enum ExpectedEnvironment: String, Sendable, CaseIterable {
    /// The environment in which customers pay.
    case production
    /// The sandbox, including TestFlight. Local test stores on a developer's machine count as the sandbox once their
    /// roots are trusted.
    case sandbox
}

/// A document that was judged for a service by the three steps of the command `verify`: signature and chain; app and
/// device; purchases. The command only shows that a purchase has ended; here, that is a reason to refuse the document.
public struct JudgedDocument: Sendable {
    /// The document with its verdict. If it is not accepted, nothing may be unlocked because of what it states.
    public let document: VerifiedDocument
    /// Whether the App Store signed the document, the document is for the expected app, environment and device, and its
    /// purchase entitles to the product. An app receipt or a notification may be accepted without such a purchase:
    /// ``purchases`` lists those that exist.
    public let isAccepted: Bool
    /// The reasons for refusing the document, each a word, a colon and a sentence; empty if it is accepted.
    public let reasons: [String]
    /// The purchases of an accepted document that entitle to their products: they are not refunded, revoked, expired or
    /// upgraded.
    public var purchases: [VerifiedPurchase] { zip(document.purchases, areInForce).filter(\.1).map(\.0) }

    /// For each of the document's purchases, whether it is in ``purchases``.
    package let areInForce: [Bool]

    init(
        _ documents: VerifiedDocumentList, expecting expectation: ReceiptExpectation, isDeviceAsked: Bool,
        at time: Int64
    ) {
        document = VerifiedDocument(documents)
        let (row, batch) = (document.row, documents.batch)
        guard let receipt = documents.receipt(of: row) else {
            isAccepted = false
            reasons = row.fault.map { VerificationReport(unreadable: $0).reasons } ?? []
            areInForce = []
            return
        }
        let held = zip(batch.parts[row.parts], batch.receipts[row.receipts.dropFirst()]).map {
            (part: $0.part, receipt: $1)
        }
        let report = VerificationReport(
            on: receipt, holding: held, fault: row.fault, of: batch, device: isDeviceAsked ? row.deviceCheck : nil,
            expecting: expectation, at: time)
        let end = report.end
        isAccepted = report.isAccepted && end == nil
        reasons = report.reasons + (end.map { [$0] } ?? [])
        areInForce = documents.purchases(of: row).map { [isAccepted] purchase, receipt in
            isAccepted && purchase.end(documents.payload(of: receipt), at: time) == nil
        }
    }
}

extension DocumentVerifier {
    /// Judges whether a service may act on a document, like the command `verify` with the same options, and whether the
    /// document's purchase is in force.
    ///
    /// - Parameters:
    ///   - document: a signed string, a receipt's bytes, or base64 of a receipt; surrounding white space is ignored.
    ///   - bundle: the bundle identifier of the app.
    ///   - environment: the App Store environment. A service for both environments has to judge each document for its
    ///     environment, and to keep their purchases apart.
    ///   - device: the device that presents the document: `identifierForVendor` or a Mac's MAC address for a receipt,
    ///     `AppStore.deviceVerificationID` for signed data. Nil accepts documents of all devices.
    ///   - time: the time at which purchases must entitle to their products, in milliseconds since 1970 UTC; nil for
    ///     now.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, regardless of the document.
    public func judge(
        _ document: [UInt8], bundle: String, environment: ExpectedEnvironment, device: String? = nil,
        at time: Int64? = nil
    ) throws(OpenSSLError) -> JudgedDocument {
        try judge(document.span, bundle: bundle, environment: environment, device: device, at: time)
    }

    /// Judges a document that is text.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, regardless of the document.
    public func judge(
        _ document: String, bundle: String, environment: ExpectedEnvironment, device: String? = nil,
        at time: Int64? = nil
    ) throws(OpenSSLError) -> JudgedDocument {
        try judge(Array(document.utf8), bundle: bundle, environment: environment, device: device, at: time)
    }

    package func judge(
        _ document: Span<UInt8>, bundle: String, environment: ExpectedEnvironment, device: String?, at time: Int64?
    ) throws(OpenSSLError) -> JudgedDocument {
        var expectation = ReceiptExpectation()
        expectation.bundleID = bundle
        expectation.environment = StoreEnvironment(rawValue: environment.rawValue)
        if let text = device.map({ Array($0.utf8) }) {
            expectation.device = DeviceIdentifier(parsing: text.span, in: ByteRange(offset: 0, count: text.count))
        }
        let found = try verify(document, [document.indices], presentedBy: device)
        return JudgedDocument(
            found, expecting: expectation, isDeviceAsked: device != nil,
            at: time ?? Int64(Date().timeIntervalSince1970 * 1000))
    }
}
