internal import MillSystem
internal import ReceiptWarehouse

/// Moves SQLite's log into the database, so that the next run and readers need not go through it.
struct EmptyLog: RunStep {
    /// A log that a run leaves is emptied by the next; one this large says that a reader has held on to it for long.
    private static let notableBytes: Int64 = 256 << 20

    func run(in context: RunContext) throws(MillError) {
        let bytes = try context.database.emptyLog()
        if bytes > Self.notableBytes { context.report(.logHeld(bytes: bytes)) }
    }
}

/// Remembers, beside the database, how this run leaves it.
struct RememberIdentity: RunStep {
    let identity: IdentityFile

    func run(in context: RunContext) throws(MillError) {
        let standing = try context.database.stamp()
        do throws(MillError) { try identity.remember(standing) } catch { context.fail(error) }
    }
}
