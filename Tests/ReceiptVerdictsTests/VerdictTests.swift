import Foundation
import ReceiptVerdicts
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Verdicts on single documents")
struct VerdictTests {
    private static func json(_ document: VerifiedDocument) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(document.json.utf8)) as? [String: Any])
    }

    @Test("hold what an independent reader found of published strings", .enabled(if: SignedCorpus.isPresent))
    func strings() throws {
        var compared = 0
        for name in SignedCorpus.names() {
            let document = try SignedData.verify("\u{b}\t" + SignedCorpus.text(name) + " \r\n\n")
            let expected = try SignedCorpus.expectation(name)
            guard let kind = expected.kind else {
                #expect(document.verdict == nil && document.detail != nil, "\(name)")
                continue
            }
            #expect(document.kind?.rawValue == kind, "\(name)")
            #expect(document.verdict?.rawValue == expected.verdict, "\(name)")
            #expect(document.isTrusted == (document.detail == nil), "\(name)")
            #expect(document.sha256?.hex == expected.sha256, "\(name)")
            #expect(document.environment?.string == expected.environment, "\(name)")
            #expect((try Self.json(document)["receipt"] as? [String: Any])?["kind"] as? String == kind, "\(name)")
            guard kind == "signed_transaction" else { continue }
            let purchase = try #require(document.purchases.first, "\(name)")
            #expect(document.purchases.count == 1)
            #expect(purchase.transactionIdentifier.string == expected.payload["transactionId"] as? String, "\(name)")
            #expect(purchase.productIdentifier?.string == expected.payload["productId"] as? String, "\(name)")
            #expect(document.bundleIdentifier?.string == expected.payload["bundleId"] as? String, "\(name)")
            compared += 1
        }
        #expect(compared > 10)
    }

    @Test("hold what an independent reader found of published receipts, in bytes and in base64")
    func receipts() throws {
        let verifier = try DocumentVerifier()
        for name in Corpus.names() {
            let expected = try Corpus.expectation(name)
            let document = try verifier.verify(try Corpus.text(name) + "\n")
            let bytes = try verifier.verify(try Corpus.receipt(name))
            #expect(document.json == bytes.json, "\(name)")
            guard let verdict = expected["verdict"] as? String else { continue }
            #expect(document.verdict?.rawValue == verdict, "\(name)")
            #expect(document.sha256?.hex == expected["sha256"] as? String, "\(name)")
            guard let receipt = expected["receipt"] as? [String: Any], document.verdict != nil else { continue }
            #expect(document.bundleIdentifier?.string == receipt["bundle_id"] as? String, "\(name)")
            #expect(document.purchases.count == (receipt["purchases"] as? [Any])?.count, "\(name)")
        }
    }

    @Test("of many threads by one verifier are those of one thread")
    func threads() throws {
        let store = try SignedStringStore()
        var anchors = TrustAnchors()
        _ = try anchors.insertCertificates(of: store.root.der)
        let verifier = try DocumentVerifier(anchors: anchors)
        let strings = try (0..<8).map { try store.sign(SignedStringStore.transaction("200000000000000\($0)")) }
        // Documents with an odd number have a signature of another one.
        let documents = strings.enumerated().map { index, string in
            let parts = string.split(separator: ".")
            let signature = strings[index % 2 == 0 ? index : index - 1].split(separator: ".")[2]
            return "\(parts[0]).\(parts[1]).\(signature)"
        }
        DispatchQueue.concurrentPerform(iterations: 400) { iteration in
            let index = iteration % documents.count
            let document = try? verifier.verify(documents[index])
            #expect(document?.verdict == (index % 2 == 0 ? .trusted : .badSignature))
            #expect(document?.purchases.first?.transactionIdentifier.string == "200000000000000\(index)")
        }
    }

    @Test("of a notification leave the notification's transaction out where it is not trusted")
    func notifications() throws {
        let (store, stranger) = (try SignedStringStore(), try SignedStringStore())
        var anchors = TrustAnchors()
        _ = try anchors.insertCertificates(of: store.root.der)
        let verifier = try DocumentVerifier(anchors: anchors)
        for (signer, isTrusted) in [(store, true), (stranger, false)] {
            let transaction = try signer.sign(SignedStringStore.transaction("2000000000000042"))
            let notification = try store.sign(
                """
                {"notificationType":"ONE_TIME_CHARGE","notificationUUID":"00000000-0000-0000-0000-000000000001",\
                "version":"2.0","signedDate":\(SignedStringStore.signedAt),"data":{"bundleId":"com.example.app",\
                "environment":"Production","signedTransactionInfo":"\(transaction)"}}
                """)
            let document = try verifier.verify(notification)
            #expect(document.isTrusted && document.kind == .notification)
            #expect(document.purchases.map(\.verdict) == [isTrusted ? .trusted : .untrustedRoot])
            let field = DocumentField.transactionID.value(of: document.row, in: document.documents)
            #expect((field != nil) == isTrusted)
        }
    }

    @Test("of several documents are those of each, whatever stands beside it")
    func batches() throws {
        let store = try SignedStringStore()
        let verifier = try DocumentVerifier()
        let transaction = try store.sign()
        let notification = try store.sign(
            """
            {"notificationType":"TEST","signedDate":\(SignedStringStore.signedAt),"data":\
            {"signedTransactionInfo":"\(transaction)","signedRenewalInfo":"no string"}}
            """)
        let texts = [notification, "", notification, transaction, "a.b.c", notification].map { Array($0.utf8) }
        let all = Array(texts.joined())
        var start = 0
        let ranges = texts.map { text in
            defer { start += text.count }
            return start..<(start + text.count)
        }
        let together = try verifier.verify(all.span, ranges)
        #expect(together.rows.count == texts.count)
        for (text, row) in zip(texts, together.rows) {
            let alone = try verifier.verify(text)
            for field in DocumentField.allCases {
                #expect(
                    Self.text(field.value(of: row, in: together), together)
                        == Self.text(field.value(of: alone.row, in: alone.documents), alone.documents), "\(field)")
            }
        }
    }

    private static func text(_ value: DocumentValue?, _ documents: VerifiedDocumentList) -> String? {
        switch value {
        case .text(let range): String(decoding: documents.batch.bytes[range.indices], as: UTF8.self)
        case .word(let word): word
        case .integer(let integer): "\(integer)"
        case nil: nil
        }
    }

    @Test("of texts that are no documents say why")
    func unreadable() throws {
        let verifier = try DocumentVerifier()
        let faults = [
            "": "nothing is there", " \n\t\u{b}": "nothing is there", "a.b": "fewer", "a.b.c.d": "more", "!": "",
            "AAAA": "", "{\"receipt\":\"AAAA\"}": "",
        ]
        for (text, fault) in faults {
            let document = try verifier.verify(text)
            #expect(document.verdict == nil && document.kind == nil && document.purchases.isEmpty, "\(text)")
            #expect(document.detail.map { fault.isEmpty || $0.contains(fault) } ?? false, "\(text)")
        }
    }

    @Test("trust what a text of anchors names, and nothing where a word is wrong")
    func anchors() throws {
        let store = try SignedStringStore()
        let root = store.root.der
        let base64 = Data(root).base64EncodedString(options: .lineLength64Characters)
        let pem = "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
        let fingerprint = try MessageDigest().sha256(root.span, in: root.indices).hex
        for text in [pem, "apple\n" + pem, "SHA256:\(fingerprint)", "  sha256:\(fingerprint) apple "] {
            let anchors = try #require(try TrustAnchors(text: Array(text.utf8)), "\(text)")
            #expect(try DocumentVerifier(anchors: anchors).verify(store.sign()).isTrusted, "\(text)")
        }
        for text in ["", " ", "apples", "sha256:12", "nobody apple", "-----BEGIN CERTIFICATE-----\n", "apple nobody"] {
            #expect(try TrustAnchors(text: Array(text.utf8)) == nil, "\(text)")
        }
    }
}
