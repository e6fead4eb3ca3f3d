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
    private let root: [UInt8]
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

    private func marked() throws -> Set<String> {
        try DatabaseQueue(path: database).read { db in
            Set(
                try Fact.all.filter { fact in
                    guard case .rows = fact.upkeep else { return false }
                    let isMark =
                        try fact.key.isEmpty
                        ? db.columns(in: fact.table).map { "\($0.name) IS NULL" } : fact.key.map { "\($0) = -1" }
                    return try Bool.fetchOne(
                        db,
                        sql: "SELECT EXISTS (SELECT 1 FROM \(fact.table) WHERE \(isMark.joined(separator: " AND ")))")
                        ?? false
                }.map(\.name))
        }
    }

    private var ofRows: Set<String> {
        Set(Fact.all.filter { if case .rows = $0.upkeep { true } else { false } }.map(\.name))
    }

    @Test("are what their definitions give after each of many loads", arguments: 0..<3)
    func manyLoads(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for archive in archives.shuffled(using: &random) {
            try load([archive])
            let offences = try offences()
            #expect(offences == [])
            guard offences.isEmpty else { return }
        }
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
        #expect(try loading.access { try Facts.keptNames($0) } == Set(Fact.all.map(\.name)))
        #expect(try marked() == [])
    }

    @Test("are worked out whole where a load did more than add and merge")
    func unexpectedChange() throws {
        try load(Array(archives.dropLast()))
        try mark()
        let loading = try LoadDatabase(path: database)
        try loading.access { db in
            try db.inTransaction {
                try Facts.releaseForLoad(db)
                try db.execute(sql: "UPDATE receipt SET verdict = 'broken_chain' WHERE receipt_id = 1")
                return .commit
            }
        }
        try loading.keepFacts()
        #expect(try marked() == [])
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
