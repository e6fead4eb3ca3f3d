internal import Foundation
internal import TestSupport
internal import Testing

/// A person is put into every place that can hold one, erased, and looked for in all files, byte by byte, by a program
/// that knows nothing of ours.
@Suite struct ErasedEverywhereTests {
    private let workdir: Workdir
    private var database: String { workdir.path("night/mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        for folder in ["in", "night", "own"] {
            try FileManager.default.createDirectory(
                at: workdir.url.appending(path: folder), withIntermediateDirectories: true)
        }
    }

    enum Person: String, CaseIterable {
        case account = "erased-customer-4711"
        case device = "9E3D5A10-7C41-4B0B-8F6D-3A52C0DEABCD"
        case token = "7e3c1a52-0b44-4d6e-9f10-aa55bb66cc77"

        var option: String {
            switch self {
            case .account: "--account"
            case .device: "--device"
            case .token: "--app-account-token"
            }
        }

        /// Where it stands once it is planted.
        var places: Set<String> {
            let own =
                switch self {
                case .account, .device:
                    [
                        "mill.sqlite submission", "mill.sqlite allowed_subject", "mill.sqlite model_signals",
                        "queue.json",
                    ]
                case .token:
                    ["mill.sqlite purchase_terms", "mill.sqlite renewal", "mill.sqlite raw_receipt"]
                }
            return Set(
                own + [
                    "mill.sqlite", "mill.sqlite dead_letter", "mill.sqlite decision", "letters.gz", "persons.csv",
                ])
        }
    }

    private static let stores = Result { (try SignedStringStore(), try SignedStringStore()) }

    // MARK: What is planted

    /// Lines of the person that can be read: receipts that others presented, too, and signed data with the token.
    private func readableLines() throws -> [String] {
        let (store, stranger) = try Self.stores.get()
        let sample = try Command("sh", ["-c", "zcat '\(Samples.archive)' | head -n 60"]).run().output
        let presented = try sample.split(separator: "\n").compactMap { line -> String? in
            guard var object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                object["account_id"] != nil, object["device_id"] != nil
            else { return nil }
            (object["account_id"], object["device_id"]) = (Person.account.rawValue, Person.device.rawValue)
            return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        }
        let member = ",\"appAccountToken\":\"\(Person.token.rawValue)\""
        func transaction(_ number: Int, _ more: String, after seconds: Int64 = 0) -> String {
            SignedStringStore.transaction(
                "20000001234567\(number)", signedAt: "\(SignedStringStore.signedAt + seconds * 1000)", more: more)
        }
        let renewal = """
            {"originalTransactionId":"2000000123456710","environment":"Production","autoRenewStatus":1,\
            "productId":"com.example.gold","autoRenewProductId":"com.example.gold",\
            "signedDate":\(SignedStringStore.signedAt)\(member)}
            """
        let held = try store.sign(transaction(11, member))
        let notification = """
            {"notificationType":"DID_RENEW","notificationUUID":"u-1","version":"2.0",\
            "signedDate":\(SignedStringStore.signedAt),"data":{"bundleId":"com.example.app",\
            "environment":"Production","signedTransactionInfo":"\(held)","signedRenewalInfo":"\(try store.sign(renewal))"}}
            """
        let signed = try [
            store.sign(transaction(12, member)), store.sign(renewal), store.sign(notification),
            // A newer document of the same purchase states another token, and merging keeps that.
            store.sign(transaction(13, member)),
            store.sign(transaction(13, ",\"appAccountToken\":\"00000000-0000-4000-8000-000000000001\"", after: 60)),
            stranger.sign(transaction(14, member)), stranger.sign(renewal.replacing("6710", with: "6715")),
        ]
        return presented
            + signed.map {
                #"{"account_id":"\#(Person.account.rawValue)","device_id":"\#(Person.device.rawValue)","jws":"\#($0)"}"#
            }
    }

    /// Lines that are rejected, each with all three identifiers in one spelling.
    private func rejectedLines() throws -> [String] {
        let (account, device, token) = (Person.account.rawValue, Person.device.rawValue, Person.token.rawValue)
        let payload = #"{"account":"\#(account)","device":"{\#(device)}","appAccountToken":"\#(token.uppercased())","#
        let hidden = SignedStringParts.base64URL(Array(payload.utf8))
        let escaped = (account + " " + device + " " + token).unicodeScalars
            .map { "\\u00" + String($0.value, radix: 16) }.joined()
        let digits = (device + token).filter { $0 != "-" }
        return [
            #"{"account_id":"\#(account)","device_id":"\#(device)","token":"\#(token)","receipt":"%%"}"#,
            #"{"a":"\#(account.uppercased())","d":"{\#(device.lowercased())}","t":"\#(token.uppercased())","receipt":"%%"}"#,
            #"{"account":"\#(account)","device":"\#(digits.prefix(32))","t":"\#(digits.suffix(32))","receipt":"%%"}"#,
            #"{"account_id":"\#(account)","device_id":"\#(device)","token":"\#(token)","receipt":"MIIe"#,
            #"{"text":"\#(escaped)","receipt":"MIIe"#, #"{"jws":"e30.\#(hidden).e30"}"#, "e30.\(hidden)",
            #"{"body":"{\"a\":\"\#(account)\",\"d\":\"\#(device)\",\"t\":\"\#(token)\"}"}"#,
            payload.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
        ]
    }

    private func pipeline(allowing allowed: String) throws -> String {
        let (store, _) = try Self.stores.get()
        let root = Data(store.root.der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        try workdir.write("-----BEGIN CERTIFICATE-----\n\(root)\n-----END CERTIFICATE-----\n", to: "signed.pem")
        try workdir.write(
            """
            -- persons: Persons
            -- Who is there?
            --
            -- Grain: one row per name
            --
            -- Columns:
            --   name  text  who
            --
            -- Example:
            --   receiptmill report persons --database mill.sqlite

            SELECT account_id AS name FROM submissions UNION SELECT device_id FROM submissions
            UNION SELECT app_account_token FROM purchases;
            """, to: "own/persons.sql")
        return try workdir.write(
            """
            database: night/mill.sqlite
            create: true
            archives:
              - {path: in/*, after: move, move_to: done}
            trust: {anchors: [\(Samples.root), signed.pem]}
            keep_receipts: true
            dead_letters: {file: night/letters.gz}
            metrics: night/mill.prom
            fraud: {allow: {\(allowed)}}
            report_folder: own
            reports:
              - {name: persons, output: night/persons.csv}
              - {name: fraud-queue, format: json, output: night/queue.json}
            dashboard: night/night.html
            """, to: "night.yaml")
    }

    // MARK: What is done

    /// A night, whose log is a file of the night.
    private func run(allowing allowed: String) throws {
        let result = try Mill.run([
            "run", try pipeline(allowing: allowed), "--log-level", "debug", "--log-format", "json", "--format", "json",
        ])
        #expect(result.status == 0, "\(result)")
        let log = (try? workdir.read("night/log")) ?? []
        try workdir.write(log + Array(result.errors.utf8) + result.bytes, to: "night/log")
    }

    /// Files, and tables in them, that hold an identifier.
    private func places(of person: Person) throws -> Set<String> {
        let result = try Command(
            "python3", [Repository.file("Tests/Erasure/find_person.py").path, workdir.path("night"), person.rawValue]
        ).run()
        try #require(result.status == 0, "\(result)")
        return Set(result.output.split(separator: "\n").map(String.init))
    }

    @Test(
        "No file of a night holds an identifier once it is erased, nor when its lines come again",
        arguments: Person.allCases)
    func erased(person: Person) throws {
        let others = (0..<3).map { #"{"account_id":"other-\#($0)","receipt":"%%"}"# }
        let lines = try readableLines() + rejectedLines() + others
        try workdir.write(lines.joined(separator: "\n") + "\n", to: "in/one.jsonl")
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("in/two.gz"))
        let allowed = "accounts: [\(Person.account.rawValue)], devices: [\(Person.device.rawValue)]"
        try run(allowing: allowed)
        for (subject, note) in [
            ("account:\(Person.account.rawValue)", "ours"), ("device:\(Person.device.rawValue)", "ours"),
            ("account:\(try other())", "as \(Person.allCases.map(\.rawValue).joined(separator: " and "))"),
        ] {
            let flagged = try Mill.run([
                "flag", subject, "--as", "watching", "--note", note, "--by", "Ada", "--database", database,
            ])
            #expect(flagged.status == 0, "\(flagged)")
        }
        // Without them allowed, they stand in the queue as well.
        try run(allowing: "")
        let queue = try places(of: person)
        try run(allowing: allowed)
        let planted = try places(of: person).union(queue)
        #expect(planted.isSuperset(of: person.places), "\(person.places.subtracting(planted)) of \(planted)")
        #expect(planted.isDisjoint(with: ["log", "mill.prom", "mill.sqlite-identity", "mill.sqlite run"]))

        let erased = try Mill.run(["erase", person.option, person.rawValue, "--database", database])
        #expect(erased.status == 0 && erased.output.hasPrefix("erased "), "\(erased)")
        #expect(try places(of: person).filter { $0.hasPrefix("mill.sqlite") } == [])
        try run(allowing: "")
        #expect(try places(of: person) == [])
        #expect(try Stored(database).lines("SELECT count(*) FROM dead_letter WHERE bytes < 100")[0] != "0")

        // The same lines in another file, and in another order.
        try workdir.write(lines.reversed().joined(separator: "\r\n") + "\r\n", to: "in/three.jsonl")
        try run(allowing: "")
        #expect(try places(of: person) == [])
        let check = try Mill.run(["check", "--database", database])
        #expect(check.status == 0, "\(check)")
    }

    private func other() throws -> String {
        try Stored(database).lines(
            "SELECT max(account_id) FROM submissions WHERE account_id <> '\(Person.account.rawValue)'")[0]
    }
}
