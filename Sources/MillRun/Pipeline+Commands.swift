internal import MillConfiguration
internal import MillSystem

/// Commands for a person, that do what a pipeline file says.
extension Pipeline {
    /// What loads a mended rejects file under the night's trust, keys and limits. With
    /// `--again`: it may have been loaded before, under others.
    func commandLoading(_ path: String) -> String {
        var words = ["ingest", path, "--again", "--database", database]
        func add(_ option: String, _ values: [String], unless usual: [String] = []) {
            if values != usual { words += values.flatMap { [option, $0] } }
        }
        add("--trust", trust.anchors, unless: TrustSection().anchors)
        add("--trust-without-markers", trust.anchorsWithoutMarkers)
        add("--intermediate", trust.intermediates)
        add("--receipt-key", lines.receipt, unless: LineKeys().receipt)
        add("--device-key", lines.device, unless: LineKeys().device)
        add("--account-key", lines.account, unless: LineKeys().account)
        add("--time-key", lines.time, unless: LineKeys().time)
        add("--max-line", ["\(limits.lineBytes)"], unless: ["\(Limits().lineBytes)"])
        add("--max-receipt", ["\(limits.receiptBytes)"], unless: ["\(Limits().receiptBytes)"])
        add("--max-inflation", ["\(limits.inflation)"], unless: ["\(Limits().inflation)"])
        if keepsReceipts { words.append("--keep-receipts") }
        return Self.command(words)
    }

    /// What runs a report by hand.
    func commandRunning(_ report: String, _ parameters: [Setting]) -> String {
        Self.command(
            ["report", report, "--database", database] + (reportFolder.map { ["--sql", $0] } ?? [])
                + parameters.flatMap { ["--param", "\($0.name)=\($0.text)"] })
    }

    private static func command(_ words: [String]) -> String {
        (["receiptmill"] + words.map(quoted)).joined(separator: " ")
    }

    /// A word as sh(1) takes it whole.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "-_./:=,+@%".utf8.contains($0)
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
