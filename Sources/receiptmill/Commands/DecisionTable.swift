internal import DatabaseCare
internal import Foundation
internal import MillDatabase

/// Decisions on fraud cases in a CSV file, as a spreadsheet writes the file.
struct DecisionTable {
    /// The name of the person who decided, for rows without a name.
    let decidedBy: String

    private static let form = ListForm(
        option: "--file", noun: "decision", required: ["subject_kind", "subject", "decision"],
        optional: ["note", "decided_by", "decided_at", "subject_key"], example: "account,4711,innocent")

    /// The contents of a table.
    struct Contents {
        var decisions: [Decision] = []
        /// The lines on which the decisions are.
        var lines: [Int] = []
        /// The number of rows without a decision.
        var undecided = 0
        /// The number of rows that repeat the decision that is in force.
        var standing = 0
    }

    /// - Parameter standing: earlier decisions, oldest first. A row that repeats the decision in force is skipped, and
    ///   so is a row without a decision.
    func contents(ofFile path: String, standing: [Decision]) throws -> Contents {
        let last = Dictionary(standing.map { (Self.key($0), $0) }) { $1 }
        let rows = try Self.form.entries(ofFile: path) { line in
            guard let decision = try decision(of: line) else {
                return ((line.number, Decision?.none), ["\(line.number)"], "")
            }
            let key = Self.key(decision) + [decision.verdict.rawValue, line["decided_at"]]
            return ((line.number, decision), key, "\(decision.subject) is decided")
        }
        var contents = Contents()
        for (line, decision) in rows {
            guard let decision else {
                contents.undecided += 1
                continue
            }
            let former = last[Self.key(decision)]
            guard decision.decidedAt != nil || former?.verdict != decision.verdict || former?.note != decision.note
            else {
                contents.standing += 1
                continue
            }
            contents.decisions.append(decision)
            contents.lines.append(line)
        }
        return contents
    }

    private static func key(_ decision: Decision) -> [String] {
        [decision.kind.rawValue, SubjectKey.text(of: decision.subject)]
    }

    private func decision(of line: ListForm.Line) throws -> Decision? {
        let word = line["decision"].lowercased()
        guard !word.isEmpty else { return nil }
        guard let verdict = Decision.Judgement(rawValue: word) else {
            throw line.fault("the decision '\(word)' is not confirmed, innocent, watching or undone")
        }
        guard let kind = Decision.SubjectKind(rawValue: line["subject_kind"]) else {
            throw line.fault("subject_kind '\(line["subject_kind"])' is not account, device, installation or receipt")
        }
        let subject: String
        if line["subject_key"].isEmpty {
            subject = Self.exact(line["subject"])
        } else if let name = SubjectKey.subject(line["subject_key"]) {
            subject = name
        } else {
            throw line.fault("subject_key '\(line["subject_key"])' is not x followed by hexadecimal digits")
        }
        guard !subject.isEmpty else { throw line.fault("the subject is empty") }
        let (note, name) = (Self.exact(line["note"]), Self.exact(line["decided_by"]))
        var decision = Decision(
            verdict, of: subject, kind, note: note.isEmpty ? nil : note, decidedBy: name.isEmpty ? decidedBy : name)
        if !line["decided_at"].isEmpty {
            guard let time = ISO8601DateFormatter().date(from: line["decided_at"]) else {
                throw line.fault("decided_at '\(line["decided_at"])' is no time such as 2024-02-29T12:00:00Z")
            }
            decision.decidedAt = time
        }
        return decision
    }

    /// The text without the apostrophe that reports put before a text so that spreadsheets don't evaluate it.
    private static func exact(_ text: String) -> String {
        guard text.first == "'", let second = text.dropFirst().first, "=+-@\t\r".contains(second) else { return text }
        return String(text.dropFirst())
    }
}
