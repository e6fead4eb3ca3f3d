internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@Suite struct RefreshCommandTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        try Samples.copyDatabase(into: workdir)
    }

    private func refresh(_ options: String...) throws -> Mill.Result {
        try Mill.run(["refresh", "--database", database] + options)
    }

    @Test("refresh works out every model, and once more without a fault")
    func twice() throws {
        for _ in 1...2 {
            let result = try refresh()
            #expect(result.status == 0 && result.output.hasPrefix("models of UTC: "), "\(result)")
        }
        // A purchase of the sample is a sale unless it is a copy, which stands in model_copies.
        let counts = try Stored(database).lines(
            """
            SELECT
                (SELECT count(*) FROM model_sales) = (SELECT count(*) FROM purchase)
                    - (SELECT count(*) FROM model_copies WHERE place > 1),
                (SELECT count(*) FROM model_sales) > 100
            """)
        #expect(counts == ["1|1"])
    }

    @Test("refresh --time-zone and --prices are settings that stay")
    func settings() throws {
        let prices = try workdir.write(
            "product_id,currency,price,introductory_price,valid_from\ncom.example.gold,JPY,1200,,\n"
                + "com.example.gold,JPY,1500.5,0.99,2024-02-01\n", to: "prices.csv")
        let result = try refresh("--time-zone", "America/Los_Angeles", "--prices", prices, "--quiet")
        #expect(result.status == 0 && result.output.isEmpty, "\(result)")
        #expect(try refresh().output.hasPrefix("models of America/Los_Angeles: "))
        let stored = Stored(database)
        #expect(try stored.lines("SELECT name, value FROM setting") == ["time_zone|America/Los_Angeles"])
        #expect(
            try stored.lines("SELECT * FROM listed_price ORDER BY valid_from") == [
                "com.example.gold|JPY|1200000|-|", "com.example.gold|JPY|1500500|990|2024-02-01",
            ])
        // 2024-03-10 had 23 hours there.
        #expect(
            try stored.lines("SELECT (ends_ms - begins_ms) / 3600000 FROM model_days WHERE day = '2024-03-10'") == [
                "23"
            ])
    }

    @Test("refresh --prices-template prints the price list, and the products that it lacks")
    func pricesTemplate() throws {
        let unpriced = try refresh("--prices-template")
        let lines = unpriced.output.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "product_id,currency,price,introductory_price,valid_from")
        let products = try Stored(database).lines(
            "SELECT DISTINCT product_id FROM sales WHERE price_source = 'none' AND is_trial = 0 ORDER BY 1")
        #expect(!products.isEmpty && lines.dropFirst() == products.map { "\($0),\"\",,," }[...])
        let prices = try workdir.write(
            "product_id,currency,price,introductory_price,valid_from\n\(products[0]),EUR,4.99,0.99,2020-02-01\n",
            to: "prices.csv")
        #expect(try refresh("--prices", prices, "--quiet").status == 0)
        let listed = try refresh("--prices-template").output.split(separator: "\r\n").map(String.init)
        #expect(listed.dropFirst().first == "\(products[0]),EUR,4.99,0.99,2020-02-01")
    }

    @Test("A price list without introductory prices is not reported as damage")
    func noIntroductoryPrices() throws {
        let prices = try workdir.write(
            "product_id,currency,price\ncom.example.lumen.filters,EUR,4.99\n", to: "prices.csv")
        #expect(try refresh("--prices", prices, "--quiet").status == 0)
        let check = try Mill.run(["check", "--database", database, "--quiet"])
        #expect(check.status == 0, "\(check)")
        #expect(
            try Stored(database).lines("SELECT count(*) FROM model_listed_prices WHERE introductory_milliunits IS NULL")
                == ["1"])
    }

    // The company's prices are in USD, EUR and GBP.
    @Test("refresh --rates keeps rates by which reports convert from then on, until --currency none")
    func rates() throws {
        let sample = workdir.path("sample")
        #expect(try Mill.run(["try", sample]).status == 0)
        let database = "\(sample)/mill.sqlite"
        func refresh(_ options: String...) throws -> Mill.Result {
            try Mill.run(["refresh", "--database", database] + options)
        }
        let heading = "valid_from,currency,into_currency,rate\n"
        let list = try workdir.write(heading + "2008-01-01,USD,EUR,0.5\n2008-01-01,GBP,EUR,2\n", to: "rates.csv")
        #expect(try refresh("--rates", list).output.hasPrefix("rates into EUR: GBP, USD\n"))
        func currencies(_ settings: String...) throws -> Set<String> {
            let report = ["report", "revenue", "--database", database, "--format", "csv", "from=all", "by=app"]
            let rows = try Mill.run(report + settings).output.split(separator: "\r\n").dropFirst()
            return Set(rows.map { String($0.split(separator: ",", omittingEmptySubsequences: false)[6]) })
        }
        #expect(try currencies() == ["EUR", "(none)"])
        #expect(try currencies("into_currency=none") == ["EUR", "GBP", "USD", "(none)"])
        #expect(try currencies("into_currency=USD") == ["USD", "(none)"])
        #expect(try refresh("--rates", list, "--currency", "gbp").status == 0)
        #expect(try currencies() == ["GBP", "(none)"])
        #expect(try Mill.run(["status", "--database", database]).output.contains(", money in GBP"))
        #expect(try refresh("--rates", workdir.write(heading, to: "none.csv")).status == 65)
        #expect(try currencies() == ["GBP", "(none)"])
        #expect(try refresh("--currency", "none").status == 0)
        #expect(try currencies() == ["EUR", "GBP", "USD", "(none)"])
        #expect(try refresh("--currency", "EUR").status == 64)
        #expect(try refresh("--rates", list, "--currency", "Euro").status == 64)
        #expect(try refresh("--rates", list, "--currency", "JPY").status == 65)
    }

    @Test("refresh --rate-card keeps the card for reports, in place of the former, and refuses one that is wrong")
    func rateCard() throws {
        let card = Repository.file("pipelines/rate-card.yaml").path
        #expect(try refresh("--rate-card", card, "--quiet").status == 0)
        let stored = Stored(database)
        let rules = "SELECT count(*), count(DISTINCT storefront) FROM rate_rule"
        let digits = "SELECT currency FROM rate_currency ORDER BY 1"
        let former = try stored.lines(rules)
        #expect(former.first?.hasSuffix("|175") == true)
        #expect(try stored.lines(digits) == ["CLP", "HUF", "IDR", "JPY", "KRW", "TWD", "VND"])
        let wrong = try refresh("--rate-card", workdir.write("programs: []\n", to: "odd.yaml"))
        #expect(wrong.status == 78 && wrong.errors.contains("odd.yaml:1: programs: the list is empty"), "\(wrong)")
        #expect(try refresh("--rate-card", workdir.path("none.yaml")).status == 66)
        #expect(try stored.lines(rules) == former)
    }

    @Test("refresh refuses what is no database, no zone and no price list, and changes nothing")
    func refusals() throws {
        #expect(try refresh().status == 0)
        let before = try Stored(database).lines("SELECT * FROM model_state")
        #expect(try Mill.run(["refresh", "--database", workdir.path("none.sqlite")]).status == 66)
        let zone = try refresh("--time-zone", "Mars/Olympus")
        #expect(zone.status == 64 && zone.errors.contains("'Mars/Olympus' is no time zone"), "\(zone)")
        let list = try refresh("--prices", workdir.write("price\n1\n", to: "odd.csv"))
        #expect(list.status == 65 && list.errors.contains("odd.csv:1:"), "\(list)")
        #expect(try refresh("--prices", workdir.path("none.csv")).status == 66)
        #expect(try Stored(database).lines("SELECT * FROM setting") == [])
        #expect(try Stored(database).lines("SELECT * FROM model_state") == before)
    }

    @Test("A row that can't be computed stops no refresh; refresh, check and status report it")
    func leftOut() throws {
        let transaction = try DatabaseQueue(path: database).write { db in
            try db.execute(
                sql: """
                    UPDATE purchase SET quantity = 10
                    WHERE purchase_id = (
                        SELECT min(purchase_id) FROM purchase JOIN product USING (product_number)
                        WHERE product_id = 'com.example.lumen.filters'
                            AND purchase_id NOT IN (SELECT purchase_id FROM model_copies));
                    INSERT INTO listed_price VALUES ('com.example.lumen.filters', 'EUR', 4000000000000000000, NULL, '')
                    """)
            return try String.fetchOne(db, sql: "SELECT transaction_id FROM purchase WHERE quantity = 10") ?? ""
        }
        let refreshed = try refresh("--whole")
        #expect(refreshed.status == 0 && refreshed.errors.contains("receiptmill check --database"), "\(refreshed)")
        let check = try Mill.run(["check", "--database", database, "--quiet"])
        #expect(check.status == 65, "\(check)")
        #expect(
            check.output.contains("model_row_left_out: 1\n") && check.output.contains("model_sales: 1 left out")
                && check.output.contains("transaction \(transaction) of "), "\(check)")
        let status = try Mill.run(["status", "--database", database])
        #expect(status.status == 65 && status.output.contains("without 1 row that can't be computed"), "\(status)")
        #expect(try Stored(database).lines("SELECT count(*) > 50 FROM model_sales") == ["1"])
    }

    private static let report = """
        -- sold: Sold
        -- What was sold?
        -- Grain: one row per n
        -- Columns:
        --   n  integer  sales
        -- Example:
        --   receiptmill report sold
        SELECT count(*) AS n FROM model_sales
        """

    private func report(asNobody: Bool = false) throws -> Mill.Result {
        try FileManager.default.createDirectory(atPath: workdir.path("own"), withIntermediateDirectories: true)
        try workdir.write(Self.report, to: "own/sold.sql")
        return try Mill.run(
            ["report", "sold", "--sql", workdir.path("own"), "--database", database, "--format", "csv"],
            asNobody: asNobody)
    }

    @Test("A report over older models answers, and says so with the command; over none it can't")
    func outdated() throws {
        #expect(try refresh().status == 0)
        let current = try report()
        #expect(current.status == 0 && current.errors.isEmpty, "\(current)")
        try Samples.copyBeginning(to: workdir.path("a.gz"))
        try workdir.write("{\"receipt\":\"%%\"}\n", to: "more.jsonl")
        let loaded = try Mill.run(
            ["ingest", workdir.path("more.jsonl"), "--database", database, "--no-refresh", "--quiet"])
        #expect(loaded.status == 0, "\(loaded)")
        let outdated = try report()
        #expect(outdated.status == 0 && outdated.output == current.output, "\(outdated)")
        #expect(outdated.errors.contains("warning: the models are of "), "\(outdated)")
        #expect(outdated.errors.contains("hint: receiptmill refresh --database \(database)"), "\(outdated)")
        #expect(try Command("sqlite3", [database, "DROP TABLE model_state"]).run().status == 0)
        let none = try report()
        #expect(none.status == 65 && none.errors.contains("none were refreshed yet"), "\(none)")
        #expect(none.errors.contains("receiptmill refresh --database \(database)"), "\(none)")
    }

    @Test("A user who may only read gets reports over models", .enabled(if: geteuid() == 0))
    func readOnly() throws {
        #expect(try refresh().status == 0)
        // As while an owner is at work: a log and its index lie beside the file.
        let owner = try DatabaseQueue(path: database)
        try owner.write { try $0.execute(sql: "UPDATE archive SET lines = lines") }
        try FileManager.default.createDirectory(atPath: workdir.path("own"), withIntermediateDirectories: true)
        #expect(try Command("chmod", ["-R", "a+rX", workdir.url.path]).run().status == 0)
        let result = try report(asNobody: true)
        withExtendedLifetime(owner) {}
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    }
}
