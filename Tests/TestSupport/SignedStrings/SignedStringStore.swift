public import Foundation

/// A store of signed strings with throw-away keys: a root and an intermediate of
/// P-384 and a leaf of P-256, as the real one has.
public struct SignedStringStore: Sendable {
    public typealias Request = ThrowAwayCertificate.Request

    /// When certificates of stores are valid, unless a test says otherwise.
    public static let begins = Date(timeIntervalSince1970: 1_700_000_000)
    public static let ends = Date(timeIntervalSince1970: 1_760_000_000)
    /// A signing date within, in milliseconds.
    public static let signedAt: Int64 = 1_730_000_000_000

    public static let intermediateMarker = "1.2.840.113635.100.6.2.1=ASN1:NULL"
    public static let leafMarker = "1.2.840.113635.100.6.11.1=ASN1:NULL"

    public static var root: Request {
        Request(
            "Throw-away root",
            extensions: ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"],
            from: begins - 1e8, to: ends + 1e8
        ).with { $0.key = .p384 }
    }
    public static var intermediate: Request {
        Request(
            "Throw-away intermediate",
            extensions: [
                "basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=critical,keyCertSign,cRLSign",
                intermediateMarker,
            ], from: begins - 1e7, to: ends + 1e7
        ).with { $0.key = .p384 }
    }
    public static var leaf: Request {
        Request(
            "Throw-away leaf",
            extensions: ["basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature", leafMarker],
            from: begins, to: ends)
    }

    public let root, intermediate, leaf: ThrowAwayCertificate

    public init(
        root: Request = Self.root, intermediate: Request = Self.intermediate, leaf: Request = Self.leaf
    ) throws {
        self.root = try ThrowAwayCertificate(root)
        self.intermediate = try ThrowAwayCertificate(intermediate, issuer: self.root)
        self.leaf = try ThrowAwayCertificate(leaf, issuer: self.intermediate)
    }

    /// A store whose certificates were made elsewhere.
    public init(root: ThrowAwayCertificate, intermediate: ThrowAwayCertificate, leaf: ThrowAwayCertificate) {
        (self.root, self.intermediate, self.leaf) = (root, intermediate, leaf)
    }

    /// The same with another leaf under the same intermediate.
    public func with(leaf: Request) throws -> SignedStringStore {
        SignedStringStore(
            root: root, intermediate: intermediate, leaf: try ThrowAwayCertificate(leaf, issuer: intermediate))
    }

    /// A signed string whose parts can be replaced.
    public func string(_ payload: String = Self.transaction()) -> SignedStringParts {
        SignedStringParts(
            chain: [leaf, intermediate, root].map(\.der), key: leaf.key, payload: Array(payload.utf8))
    }

    /// A signed string.
    public func sign(_ payload: String = Self.transaction()) throws -> String { try string(payload).text }

    /// A transaction's payload. Members are written as they stand, so that any JSON can be
    /// said; those of `more` come last.
    public static func transaction(
        _ identifier: String = "2000000123456789", signedAt date: String = "\(signedAt)", more: String = ""
    ) -> String {
        """
        {"transactionId":"\(identifier)","originalTransactionId":"\(identifier)","bundleId":"com.example.app",\
        "productId":"com.example.gold","purchaseDate":1729999000000,"quantity":1,"type":"Consumable",\
        "inAppOwnershipType":"PURCHASED","environment":"Production","signedDate":\(date)\(more)}
        """
    }
}

/// A signed string before it is put together, each part replaceable.
public struct SignedStringParts: Sendable {
    public var chain: [[UInt8]]
    public var key: ThrowAwayKey
    public var payload: [UInt8]
    public var algorithm: String? = "\"ES256\""
    /// Members of the header, written as they stand, behind `alg` and `x5c`.
    public var more = ""
    /// In place of the header's JSON.
    public var header: [UInt8]?
    /// In place of the text of `x5c`; empty leaves it out.
    public var certificates: String?
    /// In place of the leaf's signature, out of what is signed.
    public var sign: @Sendable (ThrowAwayKey, [UInt8]) throws -> [UInt8] = { try $0.es256($1) }
    /// What becomes of the three texts at last.
    public var finish: @Sendable (inout [String]) -> Void = { _ in }

    init(chain: [[UInt8]], key: ThrowAwayKey, payload: [UInt8]) {
        (self.chain, self.key, self.payload) = (chain, key, payload)
    }

    /// The same with one thing changed.
    public func with(_ change: (inout SignedStringParts) throws -> Void) rethrows -> SignedStringParts {
        var changed = self
        try change(&changed)
        return changed
    }

    /// The header's JSON, unless it was replaced.
    public var headerJSON: String {
        let list = chain.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",")
        let x5c = certificates ?? "[\(list)]"
        let members = [algorithm.map { "\"alg\":\($0)" }, x5c.isEmpty ? nil : "\"x5c\":\(x5c)"].compactMap { $0 }
        return "{\(members.joined(separator: ","))\(more)}"
    }

    public var text: String {
        get throws {
            var parts = [header ?? Array(headerJSON.utf8), payload].map(Self.base64URL)
            parts.append(Self.base64URL(try sign(key, Array(parts.joined(separator: ".").utf8))))
            finish(&parts)
            return parts.joined(separator: ".")
        }
    }

    /// Base64url without padding (RFC 7515, 2).
    public static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
