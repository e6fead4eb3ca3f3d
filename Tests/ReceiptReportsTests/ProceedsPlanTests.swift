internal import GRDB
internal import MillTestSupport
internal import Testing

/// The query plan for proceeds.
@Suite struct ProceedsPlanTests {
    @Test("No list of countries or currencies is scanned for each sale")
    func keyed() throws {
        let sample = try SampleDatabase()
        let plan = try DatabaseQueue(path: sample.path).read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT * FROM internal_earnings")
                .map { $0["detail"] as String }
        }
        #expect(!plan.isEmpty)
        #expect(plan.filter { $0.contains("CONSTANT ROW") || $0.contains("SCAN listed") } == [])
    }
}
