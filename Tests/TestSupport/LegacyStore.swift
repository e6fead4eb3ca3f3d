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

    private struct ToolFailed: Error { let what: String }

    public let workdir: Workdir
    public let version: UInt8

    /// Makes keys and certificates, valid for a day from now.
    public init(
        version: UInt8 = 2, signerBits: Int? = nil, signerMarker: Marker? = nil, intermediateMarker: Marker? = nil
    ) throws {
        self.version = version
        workdir = try Workdir()
        let bits = signerBits ?? (version == 2 ? 1024 : 2048)
        let marker = signerMarker ?? (version == 2 ? .purchaseReceiptSigning : .receiptSigning)
        let issuing = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n"
        let above = intermediateMarker ?? (version == 2 ? nil : .developerRelations)
        try certificate("root", bits: 2048, by: nil, issuing)
        try certificate("intermediate", bits: 2048, by: "root", issuing + (above.map(Self.line) ?? ""))
        try certificate(
            "signer", bits: bits, by: "intermediate",
            "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n" + Self.line(marker))
    }

    private static func line(_ marker: Marker) -> String { "\(marker.rawValue)=ASN1:NULL\n" }

    private func certificate(_ name: String, bits: Int, by issuer: String?, _ extensions: String) throws {
        try workdir.write(extensions, to: "\(name).ext")
        guard
            try workdir.openssl(
                "req", "-new", "-newkey", "rsa:\(bits)", "-nodes", "-keyout", "\(name).key", "-out", "\(name).csr",
                "-subj", "/CN=Throw-away \(name)") != nil
        else { throw ToolFailed(what: "req \(name)") }
        let signing =
            issuer.map { ["-CA", "\($0).pem", "-CAkey", "\($0).key"] } ?? ["-signkey", "\(name).key", "-sha1"]
        let made =
            issuer == nil
            ? try workdir.openssl(
                "x509", "-req", "-in", "\(name).csr", signing[0], signing[1], signing[2], "-days", "1", "-extfile",
                "\(name).ext", "-set_serial", "1", "-out", "\(name).pem")
            : try workdir.openssl(
                "x509", "-req", "-in", "\(name).csr", signing[0], signing[1], signing[2], signing[3], "-sha1", "-days",
                "1", "-extfile", "\(name).ext", "-set_serial", "7", "-out", "\(name).pem")
        guard made != nil,
            try workdir.openssl("x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der") != nil
        else { throw ToolFailed(what: "x509 \(name)") }
    }

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
