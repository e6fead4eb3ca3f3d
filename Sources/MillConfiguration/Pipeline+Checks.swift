package import MillDatabase
package import MillSystem
internal import ReceiptReports
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReportHeaders

/// Checks of keys that depend on each other, and of the files that a pipeline file names.
extension Pipeline {
    func check(_ written: ConfigurationNode) throws(MillError) {
        try checkMoves(written)
        try checkReferences(written)
        for (index, name) in environments.enumerated() {
            try checkEnvironment(name, written["environments"][index])
        }
        if deadLetters != nil, pseudonymKey != nil {
            throw written["dead_letters"].fault(
                "keeps devices and accounts as they are, which pseudonym_key is to hide", hint: "remove one of the two")
        }
        if let twice = AppSetting.contradiction(in: apps) {
            throw written["apps"].fault(
                "\(twice) is named twice", hint: "name each platform of an app once, or the app without a platform")
        }
        try checkFiles(written)
        for (index, report) in reports.enumerated() {
            try check(report.name, report.parameters, written["reports"][index])
        }
        for (index, alarm) in alarms.reportsWithoutRows.enumerated() {
            try check(alarm.name, alarm.parameters, written["alarms"]["no_rows"][index])
        }
    }

    /// Refuses folders for moved files if an entry also searches them.
    private func checkMoves(_ written: ConfigurationNode) throws(MillError) {
        let entries =
            archives.enumerated().map { ($1, written["archives"][$0]) }
            + storeReports.enumerated().map { ($1, written["store_reports"][$0]) }
        for (source, written) in entries {
            for (key, folder) in [("move_to", source.destination), ("damaged_to", source.quarantine)] {
                // If another user has put a link there, the run reports it; the pipeline file is not at fault.
                guard let folder, let finder = entries.first(where: { $0.0.looks(into: folder) })?.0,
                    OpenFolder.fault(of: folder) == nil
                else { continue }
                throw written[key].fault(
                    "\(finder.path) looks into this folder: what was moved would be found there and moved again",
                    hint: "name a folder that \(finder.path) does not find, such as one below it")
            }
        }
    }

    /// Refuses files that the pipeline file names and that can't be used: anchors, certificates, pseudonym keys, a
    /// folder of reports.
    private func checkReferences(_ written: ConfigurationNode) throws(MillError) {
        let keys = written["trust"]
        for (index, anchor) in trust.anchors.enumerated() {
            try Self.check(anchor, keys["anchors"][index]) { try TrustAnchors(arguments: [anchor]) }
        }
        for (index, anchor) in trust.anchorsWithoutMarkers.enumerated() {
            try Self.check(anchor, keys["anchors_without_markers"][index]) {
                try TrustAnchors.withoutMarkers(arguments: [anchor])
            }
        }
        for (index, file) in trust.intermediates.enumerated() {
            try keys["intermediates"][index].checking { try CertificatePool(files: [file]) }
        }
        if let pseudonymKey { try written["pseudonym_key"].checking { try Pseudonyms(keyFile: pseudonymKey) } }
        if let prices { try written["prices"].checking { try ListedPrice.list(inFile: prices, named: "prices:") } }
        if rates != nil { try written["rates"].checking { try keptRates() } }
        if currency != nil, rates == nil {
            throw written["currency"].fault("converts nothing without rates", hint: "add the key rates")
        }
        if let rateCard { try written["rate_card"].checking { try RateCard(path: rateCard) } }
        if reportFolder != nil { try written["report_folder"].checking { try catalog() } }
    }

    private static func check(
        _ anchor: String, _ written: ConfigurationNode, _ read: () throws -> TrustAnchors
    ) throws(MillError) {
        try written.checking {
            do {
                return try read()
            } catch var error as MillError where error.exitStatus == .missingInput {
                // A word that is not a file may be a misspelt "apple", the only word that is allowed.
                error.hint =
                    suggestion(for: PathParts.name(of: anchor).lowercased(), among: ["apple"])
                    + "give apple, sha256:HEX or a certificate file (PEM or DER)"
                throw error
            }
        }
    }

    /// Refuses an environment that no receipt has; a misspelt one would raise an alarm every night. A local test
    /// environment may have any name.
    private func checkEnvironment(_ name: String, _ written: ConfigurationNode) throws(MillError) {
        guard trust.anchorsWithoutMarkers.isEmpty, !EnvironmentNames.ofStore.contains(name) else { return }
        throw written.fault(
            "expected one of \(EnvironmentNames.ofStore.joined(separator: ", ")), found '\(name)'",
            hint: EnvironmentNames.nearest(to: name).map { "did you mean \($0)?" })
    }

    /// The exchange rates to be stored in the database; nil if the file names none.
    package func keptRates() throws(MillError) -> DailyRates? {
        guard let rates else { return nil }
        return try RateList(path: rates, named: "rates:").kept(into: currency, named: "currency:")
    }

    /// Refuses outputs that would replace each other or an input file, and archives that are also an output or another
    /// input file.
    private func checkFiles(_ written: ConfigurationNode) throws(MillError) {
        var files = OutputGuard(database: database)
        files.protect(written.file.path, as: "the pipeline file")
        if let pseudonymKey { files.protect(pseudonymKey, as: "the key of the pseudonyms") }
        if let prices { files.protect(prices, as: "the price list") }
        if let rates { files.protect(rates, as: "the list of rates") }
        if let rateCard { files.protect(rateCard, as: "the rate card") }
        for anchor in trust.anchors + trust.anchorsWithoutMarkers where TrustAnchors.isFile(anchor) {
            files.protect(anchor, as: "an anchor")
        }
        for file in trust.intermediates { files.protect(file, as: "a certificate") }
        for file in (try? catalog())?.ownFiles ?? [] { files.protect(file, as: "a report of yours") }
        for (index, source) in archives.enumerated() {
            try written["archives"][index]["path"].checking { try files.protect(source) }
        }
        for (index, source) in storeReports.enumerated() {
            try written["store_reports"][index].checking { try files.protect(reportsOf: source) }
        }
        func claim(_ path: String?, as kind: OutputKind, _ written: ConfigurationNode) throws(MillError) {
            guard let path else { return }
            try written.checking { try files.claim(path, as: kind) }
        }
        for (index, report) in reports.enumerated() {
            try claim(report.output, as: .report, written["reports"][index]["output"])
        }
        try claim(dashboard, as: .dashboard, written["dashboard"])
        try claim(metrics, as: .metrics, written["metrics"])
        try claim(deadLetters?.file, as: .deadLetters, written["dead_letters"]["file"])
    }

    /// Refuses a report that does not exist, and parameters that the report does not have.
    private func check(
        _ name: String, _ parameters: [Setting], _ written: ConfigurationNode
    ) throws(MillError) {
        let report = try written["name"].checking { try catalog().report(named: name) }
        for parameter in parameters {
            let stated = written["parameters"][parameter.name]
            let value = try stated.checking {
                try ReportRun.value(of: parameter.text, for: parameter.name, in: report)
            }
            guard report.parameters.contains(where: { $0.name == parameter.name && $0.kind == .environments }),
                case .text(let names) = value, names != "all"
            else { continue }
            for environment in names.split(separator: ",") { try checkEnvironment(String(environment), stated) }
        }
        // A missing parameter has no line, so its error states the line of the report's parameters.
        try written["parameters"].checking { try run(of: name, parameters) }
    }
}
