import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification

/// Lines as the servers and libraries of others log them (docs/line-forms.md).
@Suite("A line that others logged")
struct LoggedLineTests {
    typealias Store = SignedStringStore
    private let store: SignedStringStore
    /// Signed strings of as many transactions.
    private let strings: [String]
    /// The base64 of an app receipt, and of a transaction receipt that nobody trusts.
    private let receipt, transactionReceipt: String

    init() throws {
        let store = try SignedStringStore()
        self.store = store
        strings = try (1...6).map { try store.sign(Store.transaction("\($0)")) }
        receipt = Data(try ReceiptStore().receipt()).base64EncodedString()
        transactionReceipt = Data(#"{ "signature" = "AAAA"; "purchase-info" = "AAAA"; }"#.utf8).base64EncodedString()
    }

    private func found(_ line: String, keys: LineKeys = LineKeys()) throws -> [String] {
        try store.found(line, keys: keys)
    }

    /// JSON as a text in JSON, by Foundation.
    private func text(_ json: String, depth: Int = 1) throws -> String {
        guard depth > 0 else { return json }
        return try text(String(decoding: JSONEncoder().encode(json), as: UTF8.self), depth: depth - 1)
    }

    private static let wrappers = ["response", "body", "data", "requestBody"]

    private static let generic = [
        "purchaseToken", "transactionReceipt", "verificationData", "serverVerificationData", "fetch_token", "token",
        "verificationResultIOS", "app_transaction",
    ]

    // MARK: Answers of the store

    @Test("holds an answer or a request under a wrapper, as an object, a list or a text", arguments: wrappers)
    func wrapped(wrapper: String) throws {
        let s = strings
        let answers = [
            (#"{"signedPayload":"\#(s[0])"}"#, ["1:1"]),
            (#"{"signedTransactionInfo":"\#(s[0])"}"#, ["1:1"]),
            (#"{"revision":"1","hasMore":false,"signedTransactions":["\#(s[2])","\#(s[0])"]}"#, ["1:3", "2:1"]),
            (
                """
                {"environment":"Sandbox","bundleId":"b","appAppleId":1,"data":[{"subscriptionGroupIdentifier":"1",\
                "lastTransactions":[{"originalTransactionId":"1","status":1,"signedTransactionInfo":"\(s[1])",\
                "signedRenewalInfo":"\(s[0])"}]}]}
                """, ["1:2", "2:1"]
            ),
            (#"{"notificationHistory":[{"signedPayload":"\#(s[0])","sendAttempts":[]}]}"#, ["1:1"]),
            (#"{"status":0,"latest_receipt":"\#(s[0])","receipt":{"in_app":[]}}"#, ["1:1"]),
            (#"{"unified_receipt":{"latest_receipt":"\#(s[0])"},"notification_type":"CANCEL"}"#, ["1:1"]),
            // A notification, decoded.
            (
                """
                {"notificationType":"SUBSCRIBED","version":"2.0","data":{"bundleId":"b","signedTransactionInfo":\
                "\(s[4])","signedRenewalInfo":"\(s[5])","status":1}}
                """, ["1:5", "2:6"]
            ),
            (#"{"notificationType":"RESCIND_CONSENT","appData":{"signedAppTransactionInfo":"\#(s[1])"}}"#, ["1:2"]),
            (#"{"receipt-data":"\#(s[3])","password":"x","exclude-old-transactions":true}"#, ["1:4"]),
            ("\"\(s[0])\"", ["1:1"]),
        ]
        for (answer, expected) in answers {
            for value in [answer, "[\(answer)]", try text(answer), try text(answer, depth: 3), try text("[\(answer)]")]
            {
                let line = #"{"status":200,"\#(wrapper)":\#(value),"time":{"at":1}}"#
                #expect(try found(line) == expected, "\(value.prefix(80))")
            }
            // Wrappers in wrappers, and a list without one.
            #expect(try found(#"{"\#(wrapper)":{"response":{"body":\#(try text(answer))}}}"#) == expected)
            #expect(try found("[\(answer)]") == expected && found("[[{},\(answer)]]") == expected)
        }
    }

    @Test("is a list of answers, or has the last transactions alone")
    func lists() throws {
        let s = strings
        #expect(try found(#"["\#(s[1])","\#(s[0])"]"#) == ["1:2", "2:1"])
        #expect(try found(#"[{"signedTransactionInfo":"\#(s[1])"},"\#(s[0])",{"receipt":"\#(s[2])"}]"#).count == 3)
        #expect(
            try found(
                """
                {"lastTransactions":[{"status":1,"signedTransactionInfo":"\(s[0])","signedRenewalInfo":"\(s[1])"},\
                {"status":2,"signedTransactionInfo":"\(s[2])"}]}
                """) == ["1:1", "2:2", "3:3"])
        #expect(try found("\u{feff} [ \"\(s[1])\" , null, 1, {}, [[ ]] ] \r") == ["1:2"])
    }

    // MARK: Libraries

    @Test("has a document under a key that libraries use for all stores", arguments: generic)
    func libraries(key: String) throws {
        let anchors = try TrustAnchors(certificates: store.root.der, ReceiptStore().der("root"))
        #expect(try found(#"{"\#(key)":"\#(strings[0])","productId":"p"}"#) == ["1:1"])
        #expect(try found(#"{"\#(key)":"\#(strings[0].replacing(".", with: #"\u002e"#))"}"#) == ["1:1"])
        for form in [
            receipt, receipt.replacing("/", with: #"\/"#), receipt.replacing("+", with: "-").replacing("/", with: "_"),
            receipt.prefix(76) + #"\r\n"# + receipt.dropFirst(76), #"\n "# + receipt,
        ] {
            let verified = try verify(line: #"{"\#(key)":"\#(form)"}"#, trusting: anchors)
            #expect(verified.outcome == .verdict(.trusted), "\(form.prefix(20)): \(verified.detail)")
        }
        // A receipt of iOS 6 is known by its form, and nothing else is taken for one.
        #expect(
            try verify(line: #"{"\#(key)":"\#(transactionReceipt)"}"#, trusting: anchors).outcome
                == .rejected(.malformedContainer))
        // What begins like a document and is none is rejected, and the others stand.
        for count in [200, strings[1].count / 2, strings[1].count - 100] {
            let line = #"{"\#(key)":"\#(strings[1].prefix(count))"}"#
            let outcome = try verify(line: line, trusting: anchors).outcome
            #expect(outcome != nil && outcome != .rejected(.noReceipt) && outcome != .verdict(.trusted), "\(count)")
        }
        #expect(try found(#"{"jws":"\#(strings[0])","\#(key)":"\#(receipt.prefix(400))"}"#).count == 2)
    }

    /// What stands under such keys and is no document of the store's.
    private static let others = [
        // A token of Google Play, of a session (RFC 7519), of Amazon's store, of a device; a key, an answer of others.
        "gibberishkpmhdlnfjkceaojl.AO-J1Oz3-bfKmjZ4ZQ9Kq1h7Yw8s5yJkRkXvQn3x",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "q1YqVbJSSixW0lFKTEpVslIyNDI2MTUztzSwrAUA:3:11", "4a1c9f0e6b2d", "2000000123456789", "MIIEvQIBADANBgkqhkiG9w0B",
        "eyJhIjoxfQ==", "catappult.inapp.purchase.anIdWithNumbersAndLetters", "[object Object]", "a.b.c", "...", "=",
        #"{\"orderId\":\"GPA.3372\",\"purchaseToken\":\"gibberish.AO-J1O\",\"purchaseState\":0}"#,
        #"{\"transactionId\":"#,
        "OK", " ", #"\ud800"#, #"\"\""#, "[1", "{a}", "Bearer eyJhbGciOiJIUzI1NiJ9.e30.x",
    ]

    @Test("passes over whatever else stands under such a key", arguments: generic + wrappers)
    func otherStores(key: String) throws {
        for other in Self.others {
            let reason = other.contains("AO-J1O") ? "google_play" : "no_receipt"
            #expect(try found(#"{"\#(key)":"\#(other)"}"#) == ["1:\(reason)"], "\(other)")
            #expect(try found(#"{"jws":"\#(strings[0])","\#(key)":"\#(other)"}"#) == ["1:1"], "\(other)")
        }
        for other in ["12", "null", "true", "{}", #"{"a":["b"]}"#, #"[[["eyJ"]]]"#] {
            #expect(try found(#"{"jws":"\#(strings[0])","\#(key)":\#(other)}"#) == ["1:1"], "\(other)")
        }
    }

    @Test("has the forms that libraries give their users, by their own documentation")
    func libraryForms() throws {
        let s = strings
        let detail = #"{\"transactionId\":\"1\",\"bundleId\":\"com.example.app\",\"signedDate\":1730000000000}"#
        let lines = [
            // RevenueCat, POST /v1/receipts.
            """
            {"app_user_id":"$RCAnonymousID:5f","fetch_token":"\(s[0])","is_restore":false,"product_id":"gold",\
            "app_transaction":"\(s[1])","attributes":{"$email":{"value":"a@example.com"}}}
            """,
            // Flutter, in_app_purchase over StoreKit 2.
            """
            {"productID":"gold","purchaseID":"1","verificationData":{"localVerificationData":"\(detail)",\
            "serverVerificationData":"\(s[0])","source":"app_store"},"status":"purchased","x":{"token":"\(s[5])"}}
            """,
            // react-native-iap 12 over StoreKit 2, and from version 14 on.
            #"{"productId":"gold","transactionReceipt":"","purchaseToken":"","verificationResultIOS":"\#(s[0])"}"#,
            #"{"productId":"gold","platform":"ios","purchaseToken":"\#(s[0])","transactionReceipt":"\#(detail)"}"#,
            // expo-iap 2.
            #"{"id":"1","platform":"ios","jwsRepresentationIos":"\#(s[0])","transactionReceipt":"\#(detail)"}"#,
        ]
        for (line, expected) in zip(lines, [["1:1", "2:2"], ["1:1", "2:6"], ["1:1"], ["1:1"], ["1:1"]]) {
            #expect(try found(line) == expected, "\(line.prefix(60))")
            // As a server logs the request.
            #expect(try found(#"{"path":"/verify","body":\#(try text(line))}"#) == expected, "\(line.prefix(60))")
        }
    }

    // MARK: Numbers

    @Test("numbers documents as they stand, wherever they stand, and has each once")
    func numbers() throws {
        let s = strings
        let body = try text(#"{"fetch_token":"\#(s[1])","receipt":"\#(s[2])","jws":"\#(s[0])"}"#)
        #expect(
            try found(#"{"jws":"\#(s[3])","body":\#(body),"response":[{"jws":"\#(s[4])"}],"receipt":"\#(s[5])"}"#)
                == ["1:4", "2:2", "3:3", "4:1", "5:5", "6:6"])
        // The request and the answer have the same document.
        #expect(
            try found(#"{"body":\#(body),"response":{"jws":"\#(s[0])"},"jws":"\#(s[1])"}"#) == ["1:2", "2:3", "3:1"])
        let bad = try text(#"{"signedPayload":"a.b.c"}"#)
        #expect(
            try found(#"{"body":\#(bad),"jws":"\#(s[0])","response":\#(bad),"receipt":["a.b.c"]}"#)
                == ["2:1", "1:malformed_container"])
        #expect(
            try found(#"[{"receipt_data":"AAAA","receipt":"\#(s[0])"},{"receiptData":"BBBB","receipt":"BBBB"}]"#)
                == ["2:1", "1:malformed_container", "3:malformed_container"])
    }

    @Test("is rejected for a text with documents that is no JSON, and submitted for the others")
    func cutTexts() throws {
        let s = strings
        for cut in [
            #"{\"signedPayload\":\"\#(s[1].prefix(60))"#, #"{\"fetch_token\":\"\#(s[1])"#, #"{\"receipt\":\"MII"#,
            #"{\"jws\":\"\#(s[1])\""#, #"[\"\#(s[1])\",\"#, #"{\"signedTransactions\":[\"\#(s[1])\",\"x"#,
            #"{\"a\":[],\"data\":{\"jws\":\"a\",\"jws\":\"\#(s[1])\",}}"#,
            #"2026-11-02 08:15:00 {\"jws\":\"\#(s[1])\""#,
        ] {
            // A text ends with its quote, whatever was cut.
            let text = cut.hasSuffix(#"\"#) ? String(cut.dropLast()) : cut
            #expect(try found(#"{"body":"\#(text)"}"#) == ["1:invalid_json"], "\(cut)")
            #expect(
                try found(#"{"jws":"\#(s[0])","body":"\#(text)","response":{"jws":"\#(s[2])"}}"#)
                    == ["1:1", "3:3", "2:invalid_json"], "\(cut)")
        }
        let detail = try verify(line: #"{"body":"{\"receipt\":\"x"}"#, trusting: store.anchors).detail
        #expect(detail == "JSON in a text of the line: a string is not closed (character 13 of the text)")
        // An answer of verifyReceipt that is cut before its receipt says nothing of one.
        for cut in [#"{\"status\":0,\"receipt\":{\"in_app\":[{\"quan"#, #"{\"data\":[{\"token\":\"abc"#, #"{\"a\":"#] {
            #expect(try found(#"{"receipt":"\#(s[0])","response":"\#(cut)"}"#) == ["1:1"], "\(cut)")
        }
    }

    // MARK: Context

    /// Device, account and time of the submissions of a line.
    private func contexts(_ line: String) throws -> [[String?]] {
        let verified = try verify(line: line, trusting: store.anchors)
        func text(_ range: ByteRange?) -> String? {
            range.map { String(decoding: verified.bytes[$0.indices], as: UTF8.self) }
        }
        return verified.submissions.map { [text($0.device), text($0.account), $0.submittedAt.map(String.init)] }
    }

    @Test("states device, account and time for its documents, however deep they stand")
    func context() throws {
        let s = strings
        let body = try text(#"{"signedTransactions":["\#(s[0])","\#(s[1])"]}"#)
        let own = [String?("d-1"), "a-1", "1709208000000"]
        for line in [
            #"{"deviceId":"d-1","account_id":"a-1","timestamp":1709208000,"body":\#(body)}"#,
            #"{"body":\#(body),"deviceId":"d-1","account_id":"a-1","timestamp":1709208000}"#,
        ] { #expect(try contexts(line) == [own, own], "\(line.prefix(40))") }
        // The nearest object that states something counts, and then those around it.
        let request = try text(#"{"receipt":"\#(s[0])","user_id":"\u00e9-2","device_id":"d-2","timestamp":5}"#)
        #expect(try contexts(#"{"body":\#(request)}"#) == [["d-2", "\u{e9}-2", "5000"]])
        #expect(try contexts(#"{"account_id":"a-1","body":\#(request)}"#) == [["d-2", "\u{e9}-2", "5000"]])
        let short = try text(#"{"receipt":"\#(s[0])","device_id":"d-2"}"#)
        #expect(try contexts(#"{"account_id":"a-1","device_id":"d-1","body":\#(short)}"#) == [["d-2", "a-1", nil]])
        #expect(
            try contexts(#"{"body":\#(request),"jws":"\#(s[1])","timestamp":1709208000}"#)
                == [["d-2", "\u{e9}-2", "5000"], [nil, nil, "1709208000000"]])
        // Each of a list has its own.
        #expect(
            try contexts(
                #"[{"jws":"\#(s[0])","userId":"a"},{"jws":"\#(s[1])"},{"userId":"c","data":["\#(s[2])"],"guid":"g"}]"#)
                == [[nil, "a", nil], [nil, nil, nil], ["g", "c", nil]])
        // Under an empty or absent value, what stands inside counts.
        #expect(
            try contexts(#"{"account_id":"","deviceId":null,"body":\#(request)}"#) == [["d-2", "\u{e9}-2", "5000"]])
    }

    @Test("is read by keys of one's own in wrappers, too")
    func ownKeys() throws {
        let s = strings
        var own = LineKeys()
        own.receipt = ["token", "data", "blob"]
        // A text under one's own key is a document, whatever its form.
        #expect(try found(#"{"token":"!"}"#, keys: own) == ["1:invalid_base64"])
        #expect(try found(#"{"body":{"blob":"\#(s[0])"},"data":[{"jws":"\#(s[1])"}]}"#, keys: own) == ["1:1", "2:2"])
        #expect(try found(#"{"data":"\#(s[0])"}"#, keys: own) == ["1:1"])
        #expect(try found(#"{"blob":{"jws":"\#(s[0])"}}"#, keys: own) == ["1:1"])
        var account = LineKeys()
        account.account = ["token"]
        #expect(try found(#"{"jws":"\#(s[0])","token":"\#(s[1])"}"#, keys: account) == ["1:1"])
    }

    // MARK: Bounds

    @Test("nests as deep as JSON may, and texts four deep; what is deeper is passed over")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"data":"#, count: depth) + #"{"jws":"\#(strings[0])"}"#
                + String(repeating: "}", count: depth)
        }
        #expect(try found(nested(255)) == ["1:1"] && found(nested(256)) == ["1:invalid_json"])
        let lists = String(repeating: "[", count: 256) + "\"\(strings[0])\"" + String(repeating: "]", count: 256)
        #expect(try found(lists) == ["1:1"])
        // Texts nest within objects and lists, which count together.
        let inner = try text(nested(200))
        #expect(try found(#"{"body":\#(inner)}"#) == ["1:1"])
        let four = try text(#"{"jws":"\#(strings[0])"}"#, depth: 4)
        #expect(
            try found(#"{"body":\#(four)}"#) == ["1:1"] && found(#"{"body":\#(try text(four))}"#) == ["1:no_receipt"])
    }

    @Test("holds at most 1,024 documents, in wrappers too, and as many bytes of accounts as of a line")
    func numberAndSize() throws {
        let many = (0..<1_025).map { #"{"data":["\#(strings[0])\#($0)"]}"# }.joined(separator: ",")
        #expect(try verify(line: "[\(many)]", trusting: store.anchors).outcome == .rejected(.lineTooLong))
        let account = String(repeating: "a", count: 20_000)
        let line = #"{"account_id":"\#(account)","signedTransactions":["\#(strings.joined(separator: "\",\""))"]}"#
        var limits = Limits()
        limits.lineBytes = 120_000
        let read = try verify(lines: Array(line.utf8), trusting: store.anchors, limits: limits)
        #expect(read.submissions.count == 6 && read.submissions.allSatisfy { $0.account?.count == 20_000 })
        limits.lineBytes = 119_999
        #expect(
            try verify(lines: Array(line.utf8), trusting: store.anchors, limits: limits).outcome
                == .rejected(.lineTooLong))
    }

    @Test("takes time that grows with its length, however texts and lists nest")
    func time() throws {
        let count = 400_000
        var inner = String(repeating: "a", count: count)
        for _ in 0..<6 { inner = try text(#"{"body":\#(text(inner)),"data":["x"]}"#) }
        let parts = [
            #"{"body":\#(inner)}"#,
            "[" + String(repeating: #"{"data":"\"{\\\"a\\\":1}\""},"#, count: count / 25) + "0]",
            "[" + String(repeating: #"{"data":"{\"jws\":\"x\"}"},"#, count: count / 25) + "0]",
            "[" + String(repeating: #"{"receipt":"A","receipt":"B"},"#, count: count / 30) + "0]",
            "{" + String(repeating: #""receipt":"A","jws":"a.b",""#, count: count / 30).dropLast() + #""a":0}"#,
            "{" + String(repeating: #""account_id":"A","data":[{"#, count: 8) + #""jws":"x""#
                + String(repeating: "}]", count: 8) + "}",
            "[" + String(repeating: #"{"token":"eyJ"},"#, count: count / 20) + "0]",
            #"{"data":""# + String(repeating: #"\\"#, count: count / 2) + #""}"#,
            #"{"token":""# + String(repeating: "e", count: count) + #".a.b"}"#,
            // Free text in which much begins.
            "x" + String(repeating: "{", count: count), "x" + String(repeating: "[", count: count),
            "x" + String(repeating: #"{"a":""#, count: count / 6), "x" + String(repeating: #"\"\""#, count: count / 4),
            "x " + String(repeating: "a=b&", count: count / 4), "x" + String(repeating: "?", count: count) + "=",
            "x" + String(repeating: "%7B%22", count: count / 6), String(repeating: #"\x22{"#, count: count / 5),
            "x " + String(repeating: "eyJhIjox ", count: count / 9), "=" + String(repeating: "a=\"", count: count / 3),
        ]
        let packed = try Data(contentsOf: Self.bomb(bytes: 64 << 20)).base64EncodedString()
        let bombs = [
            "{\"a\":\"\(packed)\"}", "[" + String(repeating: "\"\(packed)\",", count: 8) + "0]",
        ]
        let long = String(repeating: "A", count: 10 * count)
        let many = String(repeating: #""receipt_data":"x","#, count: count / 2)
        let start = ContinuousClock.now
        #expect(try verify(line: #"{"receipt":"\#(long)",\#(many)"a":0}"#, trusting: store.anchors).lineCount == 1)
        for line in parts + bombs { #expect(try verify(line: line, trusting: store.anchors).lineCount == 1) }
        // A debug build on a busy machine; what grows with the square takes minutes.
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    /// A gzip file of many spaces.
    private static func bomb(bytes: Int) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(repeating: 0x20, count: bytes).write(to: file)
        let process = try Process.run(URL(filePath: "/bin/gzip"), arguments: [file.path])
        process.waitUntilExit()
        return file.appendingPathExtension("gz")
    }

    // MARK: Reasons

    @Test("is rejected with the keys and the place of what nearly was a document")
    func reasons() throws {
        let s = strings[0]
        func detail(_ line: String) throws -> String { try verify(line: line, trusting: store.anchors).detail }
        // The string begins behind {"request_body":{"signedPayload":" and ends before its first full stop.
        let cut = try detail(#"{"request_body":{"signedPayload":"\#(s.prefix(400))"}}"#)
        #expect(
            cut.hasPrefix(
                "`request_body.signedPayload` begins like a signed string, at character 35, and ends after 400: is the "
                    + "line cut?"), "\(cut)")
        let inner = try detail(#"{"a":[{"b":\#(text(#"{"c":["\#(s.prefix(400))"]}"#))}]}"#)
        #expect(inner.hasPrefix("`a.b.c` begins like a signed string, at character 13, and ends after 400"), "\(inner)")
        let receipt = try detail(#"{"x":{"y":"\#(receipt.prefix(401))"}}"#)
        #expect(receipt.hasPrefix("`x.y` begins like a receipt, at character 12, and ends after 401"), "\(receipt)")
        let session =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9Pl"
        let near = try detail(#"{"auth":{"token":"\#(session)"}}"#)
        #expect(
            near == "no text of the line is a receipt or a signed string with certificates (x5c); `auth.token`, at "
                + "character 19, is a signed string without certificates (x5c), as tokens of sessions are")
        #expect(
            try detail(#"{"a":1}"#)
                == "no text of the line is a receipt or a signed string with certificates (x5c)")
    }
}
