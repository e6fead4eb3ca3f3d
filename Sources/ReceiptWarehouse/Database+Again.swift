internal import GRDB

extension Database {
    /// Executes a statement that is executed for each of many archives, and prepared once.
    func executeAgain(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
