import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptPipeline

/// Receipts signed by OpenSSL whose attributes are known.
@Suite("Undocumented attributes")
struct UndocumentedAttributesTests {
    private let workdir: Workdir
    private static let store = Result { try ReceiptStore() }

    init() throws { workdir = try Workdir() }

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

    /// Lines of receipts that the store's root makes trusted, if it is.
    private static func line(_ payload: [UInt8], by store: ReceiptStore) throws -> String {
        Data(try store.receipt(payload)).base64EncodedString() + "\n"
    }

    private func anchors(_ store: ReceiptStore) throws -> TrustAnchors {
        var anchors = TrustAnchors()
        _ = try anchors.insertCertificates(of: store.der("root"))
        return anchors
    }

    private func ingest(_ archives: [String], _ store: ReceiptStore, into name: String) throws -> Stored {
        var ingest = Ingest(archives: archives, database: workdir.path(name))
        ingest.anchors = try anchors(store)
        let summary = try ingest.run()
        #expect(summary.failures.isEmpty && summary.rejected.isEmpty)
        return Stored(workdir.path(name))
    }

    private let question = """
        SELECT level, attribute_type, name, app_version, receipts, dated_receipts, first_creation_date,
            last_creation_date
        FROM undocumented_attributes ORDER BY level, attribute_type, app_version
        """

    /// Throw-away certificates are valid from now on, so that only receipts that
    /// are created now are trusted.
    private static let now = Date().addingTimeInterval(60).ISO8601Format()
    private static let later = Date().addingTimeInterval(120).ISO8601Format()

    @Test("are counted in trusted receipts, by level, version and date")
    func counted() throws {
        let store = try Self.store.get()
        let (now, later) = (Self.now, Self.later)
        let archive = try workdir.write(
            [
                try Self.line(Self.payload([9, -5], createdAt: now, purchases: [[1709], [1722]]), by: store),
                try Self.line(Self.payload([9], createdAt: later, purchases: [[1709]]), by: store),
                try Self.line(Self.payload([9, Int.max], version: "2", createdAt: nil), by: store),
            ].joined(), to: "night.jsonl")
        let stored = try ingest([archive], store, into: "mill.sqlite")
        #expect(try stored.lines("SELECT verdict FROM receipts") == ["trusted", "trusted", "trusted"])
        #expect(
            try stored.lines(question) == [
                "app|-5|-|1.9|1|1|\(now)|\(now)", "app|0|environment|1.9|2|2|\(now)|\(later)",
                "app|0|environment|2|1|0|-|-", "app|9|-|1.9|2|2|\(now)|\(later)", "app|9|-|2|1|0|-|-",
                "app|9223372036854775807|-|2|1|0|-|-", "purchase|1709|-|1.9|2|2|\(now)|\(later)",
                "purchase|1722|-|1.9|1|1|\(now)|\(now)",
            ])
    }

    @Test("of receipts that are not trusted leave no trace")
    func notTrusted() throws {
        let (store, other) = (try Self.store.get(), try ReceiptStore(hasOwnKeys: true))
        let payload = Self.payload([40], createdAt: Self.now, purchases: [[1722]])
        let archive = try workdir.write(try Self.line(payload, by: other), to: "other.jsonl")
        let stored = try ingest([archive], store, into: "mill.sqlite")
        #expect(try stored.lines("SELECT verdict FROM receipts") == ["untrusted_root"])
        #expect(try stored.lines(question).isEmpty)
        #expect(try stored.lines("SELECT types FROM attribute_set").isEmpty)
    }

    @Test("are the same in whatever order archives are loaded, and by way of decode")
    func order() throws {
        let store = try Self.store.get()
        let archives = try (0..<3).map { number in
            let lines = try (0..<8).map { line in
                // Sets that meet again in other archives, those of odd numbers too.
                let types = [22 + (number + line) % 5, 100 + line % 3]
                let inApp = line % 2 == 0 ? [[1714 + line % 4]] : []
                return try Self.line(
                    Self.payload(types, version: "1.\(number)", createdAt: Self.now, purchases: inApp), by: store)
            }
            return try workdir.write(lines.joined(), to: "\(number).jsonl")
        }
        let wanted = try ingest(archives, store, into: "forth.sqlite").lines(question)
        #expect(wanted.count > 20)
        #expect(try ingest(archives.reversed(), store, into: "back.sqlite").lines(question) == wanted)

        var decode = Decode(archives: archives)
        decode.anchors = try anchors(store)
        let decoded = try workdir.write(try decode.text(), to: "all.decoded")
        var load = Load(files: [decoded], database: workdir.path("loaded.sqlite"))
        load.anchors = try anchors(store)
        #expect(try load.run().failures.isEmpty)
        #expect(try Stored(workdir.path("loaded.sqlite")).lines(question) == wanted)
    }

    @Test("are told by decode as lists, and not at all where there are none")
    func decoded() throws {
        let store = try Self.store.get()
        let archive = try workdir.write(
            try Self.line(Self.payload([9, -5, 70], createdAt: Self.now, purchases: [[1722], [1709]]), by: store)
                + Self.line(PayloadBytes.payload([PayloadBytes.attribute(12, PayloadBytes.date(Self.now))]), by: store),
            to: "night.jsonl")
        let receipts = try Decode(archives: [archive]).objects().compactMap { $0["receipt"] as? [String: Any] }
        #expect(receipts.first?["undocumented_attributes"] as? [Int64] == [-5, 0, 9, 70])
        #expect(receipts.first?["undocumented_purchase_attributes"] as? [Int64] == [1709, 1722])
        #expect(receipts.last?["sha256"] != nil && receipts.last?["undocumented_attributes"] == nil)
        #expect(receipts.last?["undocumented_purchase_attributes"] == nil)
    }

    @Test("have the names that inspect gives them, where Apple does not")
    func names() throws {
        func row(_ level: String, _ type: Int64, _ name: AttributeName?) -> String? {
            name.flatMap { $0.source == .observed ? "\(level)|\(type)|\($0.text)" : nil }
        }
        let app = (-100..<2_000 as Range<Int64>).compactMap { row("app", $0, AttributeName.ofApp($0)) }
        let purchase = (-100..<2_000 as Range<Int64>).compactMap { row("purchase", $0, AttributeName.ofPurchase($0)) }
        #expect(app.count == 10 && purchase.count == 4)
        let database = try SampleDatabase()
        let stored = Stored(database.path)
        #expect(
            try stored.lines("SELECT level, attribute_type, name FROM attribute_names ORDER BY 1, 2") == app + purchase)
    }

    @Test("are remembered by their sets, of which no flood fills the memory or finds another's number")
    func memory() {
        var memory = TypeSetMemory<UInt64>()
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
