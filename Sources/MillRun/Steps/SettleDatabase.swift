internal import DatabaseCare
internal import MillSystem
internal import ReceiptWarehouse

/// Moves SQLite's log into the database, so that the next run and readers need not read the log.
struct EmptyLog: RunStep {
    func run(in context: RunContext) throws(MillError) {
        let bytes = try context.database.emptyLog()
        guard bytes > Warehouse.notableLogBytes else { return }
        context.log(
            .warning,
            "a reader keeps the database's write-ahead log at \(bytes >> 20) MiB, and more than "
                + "\(Warehouse.notableLogBytes >> 20) MiB are too many",
            ["log_bytes": bytes], hint: "end long transactions of readers; the next run empties it")
    }
}

/// Writes the identity file, which states how this run leaves the database.
struct RememberIdentity: RunStep {
    let identity: IdentityFile

    func run(in context: RunContext) throws(MillError) {
        let standing = try context.database.stamp()
        do throws(MillError) { try identity.remember(standing) } catch { context.fail(error) }
    }
}
