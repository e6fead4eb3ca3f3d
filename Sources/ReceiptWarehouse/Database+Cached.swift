internal import GRDB

extension Database {
    /// Executes a cached statement, for statements that run once for each archive.
    func executeCached(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
