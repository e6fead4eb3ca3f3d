internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Stores those settings of the pipeline file that views and reports read from the database.
struct SaveSettings: RunStep {
    let pipeline: Pipeline

    func run(in context: RunContext) throws(MillError) {
        let settings = context.database.settings
        let apps = Dictionary(grouping: pipeline.apps, by: \.bundleID)
        try settings.saveExpectedVersions(apps.map { ($0, $1.flatMap(\.versions)) })
        if let thresholds = pipeline.signals { try settings.save(thresholds) }
        if let allowed = pipeline.allowedSubjects {
            try settings.saveAllowed(allowed.stored(under: context.configuration.pseudonyms))
        }
        if let zone = pipeline.timeZone { try settings.save(timeZone: zone) }
        if let prices = pipeline.prices { try settings.save(try ListedPrice.list(inFile: prices, named: "prices:")) }
        if let rates = try pipeline.keptRates() { try settings.save(rates) }
        if let card = pipeline.rateCard { try settings.save(try RateCard(path: card)) }
    }
}
