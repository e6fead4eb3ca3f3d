import Testing

@testable import ReceiptVerification

@Suite("A line about a purchase of another store")
struct OtherStoreTests {
    private func reason(_ line: String, _ cause: RejectionReason = .noReceipt) -> RejectionReason? {
        let text = Array("before\n\(line)\nbehind purchaseToken packageName".utf8)
        let start = 7
        let cause = Unreadable(cause, "as it was")
        return OtherStore.rejection(of: text, start..<start + line.utf8.count, instead: cause)?.reason
    }

    // The notification is the example of Google's reference of real-time developer notifications; `base64` wrote it.
    @Test(
        "is known by what the stores' own documents say",
        arguments: [
            (
                #"{"message":{"data":"eyJ2ZXJzaW9uIjoiMS4wIiwicGFja2FnZU5hbWUiOiJjb20uc29tZS50aGluZyIsImV2ZW50VGltZU1"#
                    + "pbGxpcyI6IjE1MDM0OTk1NjYxNjgiLCJzdWJzY3JpcHRpb25Ob3RpZmljYXRpb24iOnsidmVyc2lvbiI6IjEuMCIsIm5vdGlm"
                    + "aWNhdGlvblR5cGUiOjQsInB1cmNoYXNlVG9rZW4iOiJQVVJDSEFTRV9UT0tFTiIsInN1YnNjcmlwdGlvbklkIjoibW9udGhse"
                    + #"TAwMSJ9fQ==","messageId":"136969346945"}}"#, RejectionReason.googlePlay
            ),
            (#"{"INAPP_PURCHASE_DATA":"{\"orderId\":\"GPA.1\"}","INAPP_DATA_SIGNATURE":"x=="}"#, .googlePlay),
            (#"2026-01-01 INFO {"packageName":"com.example","purchaseToken":"t"}"#, .googlePlay),
            (#"{"kind":"androidpublisher#subscriptionPurchaseV2"}"#, .googlePlay),
            (#"{"receipt":"oojlbnhkpkbhjfabcd.AO-J1OwKlJH","user_id":"u1"}"#, .googlePlay),
            (#"{"userId":"amzn1.account.AF6","receipt":"q1YqVbJbSjH28YGPKChw9c0o8Sd3"}"#, .amazonAppstore),
            (#"{"betaProduct":false,"cancelDate":null,"receiptId":"wE1EG1gsEZI9q9UnI5YoZ2Ox"}"#, .amazonAppstore),
        ])
    func known(line: String, expected: RejectionReason) {
        #expect(reason(line) == expected)
    }

    @Test(
        "is no line in which a document of Apple's may begin, and no line without a purchase",
        arguments: [
            "", "{}", "ey", "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.x", "purchaseToken",
            #"{"platform":"ios","receipt_data":"MIIT","purchaseToken":"t","packageName":"com.example"}"#,
            #"{"platform":"ios","purchaseToken":null,"packageName":"com.example"}"#,
            #"{"platform":"ios","purchaseToken":"","packageName":"com.example"}"#,
            #"{"user_id":"amzn1.account.AF6XYZ","receipt_data":"MIIT"}"#, #"{"user_id":"amzn1.account.AF6XYZ"}"#,
            #"{"jws":"eyJhbGciOiJFUzI1NiIsIng1YyI6","purchaseToken":"t","packageName":"com.example"}"#,
        ])
    func others(line: String) {
        #expect(reason(line) == nil)
    }

    @Test("is no cut JSON, which may have held anything")
    func cut() {
        let line = #"{"packageName":"com.example","purchaseToken":"t","#
        #expect(reason(line, .invalidJSON) == nil)
        #expect(reason("INFO " + line, .invalidJSON) == .googlePlay)
    }
}
