public import Foundation

/// A store of app receipts with throw-away keys, made by OpenSSL's command-line
/// tool alone. Certificates are valid for a day from now.
public final class ReceiptStore {
    /// What a certificate is made of, in the words of OpenSSL's configuration.
    public struct Request: Sendable {
        /// How the key is made; nil is RSA of 2048 bits.
        public var key: [String]?
        /// Name of the issuer; nil for one that signs itself.
        public var issuer: String?
        public var extensions: [String]
        public var digest = "-sha256"
        public var serial = "7"

        public init(issuer: String?, extensions: [String]) {
            self.issuer = issuer
            self.extensions = extensions
        }

        public static var root: Request { Request(issuer: nil, extensions: authority()) }
        public static var intermediate: Request {
            Request(issuer: "root", extensions: authority(",pathlen:0") + [intermediateMarker])
        }
        public static var signer: Request {
            Request(
                issuer: "intermediate",
                extensions: [
                    "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature", signerMarker,
                    "subjectKeyIdentifier=hash",
                ])
        }

        public static func authority(_ limit: String = "") -> [String] {
            ["basicConstraints=critical,CA:TRUE\(limit)", "keyUsage=critical,keyCertSign,cRLSign"]
        }
        public static let intermediateMarker = "1.2.840.113635.100.6.2.1=ASN1:NULL"
        public static let signerMarker = "1.2.840.113635.100.6.11.1=ASN1:NULL"

        /// The same with one thing changed.
        public func with(_ change: (inout Request) -> Void) -> Request {
            var changed = self
            change(&changed)
            return changed
        }

        /// The same with another line in place of those that begin with `name`; nil removes them.
        public func replacing(_ name: String, with line: String?) -> Request {
            with { $0.extensions = $0.extensions.filter { !$0.hasPrefix(name) } + (line.map { [$0] } ?? []) }
        }
    }

    public let workdir: Workdir

    private let certificates: ThrowAwayCertificates

    /// - Parameter hasOwnKeys: whether its keys are none of those that stores have without this.
    public init(
        root: Request = .root, intermediate: Request? = .intermediate, signer: Request = .signer,
        hasOwnKeys: Bool = false
    ) throws {
        workdir = try Workdir()
        certificates = ThrowAwayCertificates(
            workdir: workdir, owner: hasOwnKeys ? "another receipt store" : "receipt store")
        try certificate("root", root)
        if let intermediate { try certificate("intermediate", intermediate) }
        try certificate("signer", signer)
    }

    /// Makes `name.key`, `name.pem` and `name.der`; an issuer must have been made before.
    public func certificate(_ name: String, _ request: Request) throws {
        try certificates.make(name, request)
    }

    public func der(_ name: String) throws -> [UInt8] { try workdir.read("\(name).der") }

    /// A payload that states when it was made and no more; nil states nothing.
    public static func payload(createdAt date: Date?) -> [UInt8] {
        BER.set(
            BER.attribute(0, BER.utf8("Production")), date.map { BER.attribute(12, BER.ia5($0.ISO8601Format())) } ?? [])
    }

    /// A container of `payload`, by default of one made a minute from now, with
    /// the certificates named beside the signer's.
    public func receipt(
        _ payload: [UInt8] = ReceiptStore.payload(createdAt: Date() + 60),
        carrying names: [String] = [
            "intermediate", "root",
        ], _ options: [String] = ["-noattr", "-md", "sha256"]
    ) throws -> [UInt8] {
        try workdir.write(payload, to: "payload")
        try workdir.write(names.flatMap { try workdir.read("\($0).pem") }, to: "others.pem")
        let arguments =
            ["cms", "-sign", "-binary", "-nodetach", "-signer", "signer.pem", "-inkey", "signer.key"]
            + (names.isEmpty ? [] : ["-certfile", "others.pem"]) + options
            + ["-in", "payload", "-outform", "DER", "-out", "container"]
        guard try workdir.openssl(arguments) != nil else {
            throw ThrowAwayCertificates.ToolFailed(what: arguments.joined(separator: " "))
        }
        return try workdir.read("container")
    }
}
