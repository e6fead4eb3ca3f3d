internal import Foundation
internal import GRDB
internal import ReceiptMint
internal import TestSupport
internal import Testing

/// A minted year of the store's report files beside the archive that they are about: what reconciliation finds is
/// what was planted.
@Suite struct StoreReportsTruthTests {
    /// Loaded once in a process.
    private static let loaded = Result {
        let workdir = try Workdir()
        var parameters = MintParameters()
        (parameters.count, parameters.signed, parameters.seed) = (4_000, 1, 20_260_926)
        (parameters.signedShares, parameters.bareLines) = ([:], 0)
        parameters.writesStoreReports = true
        for kind in [StoreClass.settledLater, .priceChanged, .notInReport] { parameters.storeShares[kind] = 0.04 }
        parameters.jobs = 2
        let truth = try MintRun(parameters).run(into: workdir.url.appending(path: "minted"))
        let ingested = try Mill.run([
            "ingest", workdir.path("minted/receipts-001.jsonl.gz"), "--trust", workdir.path("minted/root.pem"),
            "--database", workdir.path("mill.sqlite"), "--quiet", "--no-refresh",
        ])
        #expect(ingested.status == 0, "\(ingested)")
        let result = try Mill.run([
            "store-reports", workdir.path("minted/\(MintRun.storeReportsName)/*"), "--database",
            workdir.path("mill.sqlite"), "--quiet",
        ])
        #expect(result.status == 0, "\(result)")
        return (workdir: workdir, truth: truth)
    }

    private func rows(_ sql: String) throws -> [Row] {
        try Stored(Self.loaded.get().workdir.path("mill.sqlite")).rows(sql)
    }

    @Test("Each class of differences has the planted units, and both sides the planted money")
    func differences() throws {
        let (workdir, _) = try Self.loaded.get()
        let truth = String(decoding: try workdir.read("minted/\(MintRun.truthName)"), as: UTF8.self)
            .replacing("'", with: "''")
        let sql = try String(contentsOf: Repository.file(".ci/differences-from-truth.sql"), encoding: .utf8)
            .replacing("readfile(:truth)", with: "'\(truth)'")
        let differences = try rows(sql)
        #expect(differences.isEmpty, "\(differences)")
    }

    @Test("Every file is read, and each row of it but those of the same text of another day")
    func files() throws {
        let reports = try #require(try Self.loaded.get().truth.storeReports)
        #expect(try rows("SELECT * FROM rejections").isEmpty)
        for row in try rows("SELECT report, count(*) AS files, sum(rows) AS rows FROM store_file GROUP BY report") {
            let (report, files, rows): (String, Int, Int) = (row["report"], row["files"], row["rows"])
            // Files of SUBSCRIPTION state no day, so that equal ones are one file.
            guard report != "subscription" else { continue }
            #expect(reports.rows[report] == rows, "\(report)")
            // Days without an event are alike in the reports of subscribers.
            guard ["sales", "financial", "finance_detail"].contains(report) else { continue }
            #expect(reports.files[report] == files, "\(report)")
        }
    }

    @Test("Of FINANCE_DETAIL, the planted units were settled later than they were sold, and nothing is unexplained")
    func settlement() throws {
        let reports = try #require(try Self.loaded.get().truth.storeReports)
        let later = try rows(
            "SELECT sum(units) AS units FROM store_sales WHERE report = 'finance_detail' AND begins <> ends")
        let unitsLater: Int64 = try #require(later.first)["units"]
        #expect(unitsLater == reports.settled.unitsLater)
        for kind in [StoreClass.notInArchive, .billingRetry, .priceChanged, .refundDatedElsewhere] {
            let planted = reports.financeDetail.classes[kind.rawValue]
            let found = try rows(
                """
                SELECT coalesce(sum(store_units) / 1000, 0) AS units FROM model_reconciled
                WHERE report = 'finance_detail' AND class = '\(kind.rawValue)'
                """)
            let units: Int64 = try #require(found.first)["units"]
            #expect(abs(units - (planted?.storeUnits ?? 0)) <= planted?.mixedUnits ?? 0, "\(kind)")
        }
        #expect(try rows("SELECT * FROM model_reconciled WHERE class = 'unexplained'").isEmpty)
    }
}
