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

    @Test("is taken to be in a line whose last packed bytes reach beyond what is inflated for one line")
    func lastOfLine() throws {
        let workdir = try Workdir()
        let text = Array(repeating: UInt8(ascii: " "), count: 900_000)
        let parts = try [text, text + Array("customer-4711".utf8)].map {
            Data(try Gzip.compress($0, in: workdir)).base64EncodedString()
        }
        let line = Array("{\"a\":\"\(parts[0])\",\"b\":\"\(parts[1])\"}".utf8)
        #expect(PersonSearch(.account("customer-4711"), maximumInflatedOfLine: 1_000_000).finds(in: line))
        #expect(!PersonSearch(.account("another-815"), maximumInflatedOfLine: 4_000_000).finds(in: line))
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
