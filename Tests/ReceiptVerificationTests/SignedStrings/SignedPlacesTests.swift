import Foundation
import ReceiptFormat
import ReceiptTrust
import SignedDataFormat
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification

/// Where signed strings stand in the lines that people keep.
@Suite("A line with signed strings")
struct SignedPlacesTests {
    typealias Store = SignedStringStore
    private let store: SignedStringStore
    /// Signed strings of as many transactions.
    private let strings: [String]

    init() throws {
        let store = try SignedStringStore()
        self.store = store
        strings = try (1...6).map { try store.sign(Store.transaction("\($0)")) }
    }

    private func found(_ line: String, keys: LineKeys = LineKeys()) throws -> [String] {
        try store.found(line, keys: keys)
    }

    @Test("has one under any key")
    func keys() throws {
        for key in [
            "receipt", "receipt_data", "receipt-data", "receiptData", "signedPayload", "signedTransactionInfo",
            "signedRenewalInfo", "signedAppTransactionInfo", "signedTransaction", "signed_transaction", "jws",
            "jwsRepresentation", "appTransaction", "latest_receipt", #"j\u0077s"#, #"\u0072eceipt"#, "signed_payload",
            "jws_representation", "signedAppTransaction", "signedRenewal", "jwsRepresentationIOS",
            "jwsRepresentationIos", "jwsTransaction", "jwsRenewalInfo", "jwsAppTransaction",
        ] { #expect(try found(#"{"a":{"b":[1]},"\#(key)":"\#(strings[0])","z":null}"#) == ["1:1"], "\(key)") }
        for key in ["JWS", "jws ", "session", "x_jws", "signedpayload", "transaction", ""] {
            #expect(try found(#"{"\#(key)":"\#(strings[0])"}"#) == ["1:1"], "\(key)")
        }
    }

    @Test("has several in the answers of the store's server, numbered as they stand")
    func answers() throws {
        let s = strings
        let history =
            #"{"revision":"1","hasMore":false,"bundleId":"b","signedTransactions":["\#(s[2])","\#(s[0])","\#(s[1])"]}"#
        #expect(try found(history) == ["1:3", "2:1", "3:2"])
        let statuses = """
            {"environment":"Sandbox","data":[{"subscriptionGroupIdentifier":"1","lastTransactions":[{"status":1,\
            "signedTransactionInfo":"\(s[0])","signedRenewalInfo":"\(s[1])"},{"signedRenewalInfo":"\(s[2])"}]},\
            {"lastTransactions":[]},{"lastTransactions":[{"signedTransactionInfo":"\(s[3])"}]}]}
            """
        #expect(try found(statuses) == ["1:1", "2:2", "3:3", "4:4"])
        let notifications = """
            {"notificationHistory":[{"signedPayload":"\(s[0])","sendAttempts":[{"attemptDate":1}]},\
            {"firstSendAttemptResult":"SUCCESS","signedPayload":"\(s[1])"}],"hasMore":true}
            """
        #expect(try found(notifications) == ["1:1", "2:2"])
        #expect(try found(#"{"unified_receipt":{"status":0,"latest_receipt":"\#(s[0])"},"password":"x"}"#) == ["1:1"])
        #expect(try found(#"{"latest_receipt":"\#(s[0])","receipt":{"in_app":[]},"status":0}"#) == ["1:1"])
        // Where none stands.
        for line in [
            #"{"signedTransactions":[]}"#, #"{"jws":null,"receipt":""}"#, "[]", "[[]]", #"[""]"#,
        ] { #expect(try found(line) == ["1:no_receipt"], "\(line.prefix(60))") }
        // In other shapes.
        for line in [
            #"{"signedTransactions":"\#(s[0])"}"#, #"{"signedTransactions":[["\#(s[0])"]]}"#,
            #"{"jws":["\#(s[0])"]}"#, #"{"jws":{"jws":"\#(s[0])"}}"#, #"{"receipt":{"jws":"\#(s[0])"}}"#,
            #"{"receipt":["\#(s[0])"]}"#, #"{"x":{"signedPayload":"\#(s[0])"}}"#, #"{"x":["\#(s[0])"]}"#,
        ] { #expect(try found(line) == ["1:1"], "\(line.prefix(60))") }
    }

    @Test("has several beside each other, and receipts among them, in the order of the line")
    func mixed() throws {
        let s = strings
        #expect(
            try found(#"{"jws":"\#(s[1])","signedPayload":"\#(s[0])","receipt":"\#(s[2])"}"#) == ["1:2", "2:1", "3:3"])
        #expect(try found(#"{"receipt":"\#(s[2])","appTransaction":"\#(s[0])"}"#) == ["1:3", "2:1"])
        // Under receipt keys, too.
        #expect(
            try found(#"{"receiptData":"\#(s[0])","jws":"\#(s[1])","receipt":"\#(s[2])"}"#) == ["1:1", "2:2", "3:3"])
        #expect(try found(#"{"receipt":"\#(s[0])","receipt":"\#(s[1])"}"#) == ["1:1", "2:2"])
        let escaped = s[0].replacing(".", with: #"\u002e"#)
        #expect(try found(#"{"receipt_data":"\#(escaped)","receipt":"\#(s[0])"}"#) == ["1:1"])
        let receipts = try ReceiptStore()
        let base64 = Data(try receipts.receipt()).base64EncodedString()
        let anchors = try TrustAnchors(certificates: store.root.der, receipts.der("root"))
        for line in [
            #"{"receipt":"\#(base64)","signedTransactions":["\#(s[0])","\#(s[1])"]}"#,
            #"{"receipt_data":"\#(base64)","jws":"\#(s[0])","signedTransaction":"\#(s[1])"}"#,
        ] {
            let verified = try verify(line: line, trusting: anchors)
            #expect(verified.receipts.map(\.kind) == [.appReceipt, .signedTransaction, .signedTransaction])
            #expect(verified.receipts.allSatisfy { $0.verification.verdict == .trusted }, "\(verified.detail)")
            #expect(verified.submissions.map(\.document) == [1, 2, 3] && verified.rejections.isEmpty)
        }
        // All receipts of an object count.
        let later = Data(try receipts.receipt(ReceiptStore.payload(createdAt: Date() + 3_600))).base64EncodedString()
        let line = #"{"receiptData":"\#(later)","receipt_data":"\#(s[0])","receipt":"\#(base64)"}"#
        let verified = try verify(line: line, trusting: anchors)
        #expect(verified.receipts.map(\.kind) == [.appReceipt, .signedTransaction, .appReceipt], "\(verified.detail)")
        #expect(verified.submissions.map(\.document) == [1, 2, 3] && verified.rejections.isEmpty)
        // A receipt stands under a key of signed data as well: its form tells.
        #expect(try verify(line: #"{"jws":"\#(base64)"}"#, trusting: anchors).receipts.map(\.kind) == [.appReceipt])
        // Objects under receipt keys are no document and no fault.
        #expect(try found(#"{"receipt":{"a":1},"receipt_data":[],"jws":"\#(s[0])"}"#) == ["1:1"])
    }

    @Test("has all but those under keys that the user forbids")
    func ignoredKeys() throws {
        let s = strings
        var keys = LineKeys()
        keys.ignored = ["answer", "jws"]
        #expect(
            try found(#"{"answer":{"jws":"\#(s[0])"},"jws":"\#(s[1])","x":"\#(s[2])"}"#, keys: keys) == ["1:3"])
        #expect(try found(#"{"answer":["\#(s[0])"],"\u006aws":"\#(s[1])"}"#, keys: keys) == ["1:no_receipt"])
    }

    @Test("counts a document that stands in it twice once")
    func repeated() throws {
        let s = strings
        let list = [s[0], s[1], s[0], s[2], s[1]].map { "\"\($0)\"" }.joined(separator: ",")
        #expect(try found(#"{"signedTransactions":[\#(list)]}"#) == ["1:1", "2:2", "3:3"])
        // However it is escaped.
        let escaped = s[0].replacing(".", with: #"\u002e"#)
        #expect(try found(#"{"jws":"\#(s[0])","receipt":"\#(escaped)","signedPayload":"\#(s[1])"}"#) == ["1:1", "2:2"])
        // Two lines are two submissions.
        let verified = try verify(lines: Array("\(s[0])\n\(s[0])\n".utf8), trusting: store.anchors)
        #expect(verified.submissions.map(\.line) == [0, 1])
    }

    @Test("is submitted for those that can be read, and rejected for those that can't, by their numbers")
    func partlyUnreadable() throws {
        let s = strings
        let bad = ["a.b.c", "!!!!", s[0] + ".x", String(s[0].dropFirst())]
        let list = [s[0], bad[0], s[1], bad[1], bad[2], s[2], bad[3]].map { "\"\($0)\"" }.joined(separator: ",")
        #expect(
            try found(#"{"signedTransactions":[\#(list)]}"#) == [
                "1:1", "3:2", "6:3", "2:malformed_container", "4:invalid_base64", "5:malformed_container",
                "7:malformed_container",
            ])
        let twice = [bad[0], s[0], bad[0]].map { "\"\($0)\"" }.joined(separator: ",")
        #expect(try found(#"{"signedTransactions":[\#(twice)]}"#) == ["2:1", "1:malformed_container"])
        let lines = #"{"signedTransactions":[\#(twice)]}"# + "\n" + bad[0] + "\n" + s[1] + "\n"
        let verified = try verify(lines: Array(lines.utf8), trusting: store.anchors)
        #expect(verified.lineCount == 3 && verified.loadedLineCount == 2)
        #expect(verified.rejections.map { [$0.line, $0.document] } == [[0, 1], [1, 1]])
    }

    @Test("is rejected for a few of a thousand that can't be read, which say how many more there are")
    func boundedRejections() throws {
        let bad = (0..<1_020).map { "\"a.b.\($0)\"" }
        // One that can be read stands among them, and one behind them all; one of them stands twice.
        let all = bad[..<100] + ["\"\(strings[0])\""] + bad[100...] + [bad[5], "\"\(strings[1])\""]
        let verified = try verify(
            line: #"{"signedTransactions":["# + all.joined(separator: ",") + "]}", trusting: store.anchors)
        #expect(verified.rejections.map(\.document) == Array(1...8))
        #expect(verified.rejections.map(\.furtherDocuments) == Array(repeating: 0, count: 7) + [1_012])
        #expect(
            verified.rejections.last?.cause.detail.hasSuffix(
                "; 1012 further documents of the line can't be read either") == true)
        // Numbers have no gaps.
        #expect(verified.submissions.map(\.document) == [9, 10])
    }

    @Test("holds at most 1,024 of them, and strings of at most a mebibyte")
    func limits() throws {
        func list(_ count: Int) -> String {
            #"{"signedTransactions":["# + (0..<count).map { "\"a.b.\($0)\"" }.joined(separator: ",") + "]}"
        }
        let most = try verify(line: list(1_024), trusting: store.anchors).rejections
        #expect(most.map(\.document) == Array(1...8) && most.reduce(0) { $0 + 1 + $1.furtherDocuments } == 1_024)
        #expect(try verify(line: list(1_025), trusting: store.anchors).outcome == .rejected(.lineTooLong))
        // The longest string within a mebibyte, and the next: not every length is one of base64.
        var (longest, more) = ("", "")
        var padding = ((1 << 20) - (try store.sign().utf8.count)) / 4 * 3 - 8
        while more.isEmpty {
            let text = try store.sign(Store.transaction() + String(repeating: " ", count: padding))
            if text.utf8.count <= 1 << 20 { longest = text } else { more = text }
            padding += 1
        }
        var wide = Limits()
        wide.lineBytes = 1 << 22
        #expect(longest.utf8.count > 1 << 20 - 3)
        #expect(
            try verify(lines: Array(longest.utf8), trusting: store.anchors, limits: wide).outcome == .verdict(.trusted))
        #expect(
            try verify(lines: Array(more.utf8), trusting: store.anchors, limits: wide).outcome
                == .rejected(.malformedContainer))
    }

    @Test("gives each of its submissions the device, account and time of the line")
    func context() throws {
        let s = strings
        let line =
            #"{"signedTransactions":["\#(s[0])","\#(s[1])"],"account_id":"a-1","deviceId":"d-1","timestamp":1709208000}"#
        let verified = try verify(line: line, trusting: store.anchors)
        #expect(verified.submissions.count == 2)
        for submission in verified.submissions {
            #expect(submission.account.map { String(decoding: verified.bytes[$0.indices], as: UTF8.self) } == "a-1")
            #expect(submission.device.map { String(decoding: verified.bytes[$0.indices], as: UTF8.self) } == "d-1")
            #expect(submission.submittedAt == 1_709_208_000_000)
        }
    }
}
