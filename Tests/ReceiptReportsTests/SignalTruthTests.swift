import Foundation
import GRDB
import MillSystem
import MillTestSupport
import ReceiptMint
import ReceiptReports
import ReceiptVerification
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

/// What every signal finds of what was planted (recall), and what else it finds
/// (precision), on a minted archive of every defect.
@Suite("The signals on a minted archive")
struct SignalTruthTests {
    private struct Loaded {
        /// Lines by place, those that could be loaded.
        var lines: [String: LineTruth] = [:]
        var lineages: [String: String] = [:]
        /// Places by signal, with the severity there.
        var found: [String: [String: String]] = [:]
        /// Of sharing, by place: signal, severity and role.
        var shared: [String: [String]] = [:]

        func lineage(_ line: LineTruth) -> String { line.receiptSha256.flatMap { lineages[$0] } ?? "" }

        /// Every line of an installation that shows one of some defects.
        func places(tainted defects: Set<Defect>) -> Set<String> {
            let names = Set(defects.map(\.rawValue))
            let tainted = Set(
                lines.values.filter { names.contains($0.defect ?? "") }.map(lineage))
            return Set(lines.filter { tainted.contains(lineage($0.value)) }.keys)
        }

        func places(planted defects: Set<Defect>) -> Set<String> {
            let names = Set(defects.map(\.rawValue))
            return Set(lines.filter { names.contains($0.value.defect ?? "") }.keys)
        }
    }

    private static let loaded = Result {
        let minted = try MintedArchive.shared.get()
        let database = minted.workdir.path("signals.sqlite")
        var ingest = try minted.ingest(into: database)
        ingest.configuration.apps = minted.truth.apps.compactMap {
            AppSetting(parsing: "\($0.bundleId):\($0.firstFreeVersion):\($0.platform)")
        }
        _ = try ingest.run()
        var loaded = Loaded()
        for line in try minted.lines(MintRun.linesName, as: LineTruth.self) where line.rejection == nil {
            loaded.lines["\(line.archive):\(line.line)"] = line
        }
        for receipt in try minted.lines(MintRun.receiptsName, as: ReceiptTruth.self) {
            loaded.lineages[receipt.receiptSha256] = receipt.bundleId + receipt.lineage
        }
        let rows = try Stored(database).rows(
            "SELECT signal, archive || ':' || line AS place, max(severity = 'high') AS high FROM fraud_signals GROUP BY 1, 2"
        )
        for row in rows {
            loaded.found[row["signal"], default: [:]][row["place"]] = row["high"] == 1 ? "high" : "less"
        }
        let sharing = try Stored(database).rows(
            "SELECT archive || ':' || line AS place, signal, severity, role FROM fraud_signals WHERE role IS NOT NULL")
        for row in sharing {
            let words: [String] = [row["signal"], row["severity"], row["role"]]
            loaded.shared[row["place"], default: []].append(words.joined(separator: " "))
        }
        return loaded
    }

    /// Copies of receipts, of which one signal finds what another was planted for.
    private static let copies: Set<Defect> = [.hashMismatch, .sharedReceipt, .sharedLineage]

    /// Signal, the defects that it has to find, and those that explain whatever
    /// else it finds on the same installation.
    private static let expectations: [(signal: String, planted: Set<Defect>, explained: Set<Defect>)] = [
        ("forged_signature", [.forgedSignature], []),
        ("foreign_root", [.foreignChain], []),
        ("missing_markers", [.missingMarkers], []),
        ("broken_chain", [.brokenChain], []),
        ("unsupported_algorithm", [.weakKey, .weakDigest], []),
        ("not_valid_at_creation", [.expiredSigner], []),
        ("sandbox_receipt", [.sandbox], []),
        ("unexpected_bundle", [.unexpectedBundle], []),
        ("volume_license_expired", [.volumeLicenseExpired], []),
        ("hash_mismatch", [.hashMismatch], copies),
        ("shared_receipt", [.sharedReceipt], copies.union([.replayedConsumable])),
        ("shared_lineage", [.sharedLineage], copies),
        ("shared_transaction", [.sharedTransaction], copies),
        ("replayed_consumable", [.replayedConsumable], copies),
        ("refunded_yet_used", [.refundedYetUsed], copies),
        ("version_backwards", [.versionBackwards], []),
        ("burst", [.burst], []),
        ("purchase_after_creation", [.purchaseAfterCreation], []),
        ("expiry_before_purchase", [.expiryBeforePurchase], []),
        ("original_version_newer", [.originalVersionNewer], [.versionBackwards]),
        ("creation_after_submission", [.creationAfterSubmission], []),
    ]

    @Test("find all that was planted for them", arguments: expectations.map(\.signal))
    func recall(signal: String) throws {
        let loaded = try Self.loaded.get()
        let expectation = try #require(Self.expectations.first { $0.signal == signal })
        let planted = loaded.places(planted: expectation.planted)
        #expect(planted.count > 10)
        let missed = planted.subtracting(loaded.found[signal, default: [:]].keys)
        #expect(missed.isEmpty, "recall \(planted.count - missed.count) of \(planted.count)")
    }

    @Test("find nothing that nothing planted explains", arguments: expectations.map(\.signal))
    func precision(signal: String) throws {
        let loaded = try Self.loaded.get()
        let expectation = try #require(Self.expectations.first { $0.signal == signal })
        let explained = loaded.places(planted: expectation.planted)
            .union(loaded.places(tainted: expectation.explained))
        let wrong = Set(loaded.found[signal, default: [:]].keys).subtracting(explained)
        #expect(wrong.isEmpty, "\(wrong.compactMap { loaded.lines[$0]?.defect ?? "ordinary" })")
    }

    @Test("are all of them put to the test, but those that are never minted")
    func complete() throws {
        let known = try Self.loaded.get().found.keys
        #expect(Set(known).isSubset(of: Self.expectations.map(\.signal)))
    }

    @Test("weigh copies against who copied, and not against the device that the receipt was made for")
    func holders() throws {
        let loaded = try Self.loaded.get()
        let parties = loaded.lines.filter { $0.value.role != nil }
        let holders = parties.filter { $0.value.role == "holder" && $0.value.deviceCheck == "match" }
        #expect(holders.count > 5)
        for (place, line) in holders {
            let shown = loaded.shared[place, default: []]
            #expect(shown.contains("\(line.defect ?? "") low holder"), "\(place): \(shown)")
            #expect(shown.allSatisfy { $0.hasSuffix(" low holder") }, "\(place): \(shown)")
        }
        // Of the others nobody was seen who has a right to it.
        let bound = Set(holders.values.map(loaded.lineage))
        let copiers = parties.filter { place, line in
            line.role == "copier" && line.deviceCheck == "mismatch" && bound.contains(loaded.lineage(line))
        }
        #expect(copiers.count > 10)
        for (place, line) in copiers {
            let shown = loaded.shared[place, default: []]
            let defect = line.defect ?? ""
            #expect(
                shown.contains("\(defect) medium copier") || shown.contains("\(defect) high copier"),
                "\(place): \(shown)")
            #expect(!shown.contains { $0.hasSuffix(" holder") }, "\(place): \(shown)")
        }
    }

    @Test("name both parties in the truth")
    func roles() throws {
        let minted = try MintedArchive.shared.get()
        let lines = try minted.lines(MintRun.linesName, as: LineTruth.self)
        for role in ["holder", "copier"] {
            let named = minted.truth.roles[role, default: [:]].values.reduce(0) { $0 + $1.count }
            #expect(named > 5 && named == lines.count { $0.role == role })
        }
        let shared = lines.filter { [Defect.sharedReceipt, .sharedLineage].map(\.rawValue).contains($0.defect) }
        let seen = shared.filter { $0.deviceCheck != "no_device_id" }
        #expect(seen.allSatisfy { $0.role == ($0.deviceCheck == "match" ? "holder" : "copier") })
    }

    @Test("flag no innocent owner at high severity, restored purchases or not")
    func innocent() throws {
        let loaded = try Self.loaded.get()
        let innocents: Set<Defect> = [
            .hashMismatch, .noDeviceID, .invalidDeviceID, .serverIssued, .sandbox, .expiredSigner,
        ]
        let guilty = loaded.places(tainted: Set(Defect.allCases).subtracting(innocents))
        for (signal, places) in loaded.found {
            let high = Set(places.filter { $0.value == "high" }.keys)
            #expect(high.subtracting(guilty).isEmpty, "\(signal)")
        }
    }
}
