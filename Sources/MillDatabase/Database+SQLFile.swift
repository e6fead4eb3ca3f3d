package import GRDB
internal import MillSystem
internal import ReceiptSQL

extension Database {
    /// Runs a file of `sql/`, given its path within this folder.
    package func execute(file path: String, arguments: StatementArguments = StatementArguments()) throws {
        try execute(sql: Self.sql(ofFile: path), arguments: arguments)
    }

    /// The text of a file of `sql/`, given its path within this folder.
    package static func sql(ofFile path: String) throws -> String {
        guard let file = SQLFile.all.first(where: { $0.path == path }) else {
            throw MillError(stage: .loading, what: "there is no sql/\(path)", exitStatus: .internalFault)
        }
        return file.text
    }
}
