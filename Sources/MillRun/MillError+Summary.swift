internal import MillJSON
internal import MillSystem
internal import ReceiptWarehouse

extension MillError {
    /// What a machine reads in the place of a summary where a failure ended the run:
    /// one JSON object on one line. What was loaded before stands in the view `runs`.
    package var summaryJSON: String {
        var members = [("code", JSONText.quoted(code.rawValue)), ("stage", JSONText.quoted(stage.rawValue))]
        if let path { members.append(("path", JSONText.quoted(path))) }
        if let line { members.append(("line", "\(line)")) }
        members.append(("what", JSONText.quoted(what)))
        if let hint { members.append(("hint", JSONText.quoted(hint))) }
        return JSONText.object([
            ("outcome", JSONText.quoted(RunOutcome.failed.rawValue)), ("exit_status", "\(exitStatus.rawValue)"),
            ("failures", "1"), ("error", JSONText.object(members)),
        ])
    }
}
