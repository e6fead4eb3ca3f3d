internal import Foundation
internal import TestSupport
internal import Testing

/// Apple's report files that are delivered again: half, corrected, under another name, from another account.
@Suite struct ReportFilesAgainTests: NightFolder {
    let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws { workdir = try Workdir() }

    @discardableResult
    private func load(_ names: String...) throws -> Mill.Result {
        let result = try Mill.run(["store-reports", "--database", database] + names, in: workdir.url)
        #expect(result.status == 0, "\(result)")
        return result
    }

    private func write(_ text: String, to name: String) throws { try workdir.write(text, to: name) }

    private let counted = """
        SELECT vendor, product_id, sum(units_thousandths) / 1000, sum(gross_milliunits) FROM model_store_sales
        WHERE report = 'sales' GROUP BY 1, 2 ORDER BY 1, 2
        """

    @Test(
        "A file that begins with the whole text loaded before replaces that file, only under the same name",
        arguments: [0, 45])
    func half(lost: Int) throws {
        let name = "S_D_80012345_20260331.txt"
        let whole = StoreReportFiles.text(
            StoreReportFiles.sale("gems", units: 2), StoreReportFiles.sale("gold", units: 1),
            StoreReportFiles.sale("gems", units: 3, price: "4.99"))
        // Only two rows have arrived; the second is whole, or cut within its cells.
        let half = whole.split(separator: "\n").prefix(3).joined(separator: "\n")
        try write(String(half.dropLast(lost)), to: name)
        try load(name)
        #expect(try lines("SELECT count(*), min(line), max(line) FROM store_sale") == [lost == 0 ? "2|2|3" : "1|2|2"])
        #expect(try lines("SELECT count(*) FROM rejections") == [lost == 0 ? "0" : "1"])
        try write(whole, to: name)
        let result = try load(name)
        #expect(result.output.contains("3 rows, 0 rejected, replaces \(name)\n"), "\(result)")
        #expect(result.errors.isEmpty, "\(result)")
        #expect(try lines("SELECT name, rows, rejected FROM store_file") == ["\(name)|3|0"])
        #expect(try lines(counted) == ["80012345|gems|5|34950", "80012345|gold|1|9990"])
        #expect(try lines("SELECT count(*), sum(proceeds_milliunits) FROM store_sales") == ["3|50940"])
        #expect(try lines("SELECT count(*) FROM rejections") == ["0"])
        #expect(try Mill.run(["check", "--database", database]).status == 0)
    }

    @Test("A file that was compressed in the meantime has the same name")
    func compressed() throws {
        let rows = [StoreReportFiles.sale("gems", units: 2), StoreReportFiles.sale("gold", units: 1)]
        try write(StoreReportFiles.text(rows[0]), to: "S_D_1.txt")
        try load("S_D_1.txt")
        try write(StoreReportFiles.text(rows[0], rows[1]), to: "S_D_1.txt")
        #expect(try Command("gzip", ["S_D_1.txt"], in: workdir.url).run().status == 0)
        try load("S_D_1.txt.gz")
        #expect(try lines("SELECT name, rows FROM store_file") == ["S_D_1.txt.gz|2"])
    }

    @Test(
        "Half a report beside the whole: both stay loaded, status names them, and the next night changes nothing",
        arguments: [true, false])
    func sideBySide(isHalfCompressed: Bool) throws {
        let rows = [StoreReportFiles.sale("gems", units: 2), StoreReportFiles.sale("gold", units: 1)]
        let (half, whole) = (StoreReportFiles.text(rows[0]), StoreReportFiles.text(rows[0], rows[1]))
        try write(isHalfCompressed ? half : whole, to: "S_D_1.txt")
        #expect(try Command("gzip", ["S_D_1.txt"], in: workdir.url).run().status == 0)
        try write(isHalfCompressed ? whole : half, to: "S_D_1.txt")
        let files = "SELECT file_id, name, rows FROM store_file ORDER BY name"
        try load("S_D_1.txt", "S_D_1.txt.gz")
        let loaded = try lines(files)
        #expect(loaded.count == 2)
        let again = try load("S_D_1.txt", "S_D_1.txt.gz")
        #expect(!again.output.contains("replaces"), "\(again)")
        #expect(try lines(files) == loaded)
        let status = try Mill.run(["status", "--database", database])
        #expect(status.output.contains("whose days another file states, too"), "\(status)")
    }

    @Test("A file that was overwritten by a part of itself, and then by the whole, counts as a whole")
    func overwritten() throws {
        let rows = [StoreReportFiles.sale("gems", units: 2), StoreReportFiles.sale("gold", units: 1)]
        for text in [
            StoreReportFiles.text(rows[0], rows[1]), StoreReportFiles.text(rows[0]),
            StoreReportFiles.text(rows[0], rows[1]),
        ] {
            try write(text, to: "sales.txt")
            try load("sales.txt")
        }
        #expect(try lines("SELECT name, rows FROM store_file") == ["sales.txt|2"])
        #expect(
            try lines(counted).map { $0.split(separator: "|").dropFirst().joined(separator: "|") } == [
                "gems|2|19980", "gold|1|9990",
            ])
        // The whole file is known under another name, and a part of it is newer.
        try write(StoreReportFiles.text(rows[0]), to: "other.txt")
        try load("other.txt")
        try write(StoreReportFiles.text(rows[0], rows[1]), to: "other.txt")
        let again = try load("other.txt")
        #expect(again.output.hasPrefix("other.txt: loaded before as sales.txt, replaces other.txt\n"), "\(again)")
        #expect(try lines("SELECT name, rows FROM store_file") == ["sales.txt|2"])
    }

    @Test("A later file of the same days also drops the rows that it lacks; a warning and status name both files")
    func takenBack() throws {
        try write(
            StoreReportFiles.text(
                StoreReportFiles.sale("gems", units: 2), StoreReportFiles.sale("gold", units: 1),
                StoreReportFiles.sale("gems", units: 7, day: "03/30/2026")), to: "first.txt")
        try write(StoreReportFiles.text(StoreReportFiles.sale("gems", units: 4)), to: "corrected.txt")
        try load("first.txt")
        let result = try load("corrected.txt")
        let warning =
            "corrected.txt states sales of 2026-03-31 as first.txt does: what was loaded last counts, and what it lacks does not"
        #expect(result.errors.contains("warning: first.txt: \(warning)"), "\(result)")
        // Four of the day that two files state, and seven of the day before.
        #expect(
            try lines("SELECT product_id, sum(units_thousandths) / 1000 FROM model_store_sales GROUP BY 1") == [
                "gems|11"
            ])
        let status = try Mill.run(["status", "--database", database])
        #expect(status.output.contains("1 file whose days another file states, too"), "\(status)")
        #expect(status.output.contains(warning) && !status.output.contains("→ receiptmill retract"), "\(status)")
        #expect(try Mill.run(["retract", "first.txt", "--database", database]).status == 0)
        #expect(
            try lines(counted).map { $0.split(separator: "|").dropFirst().joined(separator: "|") } == ["gems|4|39960"])
        #expect(!(try Mill.run(["status", "--database", database])).output.contains("whose days"))
    }

    @Test(
        "Two accounts that sell a product with the same id both count, whether names or products distinguish them",
        arguments: [true, false])
    func accounts(named: Bool) throws {
        let names = named ? ["S_D_80000001_20260331.txt", "S_D_80000002_20260331.txt"] : ["one.txt", "two.txt"]
        try write(StoreReportFiles.text(StoreReportFiles.sale("premium", units: 2, product: 600_000_001)), to: names[0])
        let other = StoreReportFiles.sale("premium", units: 5, product: named ? 600_000_001 : 700_000_002)
        try write(StoreReportFiles.text(other), to: names[1])
        let result = try load(names[0], names[1])
        #expect(result.errors.isEmpty, "\(result)")
        #expect(
            try lines("SELECT product_id, units_thousandths FROM model_store_sales ORDER BY 2")
                == ["premium|2000", "premium|5000"])
        // One account's month is not left out because of the other account's day.
        let month = StoreReportFiles.sale(
            "premium", units: 31, day: "03/01/2026", until: "03/31/2026", product: 800_000_003)
        try write(StoreReportFiles.text(month), to: "S_M_80000003_202603.txt")
        try load("S_M_80000003_202603.txt")
        #expect(try lines("SELECT sum(units_thousandths) FROM model_store_sales") == ["38000"])
    }

    @Test("Files without an account number belong to the account that sells their products")
    func renamed() throws {
        try write(StoreReportFiles.text(StoreReportFiles.sale("gems", units: 2)), to: "a.txt")
        try load("a.txt")
        let both = StoreReportFiles.text(
            StoreReportFiles.sale("gems", units: 3), StoreReportFiles.sale("gold", units: 1, product: 600_000_002))
        try write(both, to: "S_D_80012345_20260331.txt")
        try load("S_D_80012345_20260331.txt")
        #expect(try lines("SELECT DISTINCT vendor FROM store_file") == ["80012345"])
        #expect(try lines(counted) == ["80012345|gems|3|29970", "80012345|gold|1|9990"])
    }

    @Test("A month is named while files of days state some of its days, but not all")
    func month() throws {
        let month = StoreReportFiles.sale("gems", units: 62, day: "02/23/2026", until: "03/01/2026")
        try write(StoreReportFiles.text(month), to: "S_W_20260301.txt")
        try write(
            StoreReportFiles.text(StoreReportFiles.sale("gems", units: 2, day: "02/24/2026")), to: "S_D_20260224.txt")
        let result = try load("S_W_20260301.txt", "S_D_20260224.txt")
        let warning = """
            S_W_20260301.txt states sales of 2026-02-23 to 2026-03-01, and files of shorter spans such as S_D_20260224.txt \
            state 1 of these 7 days: of the products in them the shorter spans alone count
            """
        #expect(result.errors.contains(warning), "\(result)")
        #expect(try Mill.run(["status", "--database", database]).output.contains(warning))
        let days = ["02/23/2026", "02/25/2026", "02/26/2026", "02/27/2026", "02/28/2026", "03/01/2026"]
        for (index, day) in days.enumerated() {
            try write(StoreReportFiles.text(StoreReportFiles.sale("gems", units: 1, day: day)), to: "S_D_\(index).txt")
        }
        let all = try load("S_D_0.txt", "S_D_1.txt", "S_D_2.txt", "S_D_3.txt", "S_D_4.txt", "S_D_5.txt")
        #expect(all.errors.isEmpty, "\(all)")
        #expect(try lines("SELECT sum(units_thousandths) FROM model_store_sales") == ["8000"])
    }

    @Test("A file of endlessly repeated rows is refused, and nothing of it is loaded")
    func repeated() throws {
        let row = StoreReportFiles.sale("gems", units: 1)
        let rows = Array(repeating: row, count: 10_002)
        try workdir.write(([StoreReportFiles.header] + rows).joined(separator: "\n"), to: "many.txt")
        let result = try Mill.run(["store-reports", "many.txt", "--database", database], in: workdir.url)
        #expect(result.status == 65 && result.errors.contains("state what rows above them state"), "\(result)")
        #expect(try lines("SELECT count(*) FROM store_sale") == ["0"])
        try workdir.write(([StoreReportFiles.header] + rows.dropLast()).joined(separator: "\n"), to: "many.txt")
        #expect(try load("many.txt").output.contains("10001 rows, 0 rejected"))
    }

    @Test("A file that is not a report is moved as its entry says, so that the next night does not fail again")
    func setAside() throws {
        try deliver()
        try FileManager.default.createDirectory(atPath: workdir.path("store"), withIntermediateDirectories: true)
        try write(StoreReportFiles.text(StoreReportFiles.sale("gems", units: 2)), to: "store/good.txt")
        try write("name,price\ngems,1\n", to: "store/prices.txt")
        let file = try write("store_reports: [{path: 'store/*.txt', damaged_to: store/damaged}]\n")
        let first = try Mill.run(["run", file])
        #expect(first.status == 65, "\(first)")
        #expect(exists("store/damaged/prices.txt") && !exists("store/prices.txt") && exists("store/good.txt"))
        #expect(try Mill.run(["run", file]).status == 0)
        let status = try Mill.run(["status", "--pipeline", file])
        #expect(status.output.contains("store/damaged: 1 damaged, or no reports (prices.txt)"), "\(status)")
        let looking = try write("store_reports: [{path: 'store/*/*.txt', damaged_to: store/damaged}]\n")
        #expect(try Mill.run(["run", looking, "--dry-run"]).errors.contains("looks into this folder"))
    }
}
