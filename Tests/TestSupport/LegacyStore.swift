internal import Foundation

/// A store of iOS 6 with throw-away keys, made by OpenSSL's command-line tool
/// alone: a root, an intermediate, and a signer of purchase receipts.
public final class LegacyStore {
    public enum Marker: String {
        case purchaseReceiptSigning = "1.2.840.113635.100.6.5.1"
        case receiptSigning = "1.2.840.113635.100.6.11.1"
        case developerRelations = "1.2.840.113635.100.6.2.1"
        /// The developers' own, in no way a store's.
        case development = "1.2.840.113635.100.6.1.2"
    }

    private typealias ToolFailed = ThrowAwayCertificates.ToolFailed

    public let workdir: Workdir
    public let version: UInt8

    /// Makes certificates, valid for a day from now.
    ///
    /// - Parameter hasOwnKeys: whether its keys are none of those that stores have without this.
    public init(
        version: UInt8 = 2, signerBits: Int? = nil, signerExponent: String? = nil, signerMarker: Marker? = nil,
        intermediateMarker: Marker? = nil, hasOwnKeys: Bool = false
    ) throws {
        self.version = version
        workdir = try Workdir()
        let certificates = ThrowAwayCertificates(
            workdir: workdir, owner: hasOwnKeys ? "another legacy store" : "legacy store")
        let bits = signerBits ?? (version == 2 ? 1024 : 2048)
        let marker = signerMarker ?? (version == 2 ? .purchaseReceiptSigning : .receiptSigning)
        let above = intermediateMarker ?? (version == 2 ? nil : .developerRelations)
        func make(
            _ name: String, issuer: String?, serial: String, bits: Int = 2048, exponent: String? = nil,
            _ extensions: [String]
        ) throws {
            var request = ReceiptStore.Request(issuer: issuer, extensions: extensions)
            request.key =
                ["-newkey", "rsa:\(bits)"] + (exponent.map { ["-pkeyopt", "rsa_keygen_pubexp:\($0)"] } ?? [])
            request.digest = "-sha1"
            request.serial = serial
            try certificates.make(name, request)
        }
        let issuing = ReceiptStore.Request.authority()
        try make("root", issuer: nil, serial: "1", issuing)
        try make("intermediate", issuer: "root", serial: "7", issuing + (above.map { [Self.line($0)] } ?? []))
        try make(
            "signer", issuer: "intermediate", serial: "7", bits: bits, exponent: signerExponent,
            ["basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature", Self.line(marker)])
    }

    private static func line(_ marker: Marker) -> String { "\(marker.rawValue)=ASN1:NULL" }

    public var root: [UInt8] { get throws { try workdir.read("root.der") } }
    public var intermediate: [UInt8] { get throws { try workdir.read("intermediate.der") } }
    public var signer: [UInt8] { get throws { try workdir.read("signer.der") } }

    /// The decoded `signature` over a `purchase-info`.
    public func blob(over info: [UInt8]) throws -> [UInt8] {
        try workdir.write([version] + info, to: "signed")
        guard try workdir.openssl("dgst", "-sha1", "-sign", "signer.key", "-out", "signature", "signed") != nil else {
            throw ToolFailed(what: "dgst")
        }
        let certificate = try signer
        let count = (0..<4).map { UInt8(truncatingIfNeeded: certificate.count >> (24 - 8 * $0)) }
        return [version] + (try workdir.read("signature")) + count + certificate
    }

    /// A `purchase-info` of a purchase made now, or at `milliseconds`.
    public static func purchaseInfo(
        transaction: String, product: String = "com.example.gold", milliseconds: Int64? = nil
    ) -> [UInt8] {
        let date = milliseconds ?? Int64(Date().timeIntervalSince1970 * 1000) + 1000
        return Array(
            """
            {
            \t"transaction-id" = "\(transaction)";
            \t"original-transaction-id" = "\(transaction)";
            \t"product-id" = "\(product)";
            \t"bid" = "com.example.app";
            \t"bvrs" = "1.2";
            \t"quantity" = "1";
            \t"purchase-date-ms" = "\(date)";
            }
            """.utf8)
    }

    /// An app receipt that holds nothing but its creation date, now, perhaps an
    /// expiration date in ISO 8601, and the whole chain of certificates.
    public func appReceipt(expiring expiration: String? = nil) throws -> [UInt8] {
        let created = PayloadBytes.attribute(12, PayloadBytes.date(Date() + 1))
        let expires = expiration.map { [PayloadBytes.attribute(21, PayloadBytes.date($0))] } ?? []
        return try container(PayloadBytes.payload([created] + expires))
    }

    /// A payload signed as an app receipt is, with the whole chain of certificates.
    public func container(_ payload: [UInt8]) throws -> [UInt8] {
        try workdir.write(payload, to: "payload")
        try workdir.write(try workdir.read("intermediate.pem") + workdir.read("root.pem"), to: "chain.pem")
        guard
            try workdir.openssl(
                "cms", "-sign", "-binary", "-nodetach", "-noattr", "-md", "sha1", "-signer", "signer.pem", "-inkey",
                "signer.key", "-certfile", "chain.pem", "-in", "payload", "-outform", "DER", "-out", "container") != nil
        else { throw ToolFailed(what: "cms") }
        return try workdir.read("container")
    }

    /// A whole receipt; `claimed` stands in it instead of what was signed.
    public func receipt(
        _ info: [UInt8], claiming claimed: [UInt8]? = nil, environment: String? = nil
    ) throws -> [UInt8] {
        let signature = Data(try blob(over: info)).base64EncodedString()
        let shown = Data(claimed ?? info).base64EncodedString()
        return Array(
            """
            {
            \t"signature" = "\(signature)";
            \t"purchase-info" = "\(shown)";
            \(environment.map { "\t\"environment\" = \"\($0)\";\n" } ?? "")\t"pod" = "100";
            \t"signing-status" = "0";
            }
            """.utf8)
    }
}
