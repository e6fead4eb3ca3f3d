import Foundation
import MillTestSupport
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptVerification
@testable import ReceiptWarehouse

/// Receipts signed by OpenSSL whose attributes are known.
@Suite("Undocumented attributes")
struct UndocumentedAttributesTests {
    private let workdir: Workdir
    private let store: ReceiptStore
    /// Throw-away certificates are valid from now on, so that receipts have to be
    /// made after them to be trusted.
    private let now, later: String

    init() throws {
        workdir = try Workdir()
        store = try ReceiptStore()
        now = Date().addingTimeInterval(60).ISO8601Format()
        later = Date().addingTimeInterval(120).ISO8601Format()
    }

    /// A payload that names its app, and holds empty attributes beside.
    private static func payload(
        _ types: [Int], version: String = "1.9", createdAt date: String?, purchases: [[Int]] = []
    ) -> [UInt8] {
        typealias Bytes = PayloadBytes
        var attributes = [
            Bytes.attribute(0, Bytes.text("Production")), Bytes.attribute(2, Bytes.text("com.example.cards")),
            Bytes.attribute(3, Bytes.text(version)),
        ]
        if let date { attributes.append(Bytes.attribute(12, Bytes.date(date))) }
        attributes += types.map { Bytes.attribute($0, []) }
        attributes += purchases.enumerated().map { place, types in
            Bytes.attribute(
                17,
                Bytes.payload(
                    [Bytes.attribute(1703, Bytes.text("\(place)"))] + types.map { Bytes.attribute($0, []) }))
        }
        return Bytes.payload(attributes)
    }

    private func line(_ payload: [UInt8], by other: ReceiptStore? = nil) throws -> String {
        Data(try (other ?? store).receipt(payload)).base64EncodedString() + "\n"
    }

    private func anchors() throws -> TrustAnchors {
        var anchors = TrustAnchors()
        _ = try anchors.insertCertificates(of: store.der("root"))
        return anchors
    }

    private func ingest(_ archives: [String], into name: String) throws -> Stored {
        var ingest = Ingest(archives: archives, .withoutModels(database: workdir.path(name)))
        ingest.configuration.anchors = try anchors()
        let summary = try ingest.run()
        #expect(summary.failures.isEmpty && summary.rejected.isEmpty)
        return Stored(workdir.path(name))
    }

    private let question = """
        SELECT level, attribute_type, name, app_version, receipts, first_creation_date, last_creation_date
        FROM undocumented_attributes ORDER BY level, attribute_type, app_version
        """

    @Test("are counted in trusted receipts, by level and version, and with their dates")
    func counted() throws {
        let archive = try workdir.write(
            [
                try line(Self.payload([9, -5], createdAt: now, purchases: [[1709], [1722]])),
                try line(Self.payload([9], createdAt: later, purchases: [[1709]])),
                try line(Self.payload([9, Int.max], version: "2", createdAt: now)),
                try line(Self.payload([40], createdAt: nil)),
            ].joined(), to: "night.jsonl")
        let stored = try ingest([archive], into: "mill.sqlite")
        #expect(
            try stored.lines("SELECT verdict, count(*) FROM receipts GROUP BY 1 ORDER BY 1") == [
                "not_valid_at_creation|1", "trusted|3",
            ])
        #expect(
            try stored.lines(question) == [
                "app|-5|-|1.9|1|\(now)|\(now)", "app|0|environment|1.9|2|\(now)|\(later)",
                "app|0|environment|2|1|\(now)|\(now)", "app|9|-|1.9|2|\(now)|\(later)", "app|9|-|2|1|\(now)|\(now)",
                "app|9223372036854775807|-|2|1|\(now)|\(now)", "purchase|1709|-|1.9|2|\(now)|\(later)",
                "purchase|1722|-|1.9|1|\(now)|\(now)",
            ])
    }

    @Test("of receipts that are not trusted leave no trace")
    func notTrusted() throws {
        let other = try ReceiptStore(hasOwnKeys: true)
        let payload = Self.payload([40], createdAt: now, purchases: [[1722]])
        let archive = try workdir.write(try line(payload, by: other), to: "other.jsonl")
        let stored = try ingest([archive], into: "mill.sqlite")
        #expect(try stored.lines("SELECT verdict FROM receipts") == ["untrusted_root"])
        #expect(try stored.lines(question).isEmpty)
        #expect(try stored.lines("SELECT types FROM attribute_set").isEmpty)
    }

    @Test("are the same in whatever order archives are loaded, and by way of decode")
    func order() throws {
        let archives = try (0..<3).map { number in
            let lines = try (0..<8).map { place in
                // Sets that meet again in other archives, those of odd numbers too.
                let types = [22 + (number + place) % 5, 100 + place % 3]
                let inApp = place % 2 == 0 ? [[1714 + place % 4]] : []
                return try line(Self.payload(types, version: "1.\(number)", createdAt: now, purchases: inApp))
            }
            return try workdir.write(lines.joined(), to: "\(number).jsonl")
        }
        let wanted = try ingest(archives, into: "forth.sqlite").lines(question)
        #expect(wanted.count > 20)
        #expect(try ingest(archives.reversed(), into: "back.sqlite").lines(question) == wanted)

        var decode = Decode(archives: archives)
        decode.configuration.anchors = try anchors()
        let decoded = try workdir.write(try decode.text(), to: "all.decoded")
        var load = Load(files: [decoded], .withoutModels(database: workdir.path("loaded.sqlite")))
        load.configuration.anchors = try anchors()
        #expect(try load.run().failures.isEmpty)
        #expect(try Stored(workdir.path("loaded.sqlite")).lines(question) == wanted)
    }

    @Test("are written by decode as lists, and left out where there are none")
    func decoded() throws {
        let archive = try workdir.write(
            try line(Self.payload([9, -5, 70], createdAt: now, purchases: [[1722], [1709]]))
                + line(PayloadBytes.payload([PayloadBytes.attribute(12, PayloadBytes.date(now))])),
            to: "night.jsonl")
        let receipts = try Decode(archives: [archive]).objects().compactMap { $0["receipt"] as? [String: Any] }
        #expect(receipts.first?["undocumented_attributes"] as? [Int64] == [-5, 0, 9, 70])
        #expect(receipts.first?["undocumented_purchase_attributes"] as? [Int64] == [1709, 1722])
        #expect(receipts.last?["sha256"] != nil && receipts.last?["undocumented_attributes"] == nil)
        #expect(receipts.last?["undocumented_purchase_attributes"] == nil)
    }

    @Test("have the names that inspect gives them, where Apple does not")
    func names() throws {
        func row(_ level: String, _ type: Int64, _ name: AttributeField?) -> String? {
            name.flatMap { $0.source == .observed ? "\(level)|\(type)|\($0.name)" : nil }
        }
        let app = (-100..<2_000 as Range<Int64>).compactMap { row("app", $0, AttributeField.of($0, at: .app)) }
        let purchase = (-100..<2_000 as Range<Int64>).compactMap {
            row("purchase", $0, AttributeField.of($0, at: .purchase))
        }
        #expect(app.count == 10 && purchase.count == 4)
        let database = try SampleDatabase()
        let stored = Stored(database.path)
        #expect(
            try stored.lines("SELECT level, attribute_type, name FROM internal_attribute_names ORDER BY 1, 2") == app
                + purchase)
    }

    @Test("are remembered by their sets, of which no flood fills the memory or finds another's number")
    func memory() {
        var memory = RecentValues<UInt64, UInt64>()
        var asked = 0
        for bits in Array(1...200 as ClosedRange<UInt64>) + Array(150...200) {
            let found = memory.value(for: bits) {
                asked += 1
                return bits * 3
            }
            #expect(found == bits * 3)
        }
        #expect(asked == 200)
    }
}
