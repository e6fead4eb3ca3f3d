import Foundation
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptVerification

/// Lines grown at random out of wrappers, lists, texts and other members, by what is known of each document.
@Suite("A line grown at random")
struct GrownLineTests {
    /// A document, and the account that counts for it.
    private struct Expected: Equatable {
        let document: String
        let account: String?
    }

    /// A line, as JSON, and the documents in it.
    private struct Grown {
        var json: String
        var documents: [Expected]
    }

    private static let wrappers = [
        "response", "body", "data", "proof", "token", "\\u00e9", "verificationData",
    ]
    private static let keys = ["jws", "signedPayload", "a", "latest_receipt", "x.y"]
    private static let others = [
        ##""note":{"jws":"a.b"}"##, ##""x":[1,2,{"note":"A"}]"##, ##""token":"gibberish.AO""##,
        ##""body":"[object Object]""##, ##""jws":null"##, ##""receipt":{"in_app":[]}"##, ##""timestamp":1709208000"##,
        ##""data":12.5e3"##, ##""\u0061":"\u00e9""##,
    ]

    /// The number of documents so far: no two are the same.
    private var count = 0

    private mutating func document() -> String {
        count += 1
        // A header with x5c, which is {"x5c":[]}, and a payload that is long enough.
        return "eyJ4NWMiOltdfQ.\(String(repeating: "A", count: 60)).\(count)"
    }

    private static func text(_ json: String) -> String {
        (try? JSONEncoder().encode(json)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// JSON as a text in JSON: as it is, between other text, in base64, as a form, or in a data URI.
    private static func encoded(_ json: String, _ random: inout SeededGenerator) -> String {
        let base64 = Data(json.utf8).base64EncodedString()
        let form = json.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let texts = [
            json, "2026-11-02 [info] (17) \(json) done", base64, "x=y&body=\(form)",
            "data:application/json;base64,\(base64)", form,
        ]
        let chosen = texts.randomElement(using: &random) ?? json
        // What has no document may be shorter than any.
        return text(chosen.count < 64 ? json : chosen)
    }

    private mutating func object(_ depth: Int, texts: Int, _ random: inout SeededGenerator) -> Grown {
        var (members, documents): ([String], [Expected]) = ([], [])
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let document = document()
                members.append("\"\(Self.keys.randomElement(using: &random) ?? "")\":\"\(document)\"")
                documents.append(Expected(document: document, account: nil))
            case 2:
                let list = (0..<Int.random(in: 0...3, using: &random)).map { _ in document() }
                members.append("\"list\":[\(list.map { "\"\($0)\"" }.joined(separator: ", "))]")
                documents += list.map { Expected(document: $0, account: nil) }
            case 3 where depth < 6:
                let inner = value(depth + 1, texts: texts, &random)
                members.append("\"\(Self.wrappers.randomElement(using: &random) ?? "")\" : \(inner.json)")
                documents += inner.documents
            default: members.append(Self.others.randomElement(using: &random) ?? "")
            }
        }
        // The nearest account counts, wherever in its object it is.
        if Int.random(in: 0..<3, using: &random) == 0 {
            let account = "a\(Int.random(in: 0..<1_000, using: &random))"
            members.insert("\"user_id\":\"\(account)\"", at: Int.random(in: 0...members.count, using: &random))
            documents = documents.map { Expected(document: $0.document, account: $0.account ?? account) }
        }
        return Grown(json: "{\(members.joined(separator: ","))}", documents: documents)
    }

    private mutating func value(_ depth: Int, texts: Int, _ random: inout SeededGenerator) -> Grown {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in object(depth + 1, texts: texts, &random)
            }
            return Grown(
                json: "[ \(values.map(\.json).joined(separator: " , ")) ]", documents: values.flatMap(\.documents))
        case 1 where texts > 0:
            let inner = value(depth + 1, texts: texts - 1, &random)
            return Grown(json: Self.encoded(inner.json, &random), documents: inner.documents)
        default: return object(depth, texts: texts, &random)
        }
    }

    @Test("holds its documents in order, each with the account that is stated nearest")
    mutating func grown() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("let grownLineSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        let scanner = SubmissionScanner(keys: LineKeys())
        var (several, nested) = (0, 0)
        for round in 0..<Nightly.rounds(day: 3_000, night: 300_000) {
            var grown = value(0, texts: 0, &random)
            while grown.json.first != "{" && grown.json.first != "[" { grown = value(0, texts: 0, &random) }
            if Bool.random(using: &random) {
                let inner = value(0, texts: 1, &random)
                let isText = inner.json.first == "\""
                grown = Grown(json: "{\"body\":\(inner.json)}", documents: inner.documents)
                if isText, !inner.documents.isEmpty { nested += 1 }
            }
            let line = Array(grown.json.utf8)
            var found: [Expected] = []
            if let scanned = try? scanner.scan(line.span, line.indices) {
                found = scanned.documents.map { document in
                    func text(_ value: ScannedValue) -> String {
                        String(decoding: scanned.characters(of: value, in: line), as: UTF8.self)
                    }
                    return Expected(document: text(document.value), account: document.context.account.map(text))
                }
            }
            guard found == grown.documents else {
                Issue.record("seed \(seed), round \(round): \(found) in \(grown.json)")
                continue
            }
            if found.count > 1 { several += 1 }
        }
        #expect(several > 300 && nested > 100)
    }
}
