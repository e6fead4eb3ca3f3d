import StoreReports
import Testing

@Suite struct StoreReportReaderTests {
    @Test func namesOfReportsAreTheDatabases() {
        #expect(StoreReportKind.allCases.count == 9)
    }
}
