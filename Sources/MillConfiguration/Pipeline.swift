internal import Foundation
package import MillDatabase
package import MillSystem
package import ReceiptArchive
package import ReceiptReports
package import ReceiptTrust
package import ReceiptVerification

/// The content of a pipeline file, which states all that a nightly run does.
package struct Pipeline: Sendable {
    /// The path of the pipeline file.
    package private(set) var file = ""
    package var database = ""
    package var createsDatabase = false
    package var archives: [ArchiveSource] = []
    /// Paths and patterns of App Store report files.
    package var storeReports: [ArchiveSource] = []
    package var lines = LineKeys()
    package var trust = TrustSection()
    package var environments: [String] = []
    package var apps: [AppSetting] = []
    package var signals: SignalThresholds?
    package var allowedSubjects: AllowedSubjects?
    package var timeZone: LocalCalendar?
    /// The path of a price list.
    package var prices: String?
    /// The path of a list of exchange rates.
    package var rates: String?
    /// The currency into which reports convert.
    package var currency: String?
    /// The path of a rate card.
    package var rateCard: String?
    package var modelComparison = ModelComparisonInterval.weekly
    package var jobs: Int?
    package var limits = Limits()
    package var keepsReceipts = false
    package var pseudonymKey: String?
    package var deadLetters: DeadLetterSettings?
    package var retentionDays: Int?
    package var reportFolder: String?
    package var reports: [ReportOrder] = []
    package var dashboard: String?
    package var alarms = AlarmSettings()
    /// The path of a file for node_exporter's textfile collector.
    package var metrics: String?

    package init() {}

    /// Directs a load by hand to a database, which is created if it is missing. If it is not the pipeline file's own
    /// database, the file's dead-letter file and its advice on damage are not used.
    package mutating func load(into database: String) {
        if RealPath.of(database) != RealPath.of(self.database) { (file, deadLetters) = ("", nil) }
        (self.database, createsDatabase) = (database, true)
    }

    /// Reads a pipeline file, and checks everything that can be checked without the archives and the database.
    ///
    /// - Parameter environment: the environment variables, for `${NAME}`.
    /// - Throws: ``MillError`` with line and key of the first fault.
    package init(path: String, environment: [String: String]) throws(MillError) {
        self = try ConfigurationFile(path: path, environment: environment).read(as: Pipeline.self)
        file = path
    }

    /// The path of the metrics file, even if the rest of the pipeline file is invalid; nil if the key can't be read.
    package static func metrics(of path: String, environment: [String: String]) -> String? {
        ConfigurationFile(path: path, environment: environment).path(of: "metrics")
    }
}

extension Pipeline: ConfigurationSection {
    static var keys: [Key] {
        [
            Key(
                "database", \.database, .file("a path"), isRequired: true,
                "SQLite database, which receiptmill init makes. One that is missing, empty, or another than the last "
                    + "run's, is an error."),
            Key("create", \.createsDatabase, .flag, "Make the database where there has been none."),
            Key(
                "archives", \.archives, .filledList("archives, each with the key path", of: .section), isRequired: true,
                "What to load. An archive is known by its content: one that was loaded before is passed over."),
            Key(
                "store_reports", \.storeReports,
                .list("paths or patterns, or of entries with the key path", of: .reportFiles),
                "Report files of the store, as for path of archives: sales, subscriptions, finance and payments, gzip or "
                    + "plain. A file is known by its text, and loaded once; it stays where it is. Deliver a "
                    + "file by renaming it: until then, a run would load a half-written file as half a report."),
            Key("lines", \.lines, .section, "Keys of the archives' JSON objects; of several, the first found wins."),
            Key("trust", \.trust, .section, "What chains of certificates must lead to."),
            Key(
                "environments", \.environments, .list("environments", of: .text("an environment, such as Production")),
                "Environments that are expected; trusted receipts of others, new in a run, raise an alarm."),
            Key(
                "apps", \.apps, .list("apps, each with the key bundle", of: .section),
                "Apps of yours. Once one is named, receipts of others are unexpected."),
            Key(
                "signals", \.signals, .section,
                "Thresholds of fraud signals. They replace all that the database holds; without this key those stay."),
            Key(
                "fraud", \.allowedSubjects, .section(with: AllowedSubjects.keysOfFraud),
                "What makes no case of fraud. Without this key what the database holds stays."),
            Key(
                "time_zone", \.timeZone, .zone,
                "Zone by which days, weeks and months are told, by its IANA name. Without this key what the database holds "
                    + "stays, at first UTC."),
            Key(
                "prices", \.prices, .path("a price list (CSV)"),
                "What products cost: CSV with product_id, currency, price, and if need be introductory_price and "
                    + "valid_from. It replaces the list that the database holds; without this key that stays."),
            Key(
                "rates", \.rates, .path("a list of rates of exchange (CSV)"),
                "Rates by which reports state all money in one currency: the European Central Bank's eurofxref-hist.csv, or "
                    + "CSV with valid_from, currency, into_currency and rate. It replaces the rates that the database holds; "
                    + "without this key those stay."),
            Key(
                "currency", \.currency, .currency,
                "The currency that reports convert into by these rates; where absent, the one that all rates share."),
            Key(
                "rate_card", \.rateCard, .path("a rate card (YAML)"),
                "What the store keeps of sales, by which reports compute proceeds, as pipelines/rate-card.yaml shows. It "
                    + "replaces the card that the database holds; without this key that stays."),
            Key(
                "refresh_whole", \.modelComparison, .word,
                "How often the tables that reports read are compared with tables computed from all documents, and not only "
                    + "from those of a night. No row should differ; where one does, it is replaced and the run ends with 70."
            ),
            Key(
                "jobs", \.jobs, .number(1...1024, "workers"),
                "Workers that verify at the same time; as many as there are cores where absent."),
            Key("limits", \.limits, .section, "Bounds on what an archive may hold."),
            Key(
                "keep_receipts", \.keepsReceipts, .flag,
                "Store new receipts whole, so that receiptmill regrade can verify them again, as where an anchor was "
                    + "wrong. Takes about 2.2 bytes for each byte of gzip."),
            Key(
                "pseudonym_key", \.pseudonymKey, .path("a key file"),
                "Store names in the place of device and account identifiers, made with this key after the device "
                    + "check. A database keeps to the key of its first load."),
            Key(
                "dead_letters", \.deadLetters, .section,
                "Keep rejected lines in the database, and write those whose rejection is open to a file after the load. "
                    + "Not with pseudonym_key."),
            Key(
                "retention_days", \.retentionDays, .number(1...100_000, "days"),
                "Submissions older than this go after the load, but the first and the last of each receipt, device "
                    + "and account: purchases, owners and what is first and last seen stay."),
            Key(
                "report_folder", \.reportFolder, .path("a folder"),
                "A folder of reports of your own, which go before those built in."),
            Key(
                "reports", \.reports, .list("reports, each with the keys name and output", of: .section),
                "Reports that are written after the load."),
            Key(
                "dashboard", \.dashboard, .path("a path", of: .dashboard),
                "Key figures and charts as one page, written after the load and replaced as a whole."),
            Key("alarms", \.alarms, .section, "What ends the run with a message and an exit status other than 0."),
            Key(
                "metrics", \.metrics, .path("a path", of: .metrics),
                "What the run did, for Prometheus: a file for node_exporter's textfile collector."),
        ]
    }

    /// - Throws: ``MillError`` for a text that does not name an anchor.
    package func anchors() throws(MillError) -> TrustAnchors {
        try TrustAnchors(arguments: trust.anchors, withoutMarkers: trust.anchorsWithoutMarkers)
    }

    /// A report with its parameters read and checked.
    ///
    /// - Parameter today: the day of the run, to which relative days and months refer, in days since 1970.
    package func run(
        of report: String, _ parameters: [Setting], today: Int64? = nil
    ) throws -> ReportRun {
        var run = try ReportRun(
            try catalog().report(named: report), settings: parameters.map { ($0.name, $0.text) }, today: today)
        run.takesAnyEnvironment = true
        return run
    }

    /// The built-in reports, and those of the folder that the pipeline file names.
    package func catalog() throws -> ReportCatalog {
        try reportFolder.map(ReportCatalog.init(folder:)) ?? ReportCatalog()
    }
}

extension ValueKind where Value == LocalCalendar {
    /// The IANA name of a time zone.
    fileprivate static var zone: ValueKind {
        let name = ValueKind<String>.text("a time zone such as America/Los_Angeles")
        return ValueKind(
            expected: name.expected,
            read: { (node) throws(MillError) in
                let zone = try name.read(node)
                return try node.checking { try LocalCalendar(zone: zone) }
            })
    }
}
