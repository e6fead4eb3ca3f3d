import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptVerification

/// Headers that name another algorithm, another key, or the same member twice
/// (RFC 8725, 2.1 and 3.1; RFC 7515, 4).
@Suite("A signed string's header")
struct SigningHeaderTests {
    private let store: SignedStringStore
    /// Somebody's key that no certificate vouches for.
    private let stranger: ThrowAwayKey

    init() throws {
        store = try SignedStringStore()
        stranger = try ThrowAwayKey(.p256)
    }

    @Test("of the store's form is trusted, whatever stands beside alg and x5c")
    func trustsGenuine() throws {
        try store.expect(.trusted, "plain")
        try store.expect(.trusted, "an escaped name of the same algorithm") { $0.algorithm = #""\u0045S256""# }
        try store.expect(.trusted, "other members") {
            $0.more = #","kid":"Apple_Xcode_Key","typ":"JWT","a":[{}],"b64":true"#
        }
        try store.expect(.trusted, "white space") {
            $0.header = Array(" { ".utf8) + Array($0.headerJSON.dropFirst().utf8) + Array("\r\n\t".utf8)
        }
        try store.expect(.trusted, "escaped slashes in certificates") { parts in
            parts.certificates =
                "[\(parts.chain.map { "\"\(Data($0).base64EncodedString().replacing("/", with: #"\/"#))\"" }.joined(separator: ","))]"
        }
    }

    @Test("that names another algorithm than ES256 is unsupported, whoever signed")
    func refusesOtherAlgorithms() throws {
        for name in [
            "none", "None", "NONE", "nOnE", "es256", "Es256", "ES256 ", " ES256", "ES256\\u0000", "ES384", "ES512",
            "ES256K", "HS256", "RS256", "PS256", "EdDSA", "",
        ] {
            try store.expect(.unsupportedAlgorithm, name) { $0.algorithm = "\"\(name)\"" }
        }
        for value in ["null", "256", "true", #"["ES256"]"#, #"{"alg":"ES256"}"#] {
            try store.expect(.unsupportedAlgorithm, value) { $0.algorithm = value }
        }
        try store.expect(.unsupportedAlgorithm, "no alg") { $0.algorithm = nil }
        try store.expect(.unsupportedAlgorithm, "another key's name") {
            ($0.algorithm, $0.more) = (nil, #","Alg":"ES256""#)
        }
        try store.expect(.unsupportedAlgorithm, "none, without signature") {
            $0.algorithm = #""none""#
            $0.sign = { _, _ in [] }
        }
    }

    @Test("that names HS256 does not make a secret of the public key")
    func refusesPublicKeyAsSecret() throws {
        let publicKey = try store.leaf.key.publicKey
        let certificate = store.leaf.der
        for secret in [publicKey, certificate] {
            for algorithm in ["HS256", "ES256"] {
                try store.expect(algorithm == "HS256" ? .unsupportedAlgorithm : .badSignature, algorithm) {
                    $0.algorithm = "\"\(algorithm)\""
                    $0.sign = { ThrowAwayKey.hmac($1, secret: secret) }
                }
            }
        }
    }

    @Test("that names RS256 is unsupported, with an RSA leaf too")
    func refusesRSA() throws {
        let store = try store.with(leaf: SignedStringStore.leaf.with { $0.key = .rsa(2048) })
        for algorithm in ["RS256", "ES256"] {
            try store.expect(.unsupportedAlgorithm, algorithm) {
                $0.algorithm = "\"\(algorithm)\""
                $0.sign = { try $0.signature(of: $1) }
            }
        }
    }

    @Test("that demands extensions is unsupported, whatever they are")
    func refusesCriticalExtensions() throws {
        for value in [#"["b64"]"#, #"["exp"]"#, "[]", "null", "false", #""b64""#] {
            try store.expect(.unsupportedAlgorithm, value) { $0.more = ",\"crit\":\(value)" }
        }
        try store.expect(.unsupportedAlgorithm, "escaped") { $0.more = #","\u0063rit":["b64"],"b64":false"# }
    }

    @Test("that offers a key of its own is verified by x5c alone")
    func ignoresOfferedKeys() throws {
        // The last 64 bytes of a public key in DER are its coordinates (RFC 5480, 2.2).
        let point = try stranger.publicKey.suffix(64)
        let (x, y) = (
            SignedStringParts.base64URL(Array(point.prefix(32))), SignedStringParts.base64URL(Array(point.suffix(32)))
        )
        let offers = [
            #","jwk":{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#,
            #","jku":"https://example.com/keys.json","x5u":"https://example.com/leaf.pem","kid":"../../dev/null""#,
        ]
        let stranger = stranger
        for offer in offers {
            try store.expect(.trusted, offer) { $0.more = offer }
            try store.expect(.badSignature, offer) {
                $0.more = offer
                $0.sign = { try stranger.es256($1) }
            }
            try store.expect(.brokenChain, offer) {
                ($0.more, $0.certificates) = (offer, "")
                $0.sign = { try stranger.es256($1) }
            }
        }
    }

    @Test("that names a member twice can't be read, however that is escaped")
    func refusesDoubledMembers() throws {
        for more in [
            #","alg":"ES256""#, #","alg":"none""#, #","\u0061lg":"ES256""#, #","al\u0067":"none""#, #","x5c":[]"#,
            #","x5\u0063":null"#, #","kid":"a","kid":"b""#, #","kid":"a","k\u0069d":"a""#, #","\u006bid":1,"kid":1"#,
            #","jwk":{"x":"1","x":"1"}"#, #","a":[{"b":{"c":1,"\u0063":2}}]"#, #","crit":[],"crit":[]"#,
        ] {
            try store.expect(.rejected(.malformedContainer), more) { $0.more = more }
        }
    }

    @Test("that is no strict JSON object can't be read")
    func refusesOtherJSON() throws {
        let genuine = store.string().headerJSON
        let nested = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let members = (0...1_024).map { #","k\#($0)":0"# }.joined()
        let open = String(genuine.dropLast())
        var headers: [String] = [
            "", "{", "[]", "null", "\"ES256\"", "[\(genuine)]", "\(genuine)x", "\(genuine)\(genuine)",
        ]
        headers += ["\u{feff}\(genuine)", "\(open),}", "\(open)/**/}", "\(open),'a':1}", "\(open)\(members)}"]
        let values: [String] = [
            #""\ud800""#, "01", "NaN", "\"\u{1}\"", nested, "1,\"\\udc00\":1", "", "tru", ".5", #""\x""#,
        ]
        headers += values.map { "\(open),\"a\":\($0)}" }
        for header in headers {
            try store.expect(.rejected(.malformedContainer), "\(header.suffix(40))") { $0.header = Array(header.utf8) }
        }
        for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]] {
            try store.expect(.rejected(.malformedContainer), "\(bytes)") {
                $0.header = Array(genuine.dropLast().utf8) + Array(#","a":""#.utf8) + bytes + Array(#""}"#.utf8)
            }
        }
    }

    /// Some dozens of headers are remembered with their chains; the store has had three.
    @Test("is verified the same when it comes again, among more headers than are remembered")
    func manyHeaders() throws {
        let stranger = stranger
        let strings = try (0..<80).map { number in
            try store.string().with {
                $0.more = ",\"kid\":\"\(number)\""
                if number % 4 == 1 { $0.algorithm = "\"none\"" }
                if number % 4 == 2 { $0.sign = { try stranger.es256($1) } }
                if number % 4 == 3 { $0.more += ",\"kid\":1" }
            }.text
        }
        let numbers = Array(0..<80) + Array(0..<80) + (0..<80).reversed()
        let lines = numbers.map { strings[$0] + "\n" }.joined()
        let verified = try verify(lines: Array(lines.utf8), trusting: store.anchors)
        let verdicts: [Verdict?] = [.trusted, .unsupportedAlgorithm, .badSignature, nil]
        #expect(
            verified.receipts.map(\.verification.verdict) == numbers.compactMap { verdicts[$0 % 4] })
        #expect(verified.rejections.map(\.line) == numbers.indices.filter { numbers[$0] % 4 == 3 })
    }
}
