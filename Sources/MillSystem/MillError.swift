/// Why a stage could not do its work, told so that a person can act on it.
///
/// This is for what stops a run. What is wrong with one line of an archive is a
/// value and becomes a row, never a `MillError`.
public struct MillError: Error, Sendable, Hashable {
    /// The stage that failed.
    public var stage: Stage
    /// The file that the failure is about.
    public var path: String?
    /// The line of that file, counted from 1.
    public var line: Int?
    /// What is wrong, as a phrase without a full stop.
    public var what: String
    /// What to do about it.
    public var hint: String?
    /// What the process ends with if nobody handles the error.
    public var exitStatus: ExitStatus

    public init(
        stage: Stage, path: String? = nil, line: Int? = nil, what: String, hint: String? = nil,
        exitStatus: ExitStatus
    ) {
        self.stage = stage
        self.path = path
        self.line = line
        self.what = what
        self.hint = hint
        self.exitStatus = exitStatus
    }
}

extension MillError: CustomStringConvertible {
    /// `path:line: what`, then `hint: …` on a line of its own; what is unknown
    /// is left out. The stage is for summaries and logs, not for this text.
    public var description: String {
        var text = ""
        if let path {
            text += path
            if let line { text += ":\(line)" }
            text += ": "
        } else if let line {
            text += "line \(line): "
        }
        text += what
        if let hint { text += "\nhint: \(hint)" }
        return text
    }
}
