import Foundation
import TestSupport
import Testing

@testable import MillJSON
@testable import MillSystem
@testable import ReceiptVerification

@Suite("A line of an archive")
struct LineFormsTests {
    private enum Scanned: Equatable {
        case found(receipt: String, device: String?, account: String?, time: String?)
        case refused(RejectionReason)
    }

    private func scan(_ line: String, keys: LineKeys = LineKeys()) -> Scanned { scan(Array(line.utf8), keys: keys) }

    private func scan(_ line: [UInt8], keys: LineKeys = LineKeys()) -> Scanned {
        do throws(Unreadable) {
            let found = try SubmissionScanner(keys: keys).scan(line.span, 0..<line.count)
            func text(_ value: ScannedValue?) -> String? {
                value.map { String(decoding: found.characters(of: $0, in: line), as: UTF8.self) }
            }
            let context = found.documents.first?.context
            return .found(
                receipt: found.documents.map { text($0.value) ?? "?" }.joined(separator: " "),
                device: text(context?.device), account: text(context?.account), time: text(context?.time))
        } catch {
            #expect(!error.detail.isEmpty)
            return .refused(error.reason)
        }
    }

    private func receipt(_ text: String) -> Scanned { .found(receipt: text, device: nil, account: nil, time: nil) }

    @Test("is an object, a string or bare base64")
    func forms() {
        #expect(scan(#"{"receipt":"QUJD"}"#) == receipt("QUJD"))
        #expect(scan("\u{feff}{\"receipt\":\"QUJD\"}\r") == receipt("QUJD"))
        #expect(scan(" \t{ \"receipt\" : \"QUJD\" } ") == receipt("QUJD"))
        #expect(scan(#""QUJD""#) == receipt("QUJD"))
        #expect(scan("QU-_+/==") == receipt("QU-_+/=="))
        #expect(scan(#"{"receipt":"Q\/JD\u002b"}"#) == receipt("Q/JD+"))
        #expect(
            scan(#"{"receipt":"Q","device_id":"\ud83d\ude00","account_id":12,"submitted_at":1.5e9}"#)
                == .found(receipt: "Q", device: "😀", account: "12", time: "1.5e9"))
    }

    @Test("has every text under a receipt key, and states the first named of device, account and time")
    func keys() {
        for key in ["receipt", "receipt_data", "receipt-data", "receiptData", #"r\u0065ceipt"#] {
            #expect(scan(#"{"\#(key)":"QUJD","other":[{"note":"x"}]}"#) == receipt("QUJD"))
            #expect(scan(#"{"other":[{"\#(key)":["QUJD",["x"]]}]}"#) == receipt("QUJD x"))
        }
        #expect(scan(#"{"receiptData":"B","receipt":"A","receipt_data":"C"}"#) == receipt("B A C"))
        #expect(scan(#"{"receipt":null,"receiptData":"B"}"#) == receipt("B"))
        #expect(
            scan(#"{"guid":"4","idfv":"3","deviceId":"2","userId":"9","timestamp":7,"receipt":"A"}"#)
                == .found(receipt: "A", device: "2", account: "9", time: "7"))
        #expect(scan(#"{"receipt":"","receipt_data":"A"}"#) == receipt("A"))
        #expect(scan(#"{"receipt":{"in_app":[]},"receiptData":"A"}"#) == receipt("A"))
        var own = LineKeys()
        own.receipt = ["blob"]
        #expect(scan(#"{"receipt":"A","blob":"B","other":"C"}"#, keys: own) == receipt("A B"))
        own.ignored = ["receipt", "request"]
        #expect(
            scan(#"{"receipt":"A","request":{"blob":"C","userId":"9"},"blob":"B"}"#, keys: own)
                == .found(receipt: "B", device: nil, account: nil, time: nil))
        // A key that the user states wins over the usual ones, however near those are.
        own.account = ["customer", "client"]
        for (line, account) in [
            (#"{"customer":"1","client":"2","userId":"3","blob":"B"}"#, "1"),
            (#"{"customer":"1","request":0,"x":{"userId":"3","blob":"B"}}"#, "1"),
            (#"{"userId":"3","x":{"blob":"B"}}"#, "3"), (#"{"userId":"3","x":{"client":"2","blob":"B"}}"#, "2"),
            (#"{"customer":"1","x":{"client":"2","y":[{"userId":"3","blob":"B"}]}}"#, "2"),
        ] {
            #expect(
                scan(line, keys: own) == .found(receipt: "B", device: nil, account: account, time: nil), "\(line)")
        }
    }

    @Test(
        "is marked if one object states two accounts under usual keys, or under keys that the user named",
        arguments: [
            (#"{"userId":"9","account_id":"7","receipt":"A"}"#, true),
            (#"{"x":{"receipt":"A"},"userId":"9","account_id":"7"}"#, true),
            (#"{"userId":"9","account_id":"9","receipt":"A"}"#, false),
            (#"{"userId":"9","x":{"account_id":"7","receipt":"A"}}"#, false),
            (#"{"userId":"9","account_id":"7","x":{"account_id":"7","receipt":"A"}}"#, false),
            (#"{"customer":"1","userId":"9","receipt":"A"}"#, false),
            (#"{"userId":"9","account_id":"7","customer":"1","receipt":"A"}"#, false),
            (#"{"userId":"9","account_id":"7","x":{"receipt":"A"},"client":"2","customer":"1"}"#, true),
        ])
    func twoAccounts(line: String, expected: Bool) throws {
        var own = LineKeys()
        if line.contains("customer") { own.account = ["customer", "client"] }
        let bytes = Array(line.utf8)
        let found = try SubmissionScanner(keys: own).scan(bytes.span, 0..<bytes.count)
        #expect(found.documents.map(\.context.isOneOfTwoAccounts) == [expected])
    }

    @Test("without receipt is distinguished from one that is broken")
    func refusals() {
        for line in [
            "", "  ", "\r", "{}", #"{"receipt":null}"#, #"{"receipt":""}"#, #"{"receipt":5}"#, #"{"receipt":[""]}"#,
            #""""#, "null", "12", "[1]", " true ", #"{"receipt":"","receipt_data":{}}"#,
        ] {
            #expect(scan(line) == .refused(.noReceipt), "\(line)")
        }
        let nested = String(repeating: "[", count: 10_000)
        for line in [
            "{", #"{"receipt":"QUJD""#, #"{"a":"QUJD"}}"#, #"{"receipt" "QUJD"}"#, #"{"receipt":"QUJD",}"#, "[1",
            "QU JD!", #"{"receipt":"\x"}"#, #"{"receipt":"\u12g4"}"#, "{\"receipt\":\"Q\u{0}\"}",
            "{\"receipt\":\"Q\tD\"}",
            #"{"a":01,"receipt":"Q"}"#, #"{"a":1.,"receipt":"Q"}"#, #"{"a":tru,"receipt":"Q"}"#, #"{'receipt':"Q"}"#,
            "{\"a\":\(nested)", "QU\u{0}JD",
        ] {
            #expect(scan(line) == .refused(.invalidJSON), "\(line.prefix(40))")
        }
        for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]] {
            let line = Array(#"{"receipt":"QUJD","a":""#.utf8) + bytes + Array(#""}"#.utf8)
            #expect(scan(line) == .refused(.invalidJSON), "\(bytes)")
        }
    }

    /// Lines grown out of grammar and then mutated.
    private func sample(_ random: inout SeededGenerator) -> [UInt8] {
        func value(_ depth: Int) -> String {
            switch Int.random(in: 0...(depth > 3 ? 5 : 7), using: &random) {
            case 0: return ["null", "true", "false"].randomElement(using: &random) ?? ""
            case 1: return ["0", "-0", "12", "-3.25", "1e5", "2E-3", "0.5e+1"].randomElement(using: &random) ?? ""
            case 2...5:
                let parts = [
                    "a", "é", "😀", #"\n"#, #"\""#, #"\\"#, #"\/"#, #"\u00e9"#, #"\ud83d\ude00"#, " ", "{", "]",
                ]
                return "\""
                    + (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
                    .joined() + "\""
            case 6:
                return "["
                    + (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth + 1) }.joined(separator: ", ")
                    + "]"
            default:
                return "{"
                    + (0..<Int.random(in: 0...3, using: &random)).map { "\"k\($0)\" :" + value(depth + 1) }
                    .joined(separator: ",") + "}"
            }
        }
        var line = Array("{\"receipt\":\"QUJD\",\"a\":\(value(0)),\"b\":\(value(0))}".utf8)
        let spare = Array("{}[]\",:\\0e.-+ tn\t\u{1}é".utf8)
        for _ in 0..<Int.random(in: 0...2, using: &random) where !line.isEmpty {
            let place = Int.random(in: 0..<line.count, using: &random)
            switch Int.random(in: 0...2, using: &random) {
            case 0: line.remove(at: place)
            case 1: line[place] = spare.randomElement(using: &random) ?? 0
            default: line.insert(spare.randomElement(using: &random) ?? 0, at: place)
            }
        }
        return line
    }

    private func isWholeJSON(_ line: [UInt8]) -> Bool {
        guard var cursor = try? JSONCursor(line: line.span, line.indices), (try? cursor.readValue()) != nil else {
            return false
        }
        cursor.skipWhitespace()
        return cursor.isAtEnd
    }

    /// Deliberate differences, none of which the samples hold: half a surrogate
    /// pair in a value that isn't read, nesting between 256 and 512 levels, and
    /// numbers beyond Double, which Foundation alone refuses or takes.
    @Test("is JSON exactly where Foundation says so")
    func agreesWithFoundation() throws {
        var random = SeededGenerator(seed: 9)
        var refused = 0
        for _ in 0..<4_000 {
            let line = sample(&random)
            guard line.first == UInt8(ascii: "{") else { continue }
            let text = String(decoding: line, as: UTF8.self)
            // A mutation, or a backslash before the first half, may have left half a pair.
            let isPaired = !text.replacing(#"\\"#, with: "").components(separatedBy: #"\ud83d\ude00"#)
                .contains { $0.contains("ud83d") || $0.contains("ude00") || $0.contains(#"\ud"#) }
            guard isPaired, String(validating: line, as: UTF8.self) != nil else { continue }
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(line))) != nil
            let isRefused = !isWholeJSON(line)
            // Text may follow the JSON of a line, and is searched as well.
            if !isRefused { #expect(scan(line) != .refused(.invalidJSON)) }
            if isRefused { refused += 1 }
            #expect(isRefused == !isJSON, "\(text)")
        }
        #expect((500..<3_500).contains(refused), "\(refused) lines are too many or too few to say anything")
    }

    @Test("states its time in every usual form")
    func times() {
        func milliseconds(_ json: String) -> Int64? {
            let line = Array("{\"receipt\":\"Q\",\"submitted_at\":\(json)}".utf8)
            guard let scanned = try? SubmissionScanner(keys: LineKeys()).scan(line.span, 0..<line.count) else {
                return -1
            }
            return SubmissionTime.milliseconds(scanned.documents.first?.context.time?.token, in: line)
        }
        // date -u -d @1709208000: 2024-02-29T12:00:00Z.
        let noon: Int64 = 1_709_208_000_000
        for form in [
            #""2024-02-29T12:00:00Z""#, #""2024-02-29 12:00:00""#, #""2024-02-29T12:00:00.000Z""#,
            #""2024-02-29T13:00:00+01:00""#, #""2024-02-29T04:00:00-0800""#, "1709208000", "1709208000000",
            "1709208000.0",
            #""1709208000""#, #""1709208000000""#, "1.709208e9",
        ] { #expect(milliseconds(form) == noon, "\(form)") }
        #expect(milliseconds(#""2024-02-29T12:00:00.686Z""#) == noon + 686)
        #expect(milliseconds("1709208000.25") == noon + 250)
        for form in [
            "null", "true", "[]", #""""#, #""yesterday""#, #""2023-02-29T12:00:00Z""#, #""2024-02-29T25:00:00Z""#, "-5",
            "1e300",
            #""nan""#, #""inf""#,
        ] { #expect(milliseconds(form) == nil, "\(form)") }
    }
}
