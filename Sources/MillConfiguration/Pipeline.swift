internal import Foundation
package import MillDatabase
package import MillSystem
package import ReceiptReports
package import ReceiptTrust

/// The content of a pipeline file: all that a nightly run does.
package struct Pipeline: Sendable {
    /// The pipeline file itself.
    package private(set) var file = ""
    package var database = ""
    package var createsDatabase = false
    package var archives: [ArchiveSource] = []
    package var lines = LineKeys()
    package var trust = TrustSection()
    package var environments: [String] = []
    package var apps: [AppSection] = []
    package var signals: SignalThresholds?
    package var fraud: FraudSection?
    package var timeZone: LocalCalendar?
    /// A price list.
    package var prices: String?
    package var jobs: Int?
    package var limits = Limits()
    package var keepsReceipts = false
    package var pseudonymKey: String?
    package var deadLetters: DeadLetterSettings?
    package var retentionDays: Int?
    package var reportFolder: String?
    package var reports: [ReportOrder] = []
    package var dashboard: String?
    package var alarms = Alarms()
    /// A file for node_exporter's textfile collector.
    package var metrics: String?

    package init() {}

    /// Reads a pipeline file, and checks all that can be checked without the
    /// archives and the database.
    ///
    /// - Parameter environment: the values of `${NAME}`.
    /// - Throws: ``MillError`` with line and key of the first fault.
    package init(path: String, environment: [String: String]) throws(MillError) {
        self = try ConfigurationFile(path: path, environment: environment).read(as: Pipeline.self)
        file = path
    }

    /// Where the metrics go that a pipeline file names which makes no sense otherwise; nil where it
    /// can't be told.
    package static func metrics(of path: String, environment: [String: String]) -> String? {
        ConfigurationFile(path: path, environment: environment).path(of: "metrics")
    }
}

extension Pipeline: Section {
    static var keys: [Key<Pipeline>] {
        [
            Key(
                "database", \.database, .file("a path"), isRequired: true,
                "SQLite database, which receiptmill init makes. One that is missing, empty, or another than the last "
                    + "run's, is an error."),
            Key("create", \.createsDatabase, .flag, "Make the database where there has been none."),
            Key(
                "archives", \.archives, .filledList("archives, each with the key path", of: .section), isRequired: true,
                "What to load. An archive is known by its content: one that was loaded before is passed over."),
            Key("lines", \.lines, .section, "Keys of the archives' JSON objects; of several, the first found wins."),
            Key("trust", \.trust, .section, "What chains of certificates must lead to."),
            Key(
                "environments", \.environments, .list("environments", of: .text("an environment, such as Production")),
                "Environments that are expected; trusted receipts of others, new in a run, raise an alarm."),
            Key(
                "apps", \.apps, .list("apps, each with the key bundle", of: .section),
                "Apps of yours. Once one is named, receipts of others are unexpected."),
            Key(
                "signals", \.signals, .optional(.section),
                "Thresholds of fraud signals. They replace all that the database holds; without this key those stay."),
            Key(
                "fraud", \.fraud, .optional(.section),
                "What makes no case of fraud. Without this key what the database holds stays."),
            Key(
                "time_zone", \.timeZone, .optional(.zone),
                "Zone by which days, weeks and months are told, by its IANA name. Without this key what the database holds "
                    + "stays, at first UTC."),
            Key(
                "prices", \.prices, .optional(.path("a price list (CSV)")),
                "What products cost: CSV with product_id, currency, price, and if need be introductory_price and "
                    + "valid_from. It replaces the list that the database holds; without this key that stays."),
            Key(
                "jobs", \.jobs, .optional(.number(1...1024, "workers")),
                "Workers that verify at the same time; as many as there are cores where absent."),
            Key("limits", \.limits, .section, "Bounds on what an archive may hold."),
            Key(
                "keep_receipts", \.keepsReceipts, .flag,
                "Store new receipts whole, so that receiptmill regrade can verify them again, as where an anchor was "
                    + "wrong. Takes about 2.2 bytes for each byte of gzip."),
            Key(
                "pseudonym_key", \.pseudonymKey, .optional(.path("a key file")),
                "Store names in the place of device and account identifiers, made with this key after the device "
                    + "check. A database keeps to the key of its first load."),
            Key(
                "dead_letters", \.deadLetters, .optional(.section),
                "Keep rejected lines in the database, and write those whose rejection is open to a file after the load. "
                    + "Not with pseudonym_key."),
            Key(
                "retention_days", \.retentionDays, .optional(.number(1...100_000, "days")),
                "Submissions older than this go after the load, but the first and the last of each receipt, device "
                    + "and account: purchases, owners and what is first and last seen stay."),
            Key(
                "report_folder", \.reportFolder, .optional(.path("a folder")),
                "A folder of reports of your own, which go before those built in."),
            Key(
                "reports", \.reports, .list("reports, each with the keys name and output", of: .section),
                "Reports that are written after the load."),
            Key(
                "dashboard", \.dashboard, .optional(.path("a path", of: .dashboard)),
                "Key figures and charts as one page, written after the load and replaced as a whole."),
            Key("alarms", \.alarms, .section, "What ends the run with a message and an exit status other than 0."),
            Key(
                "metrics", \.metrics, .optional(.path("a path", of: .metrics)),
                "What the run did, for Prometheus: a file for node_exporter's textfile collector."),
        ]
    }

    func check(_ written: WrittenSection) throws(MillError) {
        try checkMoves(written)
        try checkReferences(written)
        try checkEnvironments(written)
        if deadLetters != nil, pseudonymKey != nil {
            throw written.fault(
                "dead_letters", "keeps devices and accounts as they are, which pseudonym_key is to hide",
                hint: "remove one of the two")
        }
        let bundles = apps.map(\.bundle)
        if let twice = bundles.first(where: { bundle in bundles.count { $0 == bundle } > 1 }) {
            throw written.fault("apps", "\(twice) is named twice")
        }
        try checkFiles(written)
        for (index, report) in reports.enumerated() {
            try check(report.name, report.parameters, at: ["reports", .index(index)], written)
        }
        for (index, alarm) in alarms.reportsWithoutRows.enumerated() {
            try check(alarm.name, alarm.parameters, at: ["alarms", "no_rows", .index(index)], written)
        }
    }

    /// Refuses a report that does not exist, and parameters that are not its own.
    private func check(
        _ name: String, _ parameters: [Setting], at way: [ConfigurationStep], _ written: WrittenSection
    ) throws(MillError) {
        let report = try written.checking(way + ["name"]) { try catalog().report(named: name) }
        for parameter in parameters {
            let way = way + ["parameters", .key(parameter.name)]
            let value = try written.checking(way) {
                try ReportRun.value(of: parameter.text, for: parameter.name, in: report)
            }
            guard report.parameters.contains(where: { $0.name == parameter.name && $0.kind == .environments })
            else { continue }
            try checkEnvironments(of: value, at: way, written)
        }
        // A missing parameter has no line of its own.
        _ = try written.checking(way + ["parameters"]) { try run(of: name, parameters) }
    }

    /// - Throws: ``MillError`` for what is no anchor.
    package func anchors() throws(MillError) -> TrustAnchors {
        var anchors = try TrustAnchors(arguments: trust.anchors)
        anchors.formUnion(try TrustAnchors.withoutMarkers(arguments: trust.anchorsWithoutMarkers))
        return anchors
    }

    /// A report with its parameters read and checked.
    ///
    /// - Parameter today: days since 1970, from which relative days and months count: those of
    ///   the run, not of the file's reading.
    package func run(
        of report: String, _ parameters: [Setting], today: Int64? = nil
    ) throws -> ReportRun {
        var run = try ReportRun(
            try catalog().report(named: report), settings: parameters.map { ($0.name, $0.text) }, today: today)
        run.takesAnyEnvironment = true
        return run
    }

    /// The reports that can be named.
    package func catalog() throws -> ReportCatalog {
        try reportFolder.map(ReportCatalog.init(folder:)) ?? ReportCatalog()
    }
}

extension Kind where Value == LocalCalendar {
    /// The IANA name of a time zone.
    fileprivate static var zone: Kind {
        let text = Kind<String>.text("a time zone such as America/Los_Angeles")
        return Kind(
            expected: text.expected,
            read: { (node) throws(MillError) in
                let name = try text.read(node)
                do throws(MillError) {
                    return try LocalCalendar(zone: name)
                } catch {
                    throw node.fault(error.what, hint: error.hint)
                }
            }, written: { $0.zone })
    }
}
