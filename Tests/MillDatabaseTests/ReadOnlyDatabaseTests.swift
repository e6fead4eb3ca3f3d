import Foundation
import TestSupport
import Testing

@testable import MillDatabase
@testable import MillSystem

@Suite("A database that is opened for reports")
struct ReadOnlyDatabaseTests {
    @Test("states in its errors that a report failed, not a load")
    func stage() throws {
        let workdir = try Workdir()
        let database = try workdir.write("", to: "mill.sqlite")
        try FileManager.default.linkItem(atPath: database, toPath: workdir.path("second.sqlite"))
        let error = #expect(throws: MillError.self) { _ = try ReadOnlyDatabase(path: database) }
        #expect(error?.stage == .reporting && error?.what.contains("2 names") == true, "\(String(describing: error))")
    }
}
