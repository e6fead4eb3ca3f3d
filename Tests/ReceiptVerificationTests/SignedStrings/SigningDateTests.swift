import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptVerification

/// Certificates have to be valid when the payload says that it was signed; today's
/// date decides nothing.
@Suite("A signing date")
struct SigningDateTests {
    typealias Store = SignedStringStore
    private let store: SignedStringStore
    private static let begins = Int64(Store.begins.timeIntervalSince1970) * 1_000
    private static let ends = Int64(Store.ends.timeIntervalSince1970) * 1_000

    init() throws { store = try SignedStringStore() }

    private func expect(_ verdict: Verdict, _ date: String, location: SourceLocation = #_sourceLocation) throws {
        try store.expect(verdict, date, location: location) {
            $0.payload = Array(Store.transaction(signedAt: date).utf8)
        }
    }

    /// The certificates of all these tests have expired since.
    @Test("within the validity of all certificates is trusted, however long they have expired")
    func comparesWithSigning() throws {
        #expect(Store.ends < Date())
        // Validity is stated in whole seconds and includes the last one (RFC 5280, 4.1.2.5).
        for date in ["\(Self.begins)", "\(Self.ends)", "\(Self.ends + 1)", "\(Self.ends + 999)", "\(Store.signedAt)"] {
            try expect(.trusted, date)
        }
        for date in ["\(Self.begins - 1)", "\(Self.ends + 1000)", "0", "4000000000000"] {
            try expect(.notValidAtCreation, date)
        }
    }

    @Test("may have a fraction or an exponent, as any number of JSON")
    func readsNumbers() throws {
        for date in [
            "1730000000000.75", "1.73e12", "1.73E+12", "17300000000000e-1", "1730000000000.0",
        ] { try expect(.trusted, date) }
        // Half a millisecond too early.
        try expect(.notValidAtCreation, "\(Self.begins - 1).5")
    }

    @Test("that is absent, no number or beyond all dates is none: nothing is trusted then")
    func refusesOthers() throws {
        for date in [
            "null", "\"1730000000000\"", "true", "[1730000000000]", "{}", "1e300", "-1e300", "1e400", "-1",
            "-1730000000000",
            "1730000000", "9223372036854775807", "9223372036854775808", "253402300800000", "-62135596800001", "-0",
            "1e-7",
        ] { try expect(.notValidAtCreation, date) }
        try store.expect(.notValidAtCreation, "absent") {
            $0.payload = Array(Store.transaction().replacing(",\"signedDate\":\(Store.signedAt)", with: "").utf8)
        }
    }

    @Test("of an app transaction is receiptCreationDate, and signedDate counts for nothing there")
    func appTransactions() throws {
        func expect(_ verdict: Verdict, _ members: String) throws {
            try store.expect(verdict, members) {
                $0.payload = Array(#"{"receiptType":"Production","bundleId":"com.example.app"\#(members)}"#.utf8)
            }
        }
        try expect(.trusted, ",\"receiptCreationDate\":\(Store.signedAt)")
        try expect(.trusted, ",\"receiptCreationDate\":\(Store.signedAt),\"signedDate\":4000000000000")
        try expect(.notValidAtCreation, ",\"signedDate\":\(Store.signedAt)")
        try expect(.notValidAtCreation, "")
        try expect(.notValidAtCreation, ",\"receiptCreationDate\":4000000000000,\"signedDate\":\(Store.signedAt)")
    }

    @Test("has to lie within the validity of each certificate")
    func everyCertificateCounts() throws {
        let early = Date(timeIntervalSince1970: 1_720_000_000)
        let late = Date(timeIntervalSince1970: 1_740_000_000)
        for (what, change) in [
            ("expired", { $0.ends = early }), ("not yet valid", { $0.begins = late }),
        ] as [(String, (inout Store.Request) -> Void)] {
            try Store(root: Store.root.with(change)).expect(.notValidAtCreation, "root \(what)")
            try Store(intermediate: Store.intermediate.with(change)).expect(.notValidAtCreation, "intermediate \(what)")
            try Store(leaf: Store.leaf.with(change)).expect(.notValidAtCreation, "leaf \(what)")
        }
        // Never valid together.
        let store = try Store(
            intermediate: Store.intermediate.with { $0.ends = early }, leaf: Store.leaf.with { $0.begins = late })
        try store.expect(.notValidAtCreation, "never together")
    }

    @Test("is verified anew for each string under a header that is remembered")
    func cacheForgetsNoDate() throws {
        let dates = [Self.ends + 1000, Store.signedAt, Self.begins - 1, Self.ends]
        let lines = try dates.map { try store.sign(Store.transaction(signedAt: "\($0)")) + "\n" }.joined()
        let verified = try verify(lines: Array(lines.utf8), trusting: store.anchors)
        #expect(
            verified.receipts.map(\.verification.verdict)
                == [.notValidAtCreation, .trusted, .notValidAtCreation, .trusted])
    }
}
