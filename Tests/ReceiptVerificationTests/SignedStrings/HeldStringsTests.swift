import Foundation
import ReceiptTrust
import SignedDataFormat
import TestSupport
import Testing

@testable import ReceiptFormat
@testable import ReceiptVerification

/// A notification's transaction, renewal info and app transaction have verdicts of
/// their own: the outer signature says nothing of theirs.
@Suite("What a notification holds")
struct HeldStringsTests {
    typealias Store = SignedStringStore
    private let store: SignedStringStore
    private let stranger: SignedStringStore
    private static let renewal =
        #"{"originalTransactionId":"7","autoRenewStatus":1,"productId":"p","signedDate":\#(Store.signedAt)}"#
    private static let appTransaction =
        #"{"receiptType":"Production","bundleId":"com.example.app","receiptCreationDate":\#(Store.signedAt)}"#

    init() throws { (store, stranger) = (try SignedStringStore(), try SignedStringStore()) }

    /// A notification's payload, with members of its subject.
    private func notification(_ members: String, subject: String = "data", uuid: String = "u-1") -> String {
        """
        {"notificationType":"DID_RENEW","notificationUUID":"\(uuid)","version":"2.0","signedDate":\(Store.signedAt),\
        "\(subject)":{"bundleId":"com.example.app","environment":"Production"\(members)}}
        """
    }

    private func verdicts(_ verified: VerifiedBatch) -> [String] {
        verified.receipts.map { "\($0.kind.rawValue) \($0.verification.verdict.rawValue)" }
    }

    @Test("are documents of their own, each with its verdict, and no submissions")
    func ownVerdicts() throws {
        for (outer, inner, expected) in [
            (store, store, ["notification trusted", "signed_transaction trusted", "signed_renewal trusted"]),
            (stranger, store, ["notification untrusted_root", "signed_transaction trusted", "signed_renewal trusted"]),
            (
                store, stranger,
                ["notification trusted", "signed_transaction untrusted_root", "signed_renewal untrusted_root"]
            ),
        ] {
            let members =
                #","signedTransactionInfo":"\#(try inner.sign())","signedRenewalInfo":"\#(try inner.sign(Self.renewal))""#
            let verified = try verify(line: outer.sign(notification(members)), trusting: store.anchors)
            #expect(verdicts(verified) == expected)
            #expect(verified.submissions.count == 1 && verified.rejections.isEmpty)
            #expect(verified.submissions.first?.receipt == verified.receipts.first?.digest)
            #expect(verified.parts.map(\.part) == [.transaction, .renewal])
            #expect(verified.parts.allSatisfy { $0.holder == verified.receipts[0].digest })
            #expect(verified.parts.map(\.document) == verified.receipts.dropFirst().map(\.digest))
        }
        let app = #","signedAppTransactionInfo":"\#(try store.sign(Self.appTransaction))""#
        let verified = try verify(line: store.sign(notification(app, subject: "appData")), trusting: store.anchors)
        #expect(verdicts(verified) == ["notification trusted", "app_transaction trusted"])
        #expect(verified.parts.map(\.part) == [.appTransaction])
    }

    @Test("are found where their texts are escaped, too")
    func escaped() throws {
        let inner = try store.sign().replacing(".", with: #"\u002e"#)
        let verified = try verify(
            line: store.sign(notification(#","signedTransactionInfo":"\#(inner)""#)), trusting: store.anchors)
        #expect(verdicts(verified) == ["notification trusted", "signed_transaction trusted"])
    }

    @Test("are of the kind that they say, not of the member's")
    func exchangedKinds() throws {
        let members =
            #","signedTransactionInfo":"\#(try store.sign(Self.renewal))","signedRenewalInfo":"\#(try store.sign())""#
        let verified = try verify(line: store.sign(notification(members)), trusting: store.anchors)
        #expect(verdicts(verified) == ["notification trusted", "signed_renewal trusted", "signed_transaction trusted"])
    }

    @Test("is opened one level deep")
    func oneLevel() throws {
        let innermost = try store.sign(notification(#","signedTransactionInfo":"\#(try store.sign())""#, uuid: "u-2"))
        let verified = try verify(
            line: store.sign(notification(#","signedTransactionInfo":"\#(innermost)""#)), trusting: store.anchors)
        #expect(verdicts(verified) == ["notification trusted", "notification trusted"])
        // A transaction holds nothing, whatever it says.
        let claim = #","signedTransactionInfo":"\#(try store.sign(Store.transaction("9")))""#
        let transaction = try verify(line: store.sign(Store.transaction(more: claim)), trusting: store.anchors)
        #expect(verdicts(transaction) == ["signed_transaction trusted"] && transaction.parts.isEmpty)
    }

    @Test("may be unreadable: the notification stands, and a rejection says what is wrong")
    func unreadable() throws {
        for (inner, reason) in [
            ("a.b.c", RejectionReason.malformedContainer), ("nothing", .malformedContainer),
            (try store.sign("{}"), .unsupportedKind), (try store.sign("[]"), .malformedPayload),
        ] {
            let members =
                #","signedTransactionInfo":"\#(inner)","signedRenewalInfo":"\#(try store.sign(Self.renewal))""#
            let line = #"{"jws":"\#(try store.sign())","signedPayload":"\#(try store.sign(notification(members)))"}"#
            let verified = try verify(line: line, trusting: store.anchors)
            #expect(
                verdicts(verified) == ["signed_transaction trusted", "notification trusted", "signed_renewal trusted"])
            #expect(verified.submissions.map(\.document) == [1, 2])
            #expect(verified.rejections.map(\.document) == [2] && verified.rejections.first?.cause.reason == reason)
        }
        // Absent, empty or no text is none.
        for value in ["null", "\"\"", "1", "[]", "{}"] {
            let verified = try verify(
                line: store.sign(notification(",\"signedTransactionInfo\":\(value)")), trusting: store.anchors)
            #expect(verified.rejections.isEmpty && verified.parts.isEmpty && verified.receipts.count == 1, "\(value)")
        }
    }

    @Test("may stand in the line as well: a document of its own there")
    func besideItsNotification() throws {
        let inner = try store.sign()
        let outer = try store.sign(notification(#","signedTransactionInfo":"\#(inner)""#))
        for line in [
            #"{"jws":"\#(inner)","signedPayload":"\#(outer)"}"#, #"{"signedPayload":"\#(outer)","jws":"\#(inner)"}"#,
        ] {
            let verified = try verify(line: line, trusting: store.anchors)
            #expect(verified.submissions.map(\.document) == [1, 2])
            #expect(Set(verified.submissions.map(\.receipt)).count == 2)
            #expect(verified.parts.count == 1)
        }
    }
}
