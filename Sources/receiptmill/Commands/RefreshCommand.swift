internal import ArgumentParser
internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptReports
internal import ReceiptWarehouse
internal import RunGuide

/// `receiptmill refresh`: refreshes the models that reports read.
struct RefreshCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "refresh", "Refresh the models, the tables that reports read.",
        usage: "receiptmill refresh [--database <file>] [<options>]",
        examples: """
            receiptmill refresh --database mill.sqlite
            receiptmill refresh --database mill.sqlite --time-zone Europe/Rome
            receiptmill refresh --database mill.sqlite --prices prices.csv
            receiptmill refresh --database mill.sqlite --rates eurofxref-hist.csv --currency EUR
            """,
        details: """
            run, ingest, load, retry, retract, erase, regrade and rekey end with it where they have changed \
            something, unless told --no-refresh; then reports answer from the former models until this command has run. \
            A refresh is one transaction: readers see the former ones until it ends, and a command that is \
            killed changes nothing.

            A refresh computes the subscriptions, customers and users that new documents concern. It computes \
            everything if --whole asks for it, if there are no models yet, after an erasure, a retraction or a change of \
            settings, and if new documents concern more than a quarter of all transactions. Both give the same rows, and \
            the command prints which it did, and why. After changes by SQL, use --whole.

            The time zone, the price list, the rates of exchange and the rate card are settings of the database, and \
            hold for all that comes: every day, week and month of models is of that zone. Reports state all money in \
            the currency of the rates, each amount by the rate of its day, until --currency none. Reports of \
            proceeds compute them by the rate card; pipelines/rate-card.yaml is an example.

            Exit status: 0 done, also where nothing has changed; 64 there is no such zone, or no currency is named; 65 a list \
            can't be read; 66 there is no such database, list or card; 74 the disk is full, and nothing is changed; 75 a run is at work, \
            or this one was asked to stop; 78 the rate card is wrong.
            """)

    @Option(
        help: ArgumentHelp(
            "Tell days by the clocks of this time zone from now on, summer time included; at first UTC.",
            valueName: "IANA name"))
    var timeZone: String?

    @Option(
        help: ArgumentHelp(
            "Keep this price list in place of the former: CSV with product_id, currency, price, and if need be "
                + "introductory_price and valid_from.", valueName: "file"), completion: .file())
    var prices: String?

    @Flag(
        help:
            "Print the price list as CSV, with a line to fill or delete for each product without a price, and change nothing."
    )
    var pricesTemplate = false

    @Option(
        help: ArgumentHelp(
            "Keep these rates of exchange in place of the former: eurofxref-hist.csv, or CSV: valid_from, currency, "
                + "into_currency, rate.", valueName: "file"), completion: .file())
    var rates: String?

    @Option(
        help: ArgumentHelp(
            "The currency that reports convert into by --rates; none ends the conversion.", valueName: "ISO 4217"))
    var currency: String?

    @Option(
        help: ArgumentHelp(
            "Keep this rate card in place of the former: YAML that states what the store keeps of sales.",
            valueName: "file"), completion: .file())
    var rateCard: String?

    @Flag(help: "Compute everything, not only what new documents concern.")
    var whole = false

    @OptionGroup var target: DatabaseOption

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    func validate() throws {
        let settings = [timeZone, prices, rates, currency, rateCard].compactMap(\.self)
        guard !pricesTemplate || settings.isEmpty && !whole else {
            throw ValidationError("--prices-template goes with no other setting")
        }
    }

    func run() throws {
        let path = try target.path
        try DatabaseName.refuseMissing(path)
        if pricesTemplate {
            var run = try ReportRun(.priceTemplate())
            run.isExact = true
            _ = try run.write(
                in: ReportSession(database: path), as: .csv, warn: { Console.complain($0.description) },
                to: Console.write)
            return
        }
        let zone = try timeZone.map { (name) throws(MillError) in try LocalCalendar(zone: name) }
        let listed = try prices.map { (path) throws(MillError) in try ListedPrice.list(inFile: path) }
        let rates = try keptRates()
        let card = try rateCard.map { (path) throws(MillError) in try RateCard(path: path) }
        let stop = CancellationFlag()
        StopSignals.make(stop)
        let database = try Warehouse(path: path, migration: SchemaMigration())
        if let zone { try database.settings.save(timeZone: zone) }
        if let listed { try database.settings.save(listed) }
        if let rates { try database.settings.save(rates) }
        if let card { try database.settings.save(card) }
        // A run that was killed may have loaded lines of persons who had been erased before.
        try Erasure.eraseReloaded(in: database)
        var line = ProgressLine(isQuiet: quiet)
        let state = try database.models.refresh(isWhole: whole, stop: stop) { line.draw($0) }
        line.clear()
        guard let state else {
            throw MillError(
                stage: .refreshing, what: "asked to stop; models are as they were",
                hint: ShellWords.line(["refresh", "--database", path]), exitStatus: .tryLater)
        }
        try database.emptyLog()
        if state.leftOut > 0 {
            Console.complain("warning: \(state.leftOut) rows violate a model's key or type and are left out")
            Console.complain("hint: \(ShellWords.line(["check", "--database", path]))")
        }
        guard !quiet else { return }
        if let rates, !rates.currencies.isEmpty {
            try Console.write("rates into \(rates.currency): \(rates.currencies.joined(separator: ", "))\n")
        }
        try Console.write("models of \(state.timeZone): \(state.summary)\n")
        let stored = try? database.access(StoredFacts.init)
        if let next = NextCommand.after(FinishedLoad(database: path), stored) {
            try Console.write("next: \(ShellWords.line(next))\n")
        }
        if let listed, !listed.isEmpty, try !database.models.priceAnyProduct() {
            Console.complain("warning: no product of the database is in the price list; is it another app's?")
        }
    }

    private func keptRates() throws(MillError) -> DailyRates? {
        if currency == "none", rates == nil { return DailyRates.none }
        let code = try currency.map { (text) throws(MillError) in
            guard let code = CurrencyCode(text) else {
                throw MillError(
                    stage: .configuring, what: "'\(text)' is no currency",
                    hint: "give three letters of ISO 4217 such as EUR",
                    exitStatus: .usage)
            }
            return code.letters
        }
        guard let rates else {
            guard code == nil else {
                throw MillError(
                    stage: .configuring, what: "--currency converts nothing without rates", hint: "add --rates FILE",
                    exitStatus: .usage)
            }
            return nil
        }
        return try RateList(path: rates).kept(into: code, named: "--currency")
    }
}
