internal import GRDB
internal import MillSystem

/// A database whose models are not worked out: the tables that public views and reports read are missing.
enum MissingModels {
    /// What a failure of SQLite means, if it is that.
    static func explanation(of error: DatabaseError) -> MillError? {
        guard error.resultCode == .SQLITE_ERROR, let message = error.message,
            message.hasPrefix("no such table: main.model_")
        else { return nil }
        return MillError(
            stage: .reporting, what: "the models that reports read are not worked out in this database",
            hint: "receiptmill refresh --database FILE works them out", exitStatus: .badData)
    }
}
