internal import Foundation
internal import TestSupport
internal import Testing

@testable import MillDatabase
@testable import MillRun
@testable import ReceiptReports
@testable import ReceiptWarehouse

@Suite("Days of paid service") struct PaidDaysTests {
    @Test("are those worked out by hand, in the stories of HandWorked/paid-days")
    func stories() throws {
        let told = Repository.file("Tests/ReceiptReportsTests/HandWorked/paid-days/told.jsonl")
        let workdir = try Workdir()
        let lines = try CompactLine.decoded(String(contentsOf: told, encoding: .utf8))
        let database = workdir.path("mill.sqlite")
        _ = try Load(files: [workdir.write(lines, to: "told.decoded")], LoadConfiguration(database: database)).run()
        let found = try Stored(database).lines(
            """
            SELECT transaction_id, paid_days FROM subscription_periods WHERE paid_days IS NOT NULL ORDER BY transaction_id
            """)
        #expect(
            found == [
                "100|0", "101|366", "200|0", "201|0", "300|0", "301|0", "401|0", "402|361", "500|0", "501|182",
                "502|366", "600|0", "601|100", "602|344", "700|0", "701|31", "702|71",
            ])
    }
}
