internal import MillConfiguration
internal import MillSystem

/// Commands for a person, that do what a pipeline file says.
extension Pipeline {
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
