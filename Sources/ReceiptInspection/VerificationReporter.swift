internal import MillSystem
package import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Examines receipts one by one. Not for use by two threads at once: every
/// worker has its own.
struct VerificationReporter {
    private let expectation: ReceiptExpectation
    private let verifier: Verifier
    private let transactions: TransactionReceiptVerifier
    private let devices: DeviceChecker

    /// - Parameter issuers: certificates that transaction receipts need and don't
    ///   carry. None is learned from other receipts, so that no answer depends on
    ///   what was asked before.
    init(
        anchors: TrustAnchors, issuers: IssuerCertificates, expectation: ReceiptExpectation
    ) throws(MillError) {
        self.expectation = expectation
        (verifier, transactions, devices) = try MillError.wrapping { () throws(OpenSSLError) in
            (
                try Verifier(anchors: anchors), try TransactionReceiptVerifier(anchors: anchors, issuers: issuers),
                try DeviceChecker()
            )
        }
    }

    /// - Parameters:
    ///   - line: the receipt, and what was said beside it.
    ///   - octets: what its ranges point into; grows where content in chunks has
    ///     to be joined.
    ///   - now: milliseconds since 1970 UTC.
    func examine(
        _ line: DecodedLine, in octets: inout ByteBuffer, now: Int64
    ) throws(MillError) -> VerificationReport {
        var found = VerificationReport(receipt: line.receipt, digest: line.digest, kind: octets.kind(of: line.receipt))
        found.time = expectation.time ?? line.submittedAt ?? now
        let signed: Signed
        let app: AppReceipt
        do throws(Unreadable) {
            (signed, app) = try Self.open(&found, &octets)
        } catch {
            found.unreadable = error
            return found
        }
        found.app = app
        let claim = expectation.device.map { DeviceChecker.Claim.device($0) } ?? line.claim
        found.isDeviceAsked = claim != .none
        found.isServerClaimed = claim == .device(.server)
        (found.verification, found.deviceCheck) = try MillError.wrapping { () throws(OpenSSLError) in
            (
                try verify(signed, app, octets.span),
                try devices.check(app, in: octets.span, against: claim)
            )
        }
        found.appCheck = appCheck(app, octets.span, at: found.time)
        found.environmentCheck = environmentCheck(app, octets.span)
        return found
    }

    /// What was signed, in the form that its verifier takes.
    private enum Signed {
        case container(Container)
        case transaction(TransactionReceiptVerifier.Parsed)
    }

    private static func open(
        _ found: inout VerificationReport, _ octets: inout ByteBuffer
    ) throws(Unreadable) -> (signed: Signed, app: AppReceipt) {
        switch found.kind {
        case .appReceipt:
            let container = try octets.container(at: found.receipt)
            return (.container(container), try payload(container, octets.span, &found))
        case .transactionReceipt:
            let parsed = try TransactionReceiptVerifier.parse(found.receipt, &octets)
            found.purchases = [parsed.purchase]
            found.purchaseInfo = parsed.purchaseInfo
            found.statedEnvironment = parsed.statedEnvironment
            found.isEnvironmentContradicted = parsed.isEnvironmentContradicted
            return (.transaction(parsed), parsed.app)
        }
    }

    private func verify(
        _ signed: Signed, _ app: AppReceipt, _ octets: Span<UInt8>
    ) throws(OpenSSLError) -> Verification {
        switch signed {
        case .container(let container):
            try verifier.verify(container, in: octets, createdAt: app.receiptCreationDate)
        case .transaction(let parsed): try transactions.verify(parsed, in: octets)
        }
    }

    /// Reads a payload; where only a purchase of it is malformed, all but the
    /// purchases, so that the first two steps can still be taken.
    private static func payload(
        _ container: Container, _ octets: Span<UInt8>, _ found: inout VerificationReport
    ) throws(Unreadable) -> AppReceipt {
        let fault: Unreadable
        do throws(MalformedReceipt) {
            var reader = ByteReader(octets, in: container.content.range)
            return try AppReceipt(parsing: &reader, purchases: &found.purchases)
        } catch {
            found.purchases = []
            fault = Unreadable(payload: error, in: container.content.range, of: found.receipt)
            let isInPurchase = error.code == .tooManyPurchases || (error.attribute.map(isOfPurchases) ?? false)
            guard isInPurchase else { throw fault }
        }
        var reader = ByteReader(octets, in: container.content.range)
        guard let app = try? AppReceipt(parsingOwnAttributes: &reader) else { throw fault }
        found.purchaseFault = fault
        return app
    }

    private static func isOfPurchases(_ type: Int64) -> Bool {
        type == AppAttribute.inAppPurchaseReceipt || (1700..<1800).contains(type)
    }

    private func appCheck(_ app: AppReceipt, _ octets: Span<UInt8>, at time: Int64) -> AppCheck {
        func comparison(_ stated: ByteRange?, _ expected: String?) -> AppCheck.Comparison {
            AppCheck.Comparison(
                stated: expected == nil ? nil : stated.map { octets.text($0) }, expected: expected)
        }
        return AppCheck(
            bundle: comparison(app.bundleIdentifier, expectation.bundleID),
            version: comparison(app.appVersion, expectation.version), expirationDate: app.expirationDate, at: time)
    }

    private func environmentCheck(_ app: AppReceipt, _ octets: Span<UInt8>) -> VerificationReport.EnvironmentCheck {
        guard let asked = expectation.environment else { return .notAsked }
        // A receipt that does not say is refused by neither side.
        guard app.environment != nil else { return .notAsked }
        let stated = StoreEnvironment(attribute: app.environment.map { octets.text($0) })
        return stated?.isProduction == (asked == .production) ? .match : .mismatch
    }
}

extension ByteBuffer {
    /// Told by the first byte: no container begins with a brace.
    package func kind(of receipt: ByteRange) -> ReceiptKind {
        holdsTransactionReceipt(receipt) ? .transactionReceipt : .appReceipt
    }
}

/// What attribute 0 says of the store that gave a receipt.
enum StoreEnvironment: Equatable {
    case production
    case sandbox
    /// A local test store, such as Xcode's; the text is the attribute's.
    case local(String)

    /// Nil where the receipt doesn't say.
    init?(attribute: String?) {
        switch attribute {
        case nil: return nil
        case "Production", "ProductionVPP": self = .production
        case "ProductionSandbox", "ProductionVPPSandbox", "Sandbox": self = .sandbox
        case let other?: self = .local(other)
        }
    }

    var isProduction: Bool { self == .production }

    /// By the endpoint's word.
    var name: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .local(let name): name
        }
    }
}

extension Span<UInt8> {
    /// A property list's string without its escapes; nil where one stands for no
    /// character, which readers of property lists refuse.
    package func text(_ text: PropertyList.Text) -> String? {
        guard text.hasEscapes else { return self.text(text.range) }
        return (try? ByteReader(self).unescaped(text)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text at a range, which must lie within.
    package func text(_ range: ByteRange) -> String {
        extracting(range.indices).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
