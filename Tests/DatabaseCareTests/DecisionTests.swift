import Foundation
import TestSupport
import Testing

@testable import DatabaseCare
@testable import ReceiptWarehouse

@Suite("What a fraud team decided")
struct DecisionTests {
    private let workdir: Workdir
    private let decisions: DecisionStore

    init() throws {
        workdir = try Workdir()
        decisions = DecisionStore(try Warehouse(path: workdir.path("mill.sqlite")))
    }

    private static let decided = {
        var decision = Decision(.confirmed, of: "account-1", .account, note: "\"quoted\", äöü", decidedBy: "Ada")
        // 2026-01-31T12:00:00Z, by `date -u -d @1769860800`.
        decision.decidedAt = Date(timeIntervalSince1970: 1_769_860_800)
        decision.signals = ["shared_receipt", "shared_device"]
        return decision
    }()

    @Test("is a line of JSON, and read back from it")
    func line() throws {
        let line = try Self.decided.json()
        #expect(
            line == """
                {"as":"confirmed","at":"2026-01-31T12:00:00Z","by":"Ada","kind":"account",\
                "note":"\\"quoted\\", äöü","signals":["shared_receipt","shared_device"],"subject":"account-1"}
                """)
        #expect(try Decision(json: Data(line.utf8)) == Self.decided)
    }

    @Test("is recorded once, with the signals that it states")
    func recordedOnce() throws {
        #expect(try decisions.record([Self.decided]).count == 1)
        #expect(try decisions.record([Self.decided]).isEmpty)
        let stored = Stored(workdir.path("mill.sqlite"))
        #expect(
            try stored.lines("SELECT subject_kind, subject, verdict, decided_by, decided_at FROM decision")
                == ["account|account-1|confirmed|Ada|1769860800000"])
        #expect(
            try stored.lines("SELECT signal FROM decision_signal ORDER BY 1") == ["shared_device", "shared_receipt"])
    }

    @Test("of a subject that no line names is about nothing")
    func unknownSubject() throws {
        #expect(try decisions.kinds(ofSubject: "account-1") == [])
    }
}
