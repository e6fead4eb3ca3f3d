internal import ArgumentParser
internal import Logging
internal import MillDatabase
internal import ReceiptWarehouse

/// `receiptmill migrate`: migrates a database of an older version to this version's schema.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "migrate", "Migrate an older database to this version.",
        usage: "receiptmill migrate --database <file> [<options>]",
        examples: """
            receiptmill migrate --database mill.sqlite
            """,
        details: """
            run, ingest, load, retry and regrade do it by themselves, where the database is older; this command does it \
            by day, and the others name it. What changes tables needs a new schema, views do not; both are done here.

            The database is first copied as it is to FILE-before-v8, where the new schema is 8, which needs as much disk \
            again: remove the copy when all is well. To go back, put it in the database's place, and install the former \
            version. Then all is one transaction: a migration that is killed has changed nothing.

            Exit status: 0 done, also where nothing was to do; 66 there is no such database; 73 it is another program's, \
            a newer version's, or of a build before the first release, whose archives have to be loaded into a new one; 74 the disk is full, and nothing is changed; 75 a run is at work.
            """)

    @Option(name: .shortAndLong, help: .loadedDatabase, completion: .file())
    var database: String

    @Flag(help: "Keep no copy of the database as it is.")
    var noCopy = false

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    @OptionGroup(title: "Logging") var log: LogOptions

    func run() throws {
        try DatabaseName.refuseMissing(database)
        let log = RunLog(
            format: log.logFormat ?? .text, level: log.logLevel ?? (quiet ? .error : .info), archives: nil)
        var migration = SchemaMigration()
        migration.keepsCopy = !noCopy
        migration.onEvent = { log.write($0) }
        let opened = try Warehouse(path: database, migration: migration)
        if try !opened.models.areCurrent() { try opened.models.refresh() }
        // SQLite's log holds all migrated pages; only a checkpoint moves them into the database file.
        try opened.emptyLog()
    }
}
