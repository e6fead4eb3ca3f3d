import Foundation
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

@Suite("Decoded lines of signed data")
struct SignedLoadTests {
    private let signed: SignedArchives
    private let workdir: Workdir

    init() throws {
        signed = try SignedArchives.shared.get()
        workdir = try Workdir()
    }

    enum Options: CaseIterable {
        case none, keepsReceipts, named, namedAndKept

        var keepsReceipts: Bool { self == .keepsReceipts || self == .namedAndKept }
        var pseudonyms: Pseudonyms? {
            self == .named || self == .namedAndKept ? Pseudonyms(key: Array(repeating: 7, count: 32)) : nil
        }
    }

    private func ingested(_ options: Options) throws -> Stored {
        var ingest = Ingest(
            archives: signed.archives, .withoutModels(database: workdir.path("ingest.sqlite")))
        ingest.configuration.anchors = signed.anchors
        ingest.configuration.keepsReceipts = options.keepsReceipts
        ingest.configuration.pseudonyms = options.pseudonyms
        #expect(try ingest.run().failures.isEmpty)
        return Stored(workdir.path("ingest.sqlite"))
    }

    private func decoded(_ archive: String, _ options: Options) throws -> String {
        var decode = Decode(archives: [archive])
        decode.configuration.anchors = signed.anchors
        decode.configuration.keepsReceipts = options.keepsReceipts
        decode.configuration.pseudonyms = options.pseudonyms
        decode.configuration.batchSize = 100_000
        return try decode.text()
    }

    @discardableResult
    private func load(_ files: [String], _ options: Options = .none) throws -> RunSummary {
        var load = Load(files: files, .withoutModels(database: workdir.path("load.sqlite")))
        load.configuration.anchors = signed.anchors
        load.configuration.keepsReceipts = options.keepsReceipts
        load.configuration.batchSize = 70_000
        return try load.run()
    }

    @Test("load into the tables that ingest makes, in any order of their files", arguments: Options.allCases)
    func equalsIngest(options: Options) throws {
        let wanted = try ingested(options).tables()
        for table in ["receipt_part", "revocation", "renewal", "notification", "app_transaction", "rejection"] {
            #expect(wanted.contains { $0.hasPrefix("\(table): ") }, "\(table)")
        }
        let files = try signed.archives.enumerated().map { number, archive in
            try workdir.write(try decoded(archive, options), to: "\(number).decoded")
        }
        let summary = try load(files.reversed(), options)
        #expect(summary.failures.isEmpty)
        let found = try Stored(workdir.path("load.sqlite")).tables()
        #expect(found == wanted, "\(found.difference(from: wanted).map { "\($0)".prefix(600) }.prefix(4))")
    }

    @Test("go on behind the lines that are processed", arguments: [1, 7, 20])
    func resumes(count: Int) throws {
        let archive = signed.several
        let lines = try decoded(archive, .none).split(separator: "\n").map { $0 + "\n" }
        let beginning = try workdir.write(lines.prefix(count).joined(), to: "beginning.decoded")
        let whole = try workdir.write(lines.joined(), to: "whole.decoded")
        #expect(try load([beginning]).lines == count)
        let rest = try load([whole])
        #expect(rest.failures.isEmpty && rest.lines == lines.count - count)
        var ingest = Ingest(archives: [archive], .withoutModels(database: workdir.path("ingest.sqlite")))
        ingest.configuration.anchors = signed.anchors
        _ = try ingest.run()
        #expect(
            try Stored(workdir.path("load.sqlite")).tables() == Stored(workdir.path("ingest.sqlite")).tables())
        #expect(try load([whole]).lines == 0)
    }

    @Test("hold nothing whole that names a person, under a key")
    func nobodyIsWhole() throws {
        let lines = try decoded(signed.several, .namedAndKept).split(separator: "\n")
        let objects = try Decode.objects(lines.joined(separator: "\n") + "\n")
        var (kept, left) = (0, 0)
        for document in objects.flatMap(Self.documents) {
            guard let receipt = document["receipt"] as? [String: Any] else { continue }
            let parts = document["parts"] as? [[String: Any]] ?? []
            let namesPerson = ([document] + parts).contains(where: Self.namesPerson)
            // Of a notification, what can't be read of its parts may name a person, too.
            let mayName = namesPerson || (receipt["kind"] as? String == "notification" && receipt["octets"] == nil)
            #expect((receipt["octets"] == nil) == mayName, "\(receipt["sha256"] ?? "")")
            (kept, left) = mayName ? (kept, left + 1) : (kept + 1, left)
            for part in parts {
                #expect(((part["receipt"] as? [String: Any])?["octets"] == nil) == Self.namesPerson(part))
            }
        }
        #expect(kept > 0 && left > 0)
    }

    /// The documents of a line.
    private static func documents(_ line: [String: Any]) -> [[String: Any]] {
        [line] + (line["documents"] as? [[String: Any]] ?? [])
    }

    private static func namesPerson(_ document: [String: Any]) -> Bool {
        ["terms", "renewal", "app_transaction"].contains { key in
            let stated = document[key] as? [String: Any] ?? [:]
            return stated["app_account_token"] != nil || stated["app_transaction_id"] != nil
        }
    }
}
