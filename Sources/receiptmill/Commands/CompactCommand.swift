internal import ArgumentParser
internal import DatabaseCare
internal import MillDatabase
internal import ReceiptWarehouse

/// `receiptmill compact`: gives a database's free pages back to the file system.
struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "compact", "Compact the database file.",
        examples: """
            receiptmill compact --database mill.sqlite
            """,
        details: """
            Retention and erasure free pages, which later rows take; the file keeps its size. This gives them back, and \
            sorts the rest. It needs as much disk again beside the database and in the temporary folder, and time.

            Exit status: 0 done; 66 there is no such database; 74 the disk is full, and nothing is changed; 75 a run or a \
            reader is at work.
            """)

    @Flag(help: "Say how many bytes are free, and change nothing.")
    var dryRun = false

    @OptionGroup var target: NamedDatabaseOptions

    func run() throws {
        let database = target.database
        try DatabaseName.refuseMissing(database)
        let opened = try Warehouse(path: database)
        let packing = DatabasePacking(opened)
        let before = try packing.size()
        if !target.quiet { try Console.write("\(before.bytes) bytes, \(before.freeBytes) of them in free pages\n") }
        guard !dryRun else { return }
        try packing.checkDiskSpace()
        try packing.pack()
        if !target.quiet { try Console.write("\(try packing.size().bytes) bytes now\n") }
    }
}
