import Foundation
import GRDB
import MillSystem
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import TestSupport
import Testing

@testable import MillDatabase
@testable import MillRun
@testable import ReceiptWarehouse

/// Facts that are brought up to date by what a load touched alone.
@Suite("Facts behind a load")
struct FactUpdateTests {
    /// Receipts and signed data of the same customers in many archives, with every defect in them.
    private static let minted = Result {
        let workdir = try Workdir()
        var parameters = MintParameters()
        parameters.seed = 20_240_517
        parameters.count = 1_600
        parameters.archives = 16
        parameters.signed = 0.4
        parameters.linesPerMember = 50
        for defect in Defect.allCases { parameters.shares[defect] = 0.02 }
        for defect in SignedDefect.allCases { parameters.signedShares[defect] = 0.02 }
        parameters.jobs = 2
        return (workdir, try MintRun(parameters).run(into: workdir.url))
    }

    private let workdir: Workdir
    private let archives: [String]
    private var root: [UInt8]
    private var database: String { workdir.path("facts.sqlite") }

    init() throws {
        workdir = try Workdir()
        let (folder, truth) = try Self.minted.get()
        archives = truth.archives.map { folder.path($0.name) }
        root = try folder.read(truth.anchor)
    }

    private func load(_ archives: [String], _ change: (inout LoadConfiguration) -> Void = { _ in }) throws {
        var ingest = Ingest(archives: archives, LoadConfiguration(database: database))
        ingest.configuration.anchors = TrustAnchors()
        _ = try ingest.configuration.anchors.insertCertificates(of: root)
        ingest.configuration.jobs = 1
        change(&ingest.configuration)
        _ = try ingest.run()
    }

    private func offences() throws -> [String] {
        try DatabaseCheck(path: database).run().filter { $0.count > 0 }.map { "\($0.name): \($0.offences)" }
    }

    /// Rows of no subject in each table, which only working all out removes.
    private func mark() throws {
        try DatabaseQueue(path: database).write { db in
            for fact in Fact.all {
                guard case .rows = fact.upkeep else { continue }
                let key = fact.key.map { _ in "-1" }.joined(separator: ", ")
                let row = key.isEmpty ? "DEFAULT VALUES" : "(\(fact.key.joined(separator: ", "))) VALUES (\(key))"
                try db.execute(sql: "INSERT INTO \(fact.table) \(row)")
            }
        }
    }

    /// The facts whose tables still have such a row, which goes.
    private func marked() throws -> Set<String> {
        try DatabaseQueue(path: database).write { db in
            Set(
                try Fact.all.filter { fact in
                    guard case .rows = fact.upkeep else { return false }
                    let isMark =
                        try fact.key.isEmpty
                        ? db.columns(in: fact.table).map { "\($0.name) IS NULL" } : fact.key.map { "\($0) = -1" }
                    try db.execute(sql: "DELETE FROM \(fact.table) WHERE \(isMark.joined(separator: " AND "))")
                    return db.changesCount > 0
                }.map(\.name))
        }
    }

    private var ofRows: Set<String> {
        Set(Fact.all.filter { if case .rows = $0.upkeep { true } else { false } }.map(\.name))
    }

    @Test("are what their definitions give after each of many loads", arguments: 0..<Nightly.rounds(day: 1, night: 3))
    func manyLoads(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var ofTouched = 0
        for archive in archives.shuffled(using: &random) {
            let isFirst = !FileManager.default.fileExists(atPath: database)
            if !isFirst { try mark() }
            try load([archive])
            if try !isFirst && marked() == ofRows { ofTouched += 1 }
            let offences = try offences()
            #expect(offences == [])
            guard offences.isEmpty else { return }
        }
        #expect(ofTouched >= archives.count / 2)
    }

    @Test("are right where receipts of the sandbox come before and behind those of production")
    mutating func environmentsApart() throws {
        let production = try Self.archive(sandbox: 0, seed: 1)
        let sandbox = try Self.archive(sandbox: 1, seed: 2)
        let further = try Self.archive(sandbox: 1, seed: 3)
        for (folder, truth) in [sandbox, production, further] {
            root = try folder.read(truth.anchor)
            try load(truth.archives.map { folder.path($0.name) })
            #expect(try offences() == [])
        }
        #expect(
            try Stored(database).lines("SELECT count(*) > 50 FROM fraud_signals WHERE signal = 'sandbox_receipt'") == [
                "1"
            ])
    }

    /// Kid's share names ann's purchase as its original; what bob presents names the share.
    @Test("compare a member's share that comes with what named it as original before")
    mutating func membersShare() throws {
        let store = try SignedStringStore()
        root = store.root.der
        let nights = [("33", "22", "PURCHASED", "bob"), ("22", "11", "FAMILY_SHARED", "kid")]
        for (transaction, original, ownership, account) in nights {
            let payload = SignedStringStore.transaction(transaction)
                .replacing("originalTransactionId\":\"\(transaction)", with: "originalTransactionId\":\"\(original)")
                .replacing("PURCHASED", with: ownership)
                .replacing("Consumable", with: "Non-Consumable")
            let line = #"{"jwsRepresentation":"\#(try store.sign(payload))","account_id":"\#(account)"}"#
            try load([try workdir.write(line + "\n", to: "\(account).jsonl")])
            #expect(try offences() == [])
        }
        #expect(
            try Stored(database).lines(
                "SELECT account_id, transaction_id FROM fraud_signals WHERE signal = 'shared_transaction' ORDER BY 1")
                == ["bob|22", "kid|22"])
    }

    private static func archive(sandbox: Double, seed: UInt64) throws -> (Workdir, Truth) {
        let workdir = try Workdir()
        var parameters = MintParameters()
        parameters.seed = seed
        parameters.count = 60
        for defect in Defect.allCases { parameters.shares[defect] = 0 }
        parameters.shares[.sandbox] = sandbox
        parameters.jobs = 2
        return (workdir, try MintRun(parameters).run(into: workdir.url))
    }

    @Test("change in the rows that a load touched, and in no others")
    func othersStay() throws {
        try load(Array(archives.dropLast()))
        try mark()
        try load([archives[archives.count - 1]])
        #expect(try marked() == ofRows)
    }

    @Test("are worked out whole where a load touched most of what there is")
    func mostTouched() throws {
        try load([archives[0]])
        try mark()
        // Of fewer than 1,000 receipts, all are few.
        try load(Array(archives.dropFirst()))
        #expect(try marked() == [])
        #expect(try offences() == [])
    }

    @Test("are worked out whole where another program wrote meanwhile")
    func othersWrote() throws {
        try load(Array(archives.dropLast()))
        try mark()
        let loading = try LoadDatabase(path: database)
        try loading.access { db in
            try db.inTransaction {
                try Facts.releaseForLoad(db)
                return .commit
            }
        }
        try DatabaseQueue(path: database).write {
            try $0.execute(sql: "UPDATE receipt SET bytes = 1 WHERE receipt_id = 1")
        }
        try loading.keepFacts()
        #expect(
            try loading.access { try Facts.keptNames($0) } == Set(Fact.all.filter { !$0.isLeftToReports }.map(\.name)))
        #expect(try marked() == [])
    }

    @Test(
        "are worked out whole where a load did more than add and merge",
        arguments: [
            "UPDATE receipt SET verdict = 'broken_chain' WHERE receipt_id = 1",
            "UPDATE purchase SET original_transaction_id = 'another' WHERE purchase_id = 1",
        ])
    func unexpectedChange(statement: String) throws {
        try load(Array(archives.dropLast()))
        try mark()
        let loading = try LoadDatabase(path: database)
        try loading.access { db in
            try db.inTransaction {
                try Facts.releaseForLoad(db)
                try db.execute(sql: statement)
                return .commit
            }
        }
        try loading.keepFacts()
        #expect(try marked() == [])
    }

    @Test("are right where a load changes how long most of a product's periods are, other customers' too")
    func usualLengthChanged() throws {
        try load(archives)
        let usual = "SELECT product_number, nominal_days FROM usual_lengths ORDER BY product_number, app_number"
        let before = try Stored(database).lines(usual)
        let loading = try LoadDatabase(path: database)
        try loading.access { db in
            try db.inTransaction {
                try Facts.releaseForLoad(db)
                try db.execute(
                    sql: """
                        UPDATE purchase SET expires_date = purchase_date + 91 * 86400000
                        WHERE expires_date > purchase_date AND original_transaction_id % 5 < 3;
                        INSERT INTO submission (submission_id, receipt_id, account_id, account_tag, device_check)
                        SELECT submission_id + 1000000, receipt_id, account_id, account_tag, device_check
                        FROM submission WHERE account_id IS NOT NULL LIMIT 1
                        """)
                return .commit
            }
        }
        try loading.keepFacts()
        #expect(try Stored(database).lines(usual) != before)
        let outdated = try DatabaseQueue(path: database).write { db in
            try Fact.all.filter { try Facts.differences(of: $0.name, db) > 0 }.map(\.name)
        }
        #expect(outdated == [])
    }

    @Test("are left to the next load by one that is stopped, and are then right")
    func stopped() throws {
        try load(Array(archives.dropLast()))
        do {
            let loading = try LoadDatabase(path: database)
            try loading.access { db in
                try db.inTransaction {
                    try Facts.releaseForLoad(db)
                    return .commit
                }
                try Facts.keep(db, isStopped: { true })
            }
            #expect(try loading.access(Facts.keptNames) == [])
        }
        try load([archives[archives.count - 1]])
        #expect(try offences() == [])
    }
}
