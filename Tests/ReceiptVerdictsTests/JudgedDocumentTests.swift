import Foundation
import ReceiptInspection
import ReceiptVerdicts
import TestSupport
import Testing

@testable import ReceiptVerification

/// Decisions whether a service may act on a document.
@Suite("A document that is judged for a service")
struct JudgedDocumentTests {
    typealias Store = SignedStringStore
    private let store: SignedStringStore
    private let anchors: TrustAnchors
    private let verifier: DocumentVerifier

    init() throws {
        store = try SignedStringStore()
        var anchors = TrustAnchors()
        _ = try anchors.insertCertificates(of: store.root.der)
        (self.anchors, verifier) = (anchors, try DocumentVerifier(anchors: anchors))
    }

    private func judge(
        _ document: String, bundle: String = "com.example.app", environment: ExpectedEnvironment = .production,
        device: String? = nil, at time: Int64 = Store.signedAt
    ) throws -> JudgedDocument {
        let judged = try verifier.judge(
            document, bundle: bundle, environment: environment, device: device, at: time)
        try compareWithCommand(judged, document, bundle, environment, device, time)
        return judged
    }

    /// The command reports the same for the same document, step by step, except that it only shows the end of its
    /// purchase.
    private func compareWithCommand(
        _ judged: JudgedDocument, _ document: String, _ bundle: String, _ environment: ExpectedEnvironment,
        _ device: String?, _ time: Int64, trusting anchors: TrustAnchors? = nil
    ) throws {
        guard !document.isEmpty else { return }
        let workdir = try Workdir()
        var run = VerifyRun(inputs: [try workdir.write(document, to: "document")])
        (run.anchors, run.format) = (anchors ?? self.anchors, .json)
        run.expectation.bundleID = bundle
        run.expectation.environment = StoreEnvironment(rawValue: environment.rawValue)
        run.expectation.time = time
        if let device {
            let text = Array(device.utf8)
            run.expectation.device = DeviceIdentifier(
                parsing: text.span, in: ByteRange(offset: 0, count: text.count))
            run.expectation.deviceVerificationID = device
        }
        var text = ""
        _ = try run.run { text += $0 }
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let ends = ["canceled", "expired", "not_begun", "upgraded"]
        let faults = judged.reasons.filter { reason in !ends.contains { reason.hasPrefix($0 + ":") } }
        #expect(answer["accepted"] as? Bool == faults.isEmpty, "\(text)")
        guard let steps = answer["steps"] as? [[String: Any]] else { return }
        #expect(steps.flatMap { $0["reasons"] as? [String] ?? [] } == faults)
    }

    /// The first words of the reasons for refusing a document.
    private func words(_ judged: JudgedDocument) -> [String] {
        judged.reasons.map { String($0.prefix { $0 != ":" }) }
    }

    @Test("is accepted if the App Store signed it for the app and its purchase gives a right")
    func accepted() throws {
        let judged = try judge(store.sign(Store.transaction("2000000000000042")) + "\n")
        #expect(judged.isAccepted && judged.reasons.isEmpty)
        #expect(judged.purchases.map(\.transactionIdentifier.string) == ["2000000000000042"])
        #expect(judged.purchases.first?.productIdentifier == "com.example.gold")
    }

    @Test("is refused if it is forged, of another store, app or environment, revoked, expired or upgraded")
    func refused() throws {
        let genuine = try store.sign()
        let parts = genuine.split(separator: ".")
        let other = try store.sign(Store.transaction("2000000000000043")).split(separator: ".")
        let signed = Store.signedAt
        let cases: [(word: String, document: String)] = [
            ("untrusted_root", try SignedStringStore().sign()),
            ("bad_signature", "\(parts[0]).\(other[1]).\(parts[2])"),
            ("malformed_container", "\(parts[0]).\(parts[1]).***"), ("malformed_container", "a.b.c"),
            ("no_receipt", ""),
            (
                "unexpected_bundle",
                try store.sign(Store.transaction().replacing("com.example.app", with: "com.example.other"))
            ),
            ("unexpected_environment", try store.sign(Store.transaction().replacing("Production", with: "Sandbox"))),
            ("unexpected_environment", try store.sign(Store.transaction().replacing("Production", with: "Xcode"))),
            (
                "canceled",
                try store.sign(Store.transaction(more: ",\"revocationDate\":\(signed - 1000),\"revocationReason\":0"))
            ),
            ("expired", try store.sign(Store.transaction(more: ",\"expiresDate\":\(signed)"))),
            (
                "upgraded",
                try store.sign(Store.transaction(more: ",\"expiresDate\":\(signed + 1),\"isUpgraded\":true"))
            ),
        ]
        for (word, document) in cases {
            let judged = try judge(document)
            #expect(!judged.isAccepted && words(judged) == [word], "\(word): \(judged.reasons)")
            #expect(judged.purchases.isEmpty, "\(word)")
        }
    }

    @Test("is judged at the given time, otherwise now")
    func time() throws {
        let string = try store.sign(Store.transaction(more: ",\"expiresDate\":\(Store.signedAt + 2000)"))
        #expect(try judge(string, at: Store.signedAt + 1999).isAccepted)
        #expect(try words(judge(string, at: Store.signedAt + 2000)) == ["expired"])
        // Seconds in place of milliseconds are a time in 1970, before the purchase.
        #expect(try words(judge(string, at: Store.signedAt / 1000)) == ["not_begun"])
        // The purchase ended in 2024.
        #expect(try !verifier.judge(string, bundle: "com.example.app", environment: .production).isAccepted)
        let forever = try store.sign()
        #expect(try verifier.judge(forever, bundle: "com.example.app", environment: .production).isAccepted)
    }

    /// The hash was computed by Python's hashlib, as for the device checks of lines.
    @Test("is refused for another device, for an invalid identifier, and if the document proves no device")
    func device() throws {
        let proof = """
            ,"deviceVerification":"gIRaH/opPHLS8AHKvII2QoTfikk/QV/pti6CjDH17nOPuBYDeg5FQlpqrAhOf+7D",\
            "deviceVerificationNonce":"7EDEA87D-98F0-42D0-9682-49CA81022F73"
            """
        let string = try store.sign(Store.transaction(more: proof))
        #expect(try judge(string, device: "0F9619FF-8B86-D011-B42D-00C04FC964FF").isAccepted)
        #expect(try words(judge(string, device: "1F9619FF-8B86-D011-B42D-00C04FC964FF")) == ["mismatch"])
        #expect(try words(judge(string, device: "no device")) == ["invalid_device_id"])
        #expect(try words(judge(string, device: "")) == ["invalid_device_id"])
        #expect(try words(judge(store.sign(), device: "0F9619FF-8B86-D011-B42D-00C04FC964FF")) == ["no_hash"])
    }

    @Test("that is a notification is accepted with its contents, and gives no right to a revoked purchase")
    func notifications() throws {
        let stranger = try SignedStringStore()
        let revoked = ",\"revocationDate\":\(Store.signedAt),\"revocationReason\":0"
        for (held, isAccepted, count) in [
            (try store.sign(), true, 1), (try store.sign(Store.transaction(more: revoked)), true, 0),
            (try stranger.sign(), false, 0), ("no string", false, 0),
        ] {
            let notification = try store.sign(
                """
                {"notificationType":"REFUND","notificationUUID":"00000000-0000-0000-0000-000000000001",\
                "version":"2.0","signedDate":\(Store.signedAt),"data":{"bundleId":"com.example.app",\
                "environment":"Production","signedTransactionInfo":"\(held)"}}
                """)
            let judged = try verifier.judge(
                notification, bundle: "com.example.app", environment: .production, at: Store.signedAt)
            #expect(judged.isAccepted == isAccepted && judged.purchases.count == count, "\(judged.reasons)")
            #expect(judged.document.isTrusted && judged.reasons.isEmpty == isAccepted)
        }
    }

    @Test("that is a published receipt gives a right to the purchases that an independent reader found in force then")
    func receipts() throws {
        let verifier = try DocumentVerifier()
        let format = ISO8601DateFormatter()
        func time(_ text: Any?) -> Int64? {
            (text as? String).flatMap { format.date(from: $0) }.map { Int64($0.timeIntervalSince1970 * 1000) }
        }
        var (inForce, ended) = (0, 0)
        for name in Corpus.names() {
            let expected = try Corpus.expectation(name)
            guard let receipt = expected["receipt"] as? [String: Any], let bundle = receipt["bundle_id"] as? String,
                let created = time(receipt["receipt_creation_date"])
            else { continue }
            let isProduction = receipt["environment"] as? String == "Production"
            let device = expected["device_check"] as? String == "match" ? expected["device_id_hex"] as? String : nil
            let judged = try verifier.judge(
                try Corpus.text(name), bundle: bundle, environment: isProduction ? .production : .sandbox,
                device: device, at: created)
            let isTrusted = expected["verdict"] as? String == "trusted"
            #expect(judged.isAccepted == isTrusted, "\(name): \(judged.reasons)")
            let purchases = receipt["purchases"] as? [[String: Any]] ?? []
            let wanted = purchases.filter {
                time($0["cancellation_date"]) == nil && (time($0["expires_date"]).map { $0 > created } ?? true)
            }
            #expect(judged.purchases.count == (isTrusted ? wanted.count : 0), "\(name)")
            (inForce, ended) = (inForce + wanted.count, ended + purchases.count - wanted.count)
            let other = try verifier.judge(
                try Corpus.text(name), bundle: bundle, environment: isProduction ? .sandbox : .production, at: created)
            #expect(!other.isAccepted && other.purchases.isEmpty, "\(name)")
        }
        #expect(inForce > 5 && ended > 100)
    }
}
