import Foundation
import MillTestSupport
import TestSupport
import Testing

@testable import DatabaseCare

/// Encoded texts are Python's.
@Suite("A person in a rejected line")
struct PersonSearchTests {
    private static let token = "7E3C1A52-0B44-4D6E-9F10-AA55BB66CC77"
    private static let device = "9E3D5A10-0000-4000-8000-00000000ABCD"
    private static let hidden = "eyJhbGciOiJFUzI1NiJ9."

    /// More digits than a decimal holds.
    private static let longNumber = "12345678901234567890123456789012345678901"

    private static let named: [(Erasure.Identifier, [String])] = [
        (
            .account("4711"),
            [
                #"{"account_id":4711,"receipt":"%%"}"#, #"{"account_id":4711.0,"receipt":"%%"}"#,
                #"{"uid":4.711e3}"#, #"{"a":[{"kunde":"4711"}]}"#, #"{"account_id":" 4711 "}"#,
                #"{"account_id":"\u0034711"}"#, #"{"4711":"%%"}"#, #"{"body":"{\"account_id\":4711}"}"#,
                #"{"account_id":4711,"receipt":"AAA"#, #"{"account_id":"4711","receipt":"AAA"#, "id=4711;receipt=AA",
                "4711", #""4711""#, "\u{feff}{\"account_id\":4711}", #"{"account_id":4711}}"#,
            ]
        ),
        (
            .account("zoë"),
            [
                #"{"account_id":"zoë"}"#, #"{"account_id":"zo\u00eb"}"#, #"{"account_id":"zo\u00EB","receipt":"A"#,
                "{\"account_id\":\"zoe\u{308}\"}", #"{"account_id":"ZOË"}"#, #"{"account_id":"zoë","receipt":"A"#,
                "account=zo%C3%AB&receipt=", #"{"account_id":"zo\u00eb","x":"\ud800"}"#,
            ]
        ),
        (
            .account("Zoë-4711"),
            [
                #"{"p":"x={\"account_id\":\"Zo\\u00eb-4711\"}"}"#, #"{"url":"https://h/?account=Zo%C3%AB-4711"}"#,
            ]
        ),
        (
            .account("a/b\"c"),
            [
                #"{"account_id":"a\/b\"c"}"#, #"{"account_id":"a/b\u0022c"}"#, #"{"account_id":"a\/b\"c","receipt":"A"#,
            ]
        ),
        (
            .account("customer-4711"),
            [
                #"{"account":"user:customer-4711:de"}"#, #"{"account_id":"CUSTOMER-4711"}"#,
                #"{"account_id":"customer-471"#, #"tomer-4711","receipt":"A"}"#,
                #"{"x":"H4sIAAAAAAACA6tWSkxOzi/NK4nPTFGyUkouLS7Jz00t0jUxNzRUqgUAhfqV8R4AAAA="}"#,
                #"{"x":"eJyrVkpMTs4vzSuJz0xRslJKLi0uyc9NLdI1MTc0VKoFAKgrCkA="#,
                #"{"receipt":"eGN1c3RvbWVyLTQ3MTE="}"#, "eHhjdXN0b21lci00NzEx",
                "{\"receipt\":\"eGN1c3Rv\r\nbWVyLTQ3MTE=\", cut", "xx637573746f6d65722d34373131",
            ]
        ),
        (
            .device(device),
            [
                #"{"device_id":"9e3d5a10-0000-4000-8000-00000000abcd"}"#,
                #"{"device_id":"{9E3D5A10-0000-4000-8000-00000000ABCD}"}"#,
                #"{"device_id":"9E3D5A1000004000800000000000ABCD"}"#, #"{"device_id":"nj1aEAAAQACAAAAAAACrzQ=="}"#,
                #"{"idfv":"9e3d5a1000004000800000000000abcd","receipt":"A"#, #"{"idfv":"nj1aEAAAQACAAAAAAACrzQ","r"#,
                #"{"idfv":"9e3d5a10-0000-4000-8000-0000000"#,
            ]
        ),
        (
            .device("00:17:f2:c4:bc:c0"),
            [
                #"{"guid":"0017F2C4BCC0"}"#, #"{"guid":"0:17:f2:c4:bc:c0"}"#, #"{"guid":"0017.f2c4.bcc0"}"#,
                #"{"guid":"00-17-F2-C4-BC-C0","receipt":"A"#, #"{"guid":"0:17:f2:c4:bc:c0","receipt":"A"#,
            ]
        ),
        (
            .appAccountToken(token),
            [
                "{\"jws\":\"\(hidden)eyJhcHBBY2NvdW50VG9rZW4iOiI3RTNDMUE1Mi0wQjQ0LTRENkUtOUYxMC1BQTU1QkI2NkNDNzciLCJ4Ijo.c2ln\"}",
                "\(hidden)eyJhcHBBY2NvdW50VG9rZW4iOiI3RTNDMUE1Mi0wQjQ0LTRENkUtOUYxMC1BQTU1QkI2NkNDNzciLCJ4Ijo",
                #"{"signedPayload":"\#(hidden)\#(notification).c2ln"}"#,
                #"{"signedPayload":"\#(hidden)\#(notification)"#,
                #"{"latest_receipt_info":[{"app_account_token":"7e3c1a52-0b44-4d6e-9f10-aa55bb66cc77"}]}"#,
            ]
        ),
        (.account("7"), [#"{"account_id":7}"#, #"{"user":{"id":"7"}}"#, #"{"account_id":7,"receipt":"A"#]),
        (.account(longNumber), ["{\"account_id\":\(longNumber)}"]),
    ]

    /// A notification that holds a transaction with the token.
    private static let notification =
        "eyJub3RpZmljYXRpb25UeXBlIjogIlRFU1QiLCAiZGF0YSI6IHsic2lnbmVkVHJhbnNhY3Rpb25JbmZvIjogImV5SmhiR2NpT2lKRlV6STFO"
        + "aUo5LmV5SmhjSEJCWTJOdmRXNTBWRzlyWlc0aU9pSTNaVE5qTVdFMU1pMHdZalEwTFRSa05tVXRPV1l4TUMxaFlUVTFZbUkyTm1Oak56Y2"
        + "lmUS5jMmxuIn19"

    @Test("is found in texts within texts, as deep as documents are read in them")
    func nestedTexts() throws {
        func nested(_ json: String) throws -> [UInt8] {
            var text = json
            for _ in 0..<4 { text = "{\"body\":\(String(decoding: try JSONEncoder().encode(text), as: UTF8.self))}" }
            return Array(text.utf8)
        }
        let account = try nested(#"[{"receipt":"AAAA","user_id":4711}]"#)
        #expect(PersonSearch(.account("4711")).finds(in: account))
        #expect(!PersonSearch(.account("4712")).finds(in: account))
        let line = try nested("{\"fetch_token\":\"\(Self.hidden)\(Self.notification).c2ln\"}")
        #expect(PersonSearch(.appAccountToken(Self.token)).finds(in: line))
    }

    /// Encodings in which lines are read; `zoë 4711` is the person.
    private static let encoded = [
        #"{"body":"eyJ1c2VyX2lkIjoiem/DqyA0NzExIiwicmVjZWlwdCI6IkFBQUEifQ=="}"#,
        "receipt=%25%25&user_id=zo%C3%AB+4711", "user_id=zo%C3%AB%204711&receipt=%25",
        #"2026-11-02 INFO {"user_id":"zo\u00eb 4711","receipt":"AAAA"} in 12 ms"#,
        #"{"log":"INFO {\"body\":\"{\\\"user_id\\\":\\\"zo\\\\u00eb 4711\\\"}\"}\n"}"#,
        #""POST /v" 200 "{\x22user_id\x22:\x22zo\xC3\xAB 4711\x22,\x22receipt\x22:\x22AAAA\x22}""#,
        "{\"file\":\"data:application/json;base64,eyJ1c2VyX2lkIjoiem/DqyA0NzExIiwicmVjZWlwdCI6IkFBQUEifQ==\"}",
    ]

    @Test("is found in the encodings in which documents are read")
    func encodings() {
        let search = PersonSearch(.account("zoë 4711"))
        for line in Self.encoded { #expect(search.finds(in: Array(line.utf8)), "\(line)") }
        #expect(!PersonSearch(.account("zoë 4712")).finds(in: Array(Self.encoded.joined().utf8)))
    }

    @Test("is found in forms within forms, in escapes within escapes, and in base64 with spaces")
    func composed() {
        for line in [
            "%7B%22user_id%22%3A%22zo%5Cu00eb+4711%22", "body=user_id%3Dzo%25C3%25AB%2B4711", "a=zo%C3%AB+4711",
            #"user_id=zo%C3%AB+4711\u0026receipt=AA"#, #"{"body":"x=1\u0026user_id=zo%C3%AB+4711"}"#,
            "{\"b\":\"eyJ1c2V yX2lk\\tIjoiem/D qyA0NzExIn0=\"}", #"{"b":"\"zo\\u00eb 4711\""}"#,
        ] { #expect(PersonSearch(.account("zoë 4711")).finds(in: Array(line.utf8)), "\(line)") }
        #expect(PersonSearch(.account("7")).finds(in: Array(#"{"body":"a=1&user_id=7"}"#.utf8)))
        #expect(!PersonSearch(.account("7")).finds(in: Array(#"{"body":"a=7&user_id=70"}"#.utf8)))
    }

    @Test("is found in encodings of any composition, and nobody else is", arguments: 0..<200)
    func compositions(seed: UInt64) {
        var random = SeededGenerator(seed)
        var (text, names) = (#"{"user_id":"zoë 4711","receipt":"AAAA"}"#, [String]())
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let (name, encode) = Self.encoders[Int.random(in: 0..<Self.encoders.count, using: &random)]
            text = encode(text)
            names.append(name)
        }
        #expect(PersonSearch(.account("zoë 4711")).finds(in: Array(text.utf8)), "\(names): \(text)")
        #expect(!PersonSearch(.account("zoë 4712")).finds(in: Array(text.utf8)), "\(names): \(text)")
    }

    private struct SeededGenerator: RandomNumberGenerator {
        private var state: UInt64
        init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    /// Encodes a text's bytes that are neither letters nor digits.
    private static func escaped(_ text: String, _ escape: (UInt8) -> String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) && byte < 0x80
            return isPlain ? String(UnicodeScalar(byte)) : escape(byte)
        }.joined()
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    private static let encoders: [(String, @Sendable (String) -> String)] = [
        ("json", { "{\"body\":\"" + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"}" }),
        (
            "json escapes",
            { text in
                let units = text.utf16.map { unit -> String in
                    let digits = String(unit, radix: 16)
                    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
                return "[\"\(units.joined())\"]"
            }
        ),
        ("percent", { escaped($0) { "%" + hex($0).uppercased() } }),
        ("form", { "a=1&body=" + escaped($0) { $0 == 0x20 ? "+" : "%" + hex($0) } + "&c=" }),
        ("nginx", { "POST \"" + escaped($0) { "\\x" + hex($0) } + "\" 200" }),
        ("base64", { "{\"data\":\"\(Data($0.utf8).base64EncodedString())\"}" }),
        (
            "base64url",
            {
                Data($0.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                    .replacing("=", with: "")
            }
        ),
        (
            "wrapped base64",
            { text in
                let digits = Array(Data(text.utf8).base64EncodedString())
                return stride(from: 0, to: digits.count, by: 19)
                    .map { String(digits[$0..<min($0 + 19, digits.count)]) }.joined(separator: " \t")
            }
        ),
        ("hexadecimal", { "0x" + $0.utf8.map(hex).joined() }),
        ("log", { "2026-11-02 INFO body=\($0) in 12 ms" }),
    ]

    @Test(
        "is taken to be in a line whose encodings multiply beyond what is searched, after bounded work",
        arguments: [("%", "25"), ("\\", "u005c"), ("%5C", "u0025255C")])
    func boundedWork(beginning: String, part: String) {
        let line = Array(("{\"a\":\"" + beginning + String(repeating: part, count: 3_000)).utf8)
        let start = ContinuousClock.now
        #expect(PersonSearch(.account("customer-4711"), budget: 1_000_000).finds(in: line))
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    private static let others: [(Erasure.Identifier, [String])] = [
        (
            .account("4711"),
            [
                #"{"account_id":47110,"receipt":"%%"}"#, #"{"account_id":"14711"}"#, #"{"account_id":"4711x"}"#,
                #"{"account_id":4711.5}"#, #"{"account_id":471,"receipt":"AB4711CD"#, #"{"text":"order 4711 of them"}"#,
                "",
                #"{"account_id":-4711}"#, #"{"account_id":4711e1}"#,
            ]
        ),
        (.account(longNumber), ["{\"account_id\":\(longNumber.dropLast())2}"]),
        (.account("customer-4711"), [#"{"account_id":"customer-4712","receipt":"MIIe2wYJKoZIhvcNAQcCoIIezDCCHsgC"}"#]),
        (.account("zoë"), [#"{"account_id":"zoe"}"#, #"{"account_id":"zoë2"}"#]),
        (
            .account("7"),
            [#"{"quantity":7,"account_id":8}"#, #"{"account_id":70,"receipt":"A+7/"#, #"{"account_id":17,"r"#]
        ),
        (.device(device), [#"{"device_id":"9E3D5A10-0000-4000-8000-00000000ABCE"}"#, #"{"idfv":"9e3d5a10-0000","#]),
    ]

    @Test("is found however the line writes the identifier, readable or not", arguments: named)
    func found(identifier: Erasure.Identifier, lines: [String]) {
        let search = PersonSearch(identifier)
        for line in lines { #expect(search.finds(in: Array(line.utf8)), "\(line)") }
    }

    @Test("is not taken for another", arguments: others)
    func notFound(identifier: Erasure.Identifier, lines: [String]) {
        let search = PersonSearch(identifier)
        for line in lines { #expect(!search.finds(in: Array(line.utf8)), "\(line)") }
    }

    @Test(
        "is found in text of other encodings",
        arguments: [String.Encoding.isoLatin1, .utf16LittleEndian, .utf16BigEndian])
    func encodings(encoding: String.Encoding) throws {
        let line = try #require(#"{"account_id":"zoë-4711","receipt":"A"#.data(using: encoding))
        #expect(PersonSearch(.account("zoë-4711")).finds(in: Array(line)))
        #expect(!PersonSearch(.account("zoe-4711")).finds(in: Array(line)))
    }

    @Test(
        "is looked for in hostile lines for seconds at most",
        arguments: [
            String(repeating: "[", count: 1_000_000), String(repeating: "\u{301}", count: 300_000) + "\u{334}",
            "{\"a\":\"" + String(repeating: "YWFh", count: 250_000) + "\"}",
            String(repeating: "\\\\\\\"", count: 250_000),
            String(repeating: "4711-", count: 200_000), String(repeating: "H4sIAAAAAAACA.", count: 70_000),
        ])
    func hostile(line: String) {
        let start = ContinuousClock.now
        #expect(!PersonSearch(.account("customer-4711")).finds(in: Array(line.utf8)))
        #expect(ContinuousClock.now - start < .seconds(300))
    }

    @Test("is not taken to be in a line for the receipts that a body in base64 holds", arguments: [1, 10, 40])
    func receipts(count: Int) {
        // Bytes without a person, as the signatures and certificates of a receipt are.
        var generator = SeededGenerator(7)
        let receipts = (0..<count).map { _ in
            Data((0..<6_000).map { _ in UInt8.random(in: 0...255, using: &generator) }).base64EncodedString()
        }
        let body = "{\"receipts\":[\"" + receipts.joined(separator: "\",\"") + "\"],\"user_id\":\"u-1\"}"
        let line = "{\"body\":\"" + Data(body.utf8).base64EncodedString() + "\"}"
        #expect(!PersonSearch(.account("customer-4711")).finds(in: Array(line.utf8)))
        #expect(!PersonSearch(.account("customer-4711")).finds(in: Array(line.dropLast(2).utf8)))
    }

    @Test("is taken to be in a line whose last packed bytes reach beyond what is inflated for one line")
    func lastOfLine() throws {
        let workdir = try Workdir()
        let text = Array(repeating: UInt8(ascii: " "), count: 900_000)
        let parts = try [text, text + Array("customer-4711".utf8)].map {
            Data(try Gzip.compress($0, in: workdir)).base64EncodedString()
        }
        let line = Array("{\"a\":\"\(parts[0])\",\"b\":\"\(parts[1])\"}".utf8)
        #expect(PersonSearch(.account("customer-4711"), budget: 1_000_000).finds(in: line))
        #expect(!PersonSearch(.account("another-815"), budget: 4_000_000).finds(in: line))
    }

    @Test("is taken to be in a line that holds more packed bytes, packed in turn, than can be searched")
    func packedAgain() throws {
        let workdir = try Workdir()
        let inner = Data(try Gzip.compress(Array(repeating: 0, count: 4_000_000), in: workdir)).base64EncodedString()
        let many = Array(repeating: inner, count: 700).joined(separator: " ")
        let line = Data(try Gzip.compress(Array(many.utf8), in: workdir)).base64EncodedString()
        let start = ContinuousClock.now
        #expect(PersonSearch(.account("customer-4711")).finds(in: Array("{\"a\":\"\(line)\"}".utf8)))
        #expect(ContinuousClock.now - start < .seconds(300))
    }
}
