import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptVerification

/// Lines in the shapes in which public projects write, send and log documents. Names and values are made up; keys are
/// those of the projects.
@Suite("A line in a form of a public project")
struct PublicFormsTests {
    typealias Store = SignedStringStore
    private let store: SignedStringStore
    /// Signed strings of transactions 1, 2 and 3.
    private let strings: [String]
    private let receipt: String

    init() throws {
        let store = try SignedStringStore()
        self.store = store
        strings = try (1...3).map { try store.sign(Store.transaction("\($0)")) }
        receipt = Data(try ReceiptStore().receipt()).base64EncodedString()
    }

    /// A form: `§1` to `§3` are signed strings, `§R` is a receipt; `«…»` is the JSON of a text, `‹…›` base64, `⟨…⟩` base64
    /// of gzip and `⟦…⟧` percent-encoding. The innermost is encoded first.
    private struct Form {
        let name, line: String
        /// Transactions of signed strings, `R` for the receipt.
        var documents = "1"
        var account: String?

        init(_ name: String, _ line: String, _ documents: String = "1", account: String? = nil) {
            (self.name, self.line, self.documents, self.account) = (name, line, documents, account)
        }
    }

    private static let forms: [Form] = [
        // Prose whose first letters are base64 of a quote, a brace or a bracket.
        Form("log, Info", #"Info: {"receipt":"§R","user_id":"u-1"}"#, "R", account: "u-1"),
        Form("log, It", #"It came {"receipt":"§R","user_id":"u-1"}"#, "R", account: "u-1"),
        Form("log, exec", #"exec {"signedPayload":"§1","user_id":"u-1"}"#, account: "u-1"),
        Form("log in JSON, Incoming", #"{"log":"«Incoming {"receipt":"§R","user_id":"u-1"}»"}"#, "R", account: "u-1"),
        Form("log in JSON, words of letters alone", #"{"log":"Info receipt §R"}"#, "R"),
        Form("form, expires", #"{"body":"expires=1&receipt=⟦§R⟧&user_id=u-1"}"#, "R", account: "u-1"),
        Form("address, example", #"{"url":"example.com/?r=⟦§R⟧&user_id=u-1"}"#, "R", account: "u-1"),
        Form(
            "log, quoted paths",
            "INFO " + String(repeating: #""C:\data" "#, count: 40) + #"{"receipt":"§R","user_id":"u-1"}"#, "R",
            account: "u-1"),
        Form("nginx, quoted", #""{\x22receipt\x22:\x22§R\x22,\x22user_id\x22:\x22u-1\x22}" 200"#, "R", account: "u-1"),
        // Libraries of apps.
        Form(
            "react-native-iap 12",
            #"{"productId":"p","transactionId":"1","transactionReceipt":"§R","originalJson":""}"#, "R"),
        Form("react-native-iap 14", #"{"id":"1","platform":"ios","store":"apple","purchaseToken":"§1","ids":null}"#),
        Form("react-native-iap, StoreKit 2", #"{"transactionReceipt":"","verificationResultIOS":"§1"}"#),
        Form("expo-iap", #"{"purchase":{"id":"1","jwsRepresentationIOS":"§1","purchaseToken":"§1"}}"#),
        Form("openiap", #"{"type":"in-app","purchase":{"jws":"§1"},"environmentIOS":"Sandbox"}"#),
        Form(
            "Flutter, in_app_purchase",
            #"{"source":"app_store","productId":"p","verificationData":"§1","userId":"u-1"}"#, account: "u-1"),
        Form(
            "Flutter, purchase details",
            #"{"purchaseID":"1","verificationData":{"localVerificationData":"«{"transactionId":"1"}»","serverVerificationData":"§R"}}"#,
            "R"),
        Form("flutter_inapp_purchase", #"{"transactionReceipt":"§R","transactionStateIOS":1}"#, "R"),
        Form(
            "cordova-plugin-purchase, validator",
            #"{"id":"p","type":"paid subscription","transaction":{"type":"ios-appstore","id":"1","appStoreReceipt":"§R"},"additionalData":{"applicationUsername":"u"}}"#,
            "R"),
        Form("cordova-plugin-purchase 14", #"{"transaction":{"type":"apple-sk2","jwsRepresentation":"§1"}}"#),
        Form(
            "Unity IAP",
            #"{"receipt":"«{"Store":"AppleAppStore","TransactionID":"1","Payload":"§R"}»"}"#, "R"),
        Form("Unity IAP 5", #"{"Store":"AppleAppStore","TransactionID":"1","Payload":"«{"jwsRepresentation":"§1"}»"}"#),
        Form("uni-app", #"{"productid":"p","transactionReceipt":"§R","transactionState":"1"}"#, "R"),
        Form("Godot", #"{"type":"purchase","result":"ok","receipt":"§R"}"#, "R"),
        Form("Capacitor", #"{"productIdentifier":"p","receipt":"§R","jwsRepresentation":"§1"}"#, "R 1"),
        Form("Titanium", #"{"transactions":[{"state":1,"receipt":{"data":"§R"}}]}"#, "R"),
        // Services.
        Form(
            "RevenueCat, receipts",
            #"{"app_user_id":"u-1","fetch_token":"§R","product_id":"p","attributes":{"$email":{"value":"a@example.com"}}}"#,
            "R", account: "u-1"),
        Form(
            "RevenueCat, StoreKit 2", #"{"app_user_id":"u-1","fetch_token":"§1","app_transaction":"§2"}"#, "1 2",
            account: "u-1"),
        Form(
            "Adapty",
            #"{"data":{"type":"apple_receipt_validation_result","attributes":{"profile_id":"u","receipt_encoded":"§R"}}}"#,
            "R"),
        Form("Qonversion", #"{"receipt":"§R","purchase":{"product":"p"},"user_id":"u-1"}"#, "R", account: "u-1"),
        Form("Apphud", #"{"device_id":"d","product_id":"p","receipt_data":"§R","transaction_id":"1"}"#, "R"),
        Form("Glassfy", #"{"receiptdata":"§R","countrycode":"DE","subscriberid":"s"}"#, "R"),
        Form("Superwall", #"{"transactions":[{"signedTransactionInfo":"§1"},{"signedTransactionInfo":"§2"}]}"#, "1 2"),
        Form("Firebase, callable", #"{"data":{"signedTransactionJWS":"§1"}}"#),
        Form("Parse Server", #"{"productIdentifier":"p","receipt":{"__type":"Bytes","base64":"§R"}}"#, "R"),
        Form("PlayFab", #"{"ReceiptData":"§R","CurrencyCode":"EUR","PurchasePrice":99}"#, "R"),
        Form("Nakama", #"{"receipt":"§R","persist":true,"user_id":"u-1"}"#, "R", account: "u-1"),
        // The App Store's servers.
        Form("notification", #"{"signedPayload":"§1"}"#),
        Form("history", #"{"revision":"r","hasMore":false,"signedTransactions":["§1","§3","§2"]}"#, "1 3 2"),
        Form("verifyReceipt, request", #"{"receipt-data":"§R","password":"x"}"#, "R"),
        Form(
            "verifyReceipt, answer",
            #"{"status":0,"receipt":{"in_app":[]},"latest_receipt":"§R","pending_renewal_info":[]}"#, "R"),
        Form(
            "receipts in a list", #"{"user_id":"u-1","receipts":["§R",{"jwsTransaction":"§1"}]}"#, "R 1", account: "u-1"
        ),
        // Envelopes.
        Form(
            "API Gateway",
            #"{"resource":"/{proxy+}","httpMethod":"POST","headers":{"Authorization":"Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"},"body":"‹{"user_id":"u-1","receipt":"§R"}›","isBase64Encoded":true}"#,
            "R", account: "u-1"),
        Form(
            "API Gateway, form",
            #"{"version":"2.0","body":"‹receipt-data=⟦§R⟧&user_id=u+1›","isBase64Encoded":true}"#, "R", account: "u 1"),
        Form(
            "Pub/Sub, push",
            #"{"message":{"attributes":{},"data":"‹{"signedPayload":"§1"}›","messageId":"1"},"subscription":"s"}"#),
        Form(
            "CloudWatch, subscription",
            #"{"awslogs":{"data":"⟨{"messageType":"DATA_MESSAGE","logEvents":[{"id":"1","timestamp":1,"message":"«{"user_id":"u-1","jws":"§1"}»"},{"id":"2","message":"«{"jws":"§2"}»"}]}⟩"}}"#,
            "1 2", account: "u-1"),
        Form(
            "CloudWatch, event",
            #"{"timestamp":1762000000000,"message":"2026-11-02T08:15:00Z 9f1 INFO «{"jws":"§1"}»\n"}"#),
        Form(
            "Docker, json-file",
            #"{"log":"«{"level":"info","body":{"receipt":"§R"}}»\n","stream":"stdout","time":"2026-11-02T08:15:00Z"}"#,
            "R"),
        Form(
            "Docker, text",
            #"{"log":"I, [2026-11-02T08:15:00 #7]  INFO -- : Parameters: «{"jws":"§1"}»\n","stream":"stderr"}"#),
        Form(
            "Google Cloud, JSON",
            #"{"insertId":"i","jsonPayload":{"request":{"purchaseToken":"§1"}},"severity":"INFO"}"#),
        Form(
            "Google Cloud, text", #"{"textPayload":"verify «{"jws":"§1"}»","resource":{"type":"cloud_run_revision"}}"#),
        Form(
            "SQS", #"{"Records":[{"messageId":"1","body":"«{"jws":"§1","userId":"u-1"}»"},{"body":"«{"jws":"§2"}»"}]}"#,
            "1 2", account: "u-1"),
        Form(
            "SQS of SNS",
            #"{"Messages":[{"Body":"«{"Type":"Notification","Message":"«{"signedPayload":"§1"}»"}»"}]}"#),
        Form("SNS", #"{"Records":[{"EventSource":"aws:sns","Sns":{"Message":"«{"signedPayload":"§1"}»"}}]}"#),
        Form("EventBridge", #"{"detail-type":"purchase","source":"app","detail":{"payload":{"signedPayload":"§1"}}}"#),
        Form("Kinesis", #"{"Records":[{"kinesis":{"partitionKey":"1","data":"‹{"signedPayload":"§1"}›"}}]}"#),
        Form("Kafka, REST", #"[{"topic":"t","key":null,"value":{"jws":"§1"},"partition":0,"offset":1}]"#),
        Form("CloudEvents", #"{"specversion":"1.0","type":"t","data_base64":"‹{"jws":"§1"}›"}"#),
        Form(
            "nginx, escape=json",
            #"{"time":"2026-11-02T08:15:00+00:00","status":200,"request_body":"«{"signedPayload":"§1"}»"}"#),
        Form(
            "nginx, default",
            #"192.0.2.1 - - [02/Nov/2026:08:15:00 +0000] "POST /v HTTP/1.1" 200 2 "{\x22signedPayload\x22:\x22§1\x22}""#
        ),
        Form(
            "nginx, query",
            #"192.0.2.1 - - [02/Nov/2026:08:15:00 +0000] "GET /v?user_id=u%2D1&receipt=⟦§R⟧ HTTP/1.1" 200 2"#, "R",
            account: "u-1"),
        Form(
            "Elasticsearch",
            #"{"_index":"logs","_source":{"@timestamp":"2026-11-02T08:15:00Z","http":{"request":{"body":{"content":"«{"jws":"§1"}»"}}}}}"#
        ),
        Form("Mongo, export", #"{"_id":{"$oid":"6"},"receipt":{"$binary":{"base64":"§R","subType":"00"}}}"#, "R"),
        Form(
            "HAR",
            #"{"log":{"entries":[{"request":{"postData":{"mimeType":"application/json","text":"«{"receipt":"§R"}»"}}}]}}"#,
            "R"),
        Form("JSON:API", #"{"data":{"type":"receipts","attributes":{"receipt-data":"§R"}}}"#, "R"),
        Form("GraphQL", #"{"query":"mutation($j: String!) { verify(jws: $j) { ok } }","variables":{"j":"§1"}}"#),
        // Text.
        Form("form body", "receipt-data=⟦§R⟧&user_id=u%2D1&note=a+b", "R", account: "u-1"),
        Form("form body, plus as it is", "user_id=a+b&receipt=§R", "R", account: "a b"),
        Form("form body with JSON", #"payload=⟦{"user_id":"u-1","jws":"§1"}⟧"#, account: "u-1"),
        Form("data URI", #"{"file":"data:application/json;base64,‹{"jws":"§1"}›"}"#),
        Form("data URI of a receipt", #"{"upload":"data:application/octet-stream;base64,§R"}"#, "R"),
        Form(
            "log before JSON", #"2026-11-02 08:15:00.123 [main] INFO Verify - {"user_id":"u-1","jws":"§1"}"#,
            account: "u-1"),
        Form(
            "log around JSON",
            #"[2026-11-02 08:15:00] production.INFO: verify {"jws":"§1"} {"request":"9","receipt":"§R"} in 12 ms"#,
            "1 R"),
        Form("log with two lines in one", #"{"jws":"§1"}{"jws":"§2"}"#, "1 2"),
        Form("logfmt", #"level=info msg="verify" user=u jws=§1 took=12ms"#),
        Form(
            "logfmt, quoted JSON", #"time=2026-11-02 level=info body="«{"user_id":"u-1","jws":"§1"}»""#, account: "u-1"),
        Form("syslog", #"<14>Nov  2 08:15:00 host app[7]: receipt §R"#, "R"),
        Form("base64 of a signed string", #"{"proof":"‹§1›"}"#),
        Form("gzip of a receipt's JSON", #"{"blob":"⟨{"receipt":"§R"}⟩"}"#, "R"),
        Form("gzip alone", #"⟨{"receipt":"§R","user_id":"u-1"}⟩"#, "R", account: "u-1"),
        Form("base64 alone", #"‹{"jws":"§1"}›"#),
        Form("percent-encoded", #"{"q":"⟦{"jws":"§1"}⟧"}"#),
        Form(
            "the same in request and answer",
            #"{"request":{"jws":"§1","userId":"u-1"},"response":{"signedTransactionInfo":"§1"}}"#, account: "u-1"),
    ]

    // MARK: Encoding

    private func line(of form: Form) throws -> String {
        var line = form.line
        for (number, string) in strings.enumerated() { line = line.replacing("§\(number + 1)", with: string) }
        line = line.replacing("§R", with: receipt)
        let encoders: [Character: (close: Character, encode: (String) throws -> String)] = [
            "«": (
                "»",
                { String(decoding: try JSONEncoder().encode($0), as: UTF8.self).dropFirst().dropLast().description }
            ),
            "‹": ("›", { Data($0.utf8).base64EncodedString() }),
            "⟨": ("⟩", { try Self.gzip($0).base64EncodedString() }),
            "⟦": ("⟧", { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }),
        ]
        // The last opening mark is an innermost one.
        while let open = line.lastIndex(where: { encoders[$0] != nil }), let encoder = encoders[line[open]],
            let close = line[open...].firstIndex(of: encoder.close)
        {
            let inner = try encoder.encode(String(line[line.index(after: open)..<close]))
            line.replaceSubrange(open...close, with: inner)
        }
        return line
    }

    private static func gzip(_ text: String) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = ["-c", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return try pipe.fileHandleForReading.readToEnd() ?? Data()
    }

    @Test("has its documents, each once, and who presented the first")
    func forms() throws {
        let anchors = try TrustAnchors(certificates: store.root.der, ReceiptStore().der("root"))
        for form in Self.forms {
            let verified = try verify(line: line(of: form), trusting: anchors)
            let found = verified.submissions.map { submission in
                guard let receipt = verified.receipts.first(where: { $0.digest == submission.receipt }),
                    receipt.kind != .appReceipt, let purchase = verified.purchases[receipt.purchases].first
                else { return "R" }
                return String(decoding: verified.bytes[purchase.transactionIdentifier.indices], as: UTF8.self)
            }
            #expect(found.joined(separator: " ") == form.documents, "\(form.name): \(verified.detail)")
            #expect(verified.rejections.isEmpty, "\(form.name): \(verified.detail)")
            #expect(verified.receipts.allSatisfy { $0.verification.verdict == .trusted }, "\(form.name)")
            let account = verified.submissions.first?.account.map {
                String(decoding: verified.bytes[$0.indices], as: UTF8.self)
            }
            #expect(account == form.account, "\(form.name)")
        }
    }
}
