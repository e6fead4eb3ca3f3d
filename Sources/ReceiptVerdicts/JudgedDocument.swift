internal import Foundation
internal import ReceiptFormat
internal import ReceiptInspection
public import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// The environments of the store, of which a service expects one.
public enum ExpectedEnvironment: String, Sendable, CaseIterable {
    /// The environment in which customers pay.
    case production
    /// The sandbox, with TestFlight. Test stores on a developer's machine count as the sandbox, once their roots are
    /// trusted.
    case sandbox
}

/// A document that was judged for a service: by the three steps of the command `verify`, which are signature and chain,
/// app and device, purchases. The command shows whether a purchase has ended; here it is a reason to refuse.
public struct JudgedDocument: Sendable {
    /// The document with its verdict. Where it is not accepted, its statements are no reason to unlock anything.
    public let document: VerifiedDocument
    /// Whether the store signed the document, it is of the app, the environment and the device that were asked for, and
    /// the purchase that it is about gives a right to its product. An app receipt and a notification may be accepted
    /// without such a purchase: ``purchases`` says which there are.
    public let isAccepted: Bool
    /// The reasons for refusing the document, each a word, a colon and a sentence; empty where it is accepted.
    public let reasons: [String]
    /// The purchases of an accepted document that give a right to their products: neither refunded, revoked, ended nor
    /// upgraded.
    public var purchases: [VerifiedPurchase] { zip(document.purchases, areInForce).filter(\.1).map(\.0) }

    /// Whether each of the document's purchases is in ``purchases``.
    package let areInForce: [Bool]

    init(_ documents: VerifiedDocuments, expecting expectation: ReceiptExpectation, isDeviceAsked: Bool, at time: Int64)
    {
        document = VerifiedDocument(documents)
        let (row, batch) = (document.row, documents.batch)
        guard let receipt = documents.receipt(of: row) else {
            isAccepted = false
            reasons = row.fault.map { VerificationReport(unreadable: $0).reasons(expectation, batch.bytes.span) } ?? []
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
        reasons = report.reasons(expectation, batch.bytes.span) + (end.map { [$0] } ?? [])
        areInForce = documents.purchases(of: row).map { [isAccepted] purchase, receipt in
            isAccepted && purchase.end(documents.payload(of: receipt), at: time) == nil
        }
    }
}

extension DocumentVerifier {
    /// Judges whether a service may act on a document, as the command `verify` does with the same options, and whether
    /// the purchase that it is about is in force.
    ///
    /// - Parameters:
    ///   - document: a signed string, a receipt's bytes, or base64 of a receipt, with white space around.
    ///   - bundle: the bundle identifier of the app.
    ///   - environment: the environment of the store. A service that serves both asks for each, and keeps their
    ///     purchases apart.
    ///   - device: the device that presents the document: `identifierForVendor` or a Mac's MAC address for a receipt,
    ///     `AppStore.deviceVerificationID` for signed data. Where the device is nil, documents of all devices are
    ///     accepted.
    ///   - time: the time at which purchases must give a right to their products, in milliseconds since 1970 UTC; nil
    ///     takes the present.
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails, whatever the document.
    public func judge(
        _ document: [UInt8], bundle: String, environment: ExpectedEnvironment, device: String? = nil,
        at time: Int64? = nil
    ) throws(OpenSSLError) -> JudgedDocument {
        try judge(document.span, bundle: bundle, environment: environment, device: device, at: time)
    }

    /// Judges a document that is text.
    ///
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails, whatever the document.
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
