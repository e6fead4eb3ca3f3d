internal import DatabaseCare
internal import Foundation
internal import MillDatabase
internal import MillSystem

/// Decisions on fraud cases in a CSV file, as a spreadsheet writes the file.
struct DecisionTable {
    /// The name of the person who decided, for rows without a name.
    let decidedBy: String

    private static let form = ListForm(
        option: "--file", noun: "decision", required: ["subject_kind", "subject", "decision"],
        optional: ["note", "decided_by", "decided_at"], example: "account,4711,innocent")

    /// - Parameter standing: former decisions, in the order of deciding: a row that repeats the present decision is
    ///   passed over, and so is a row without a decision.
    func decisions(ofFile path: String, standing: [Decision]) throws -> [Decision] {
        let last = Dictionary(standing.map { ([$0.kind.rawValue, $0.subject], $0) }) { $1 }
        let rows: [Decision?] = try Self.form.entries(ofFile: path) { line in
            let decision = try decision(of: line)
            let key = [line["subject_kind"], line["subject"], line["decision"], line["decided_at"]]
            guard let decision else { return (nil, key + ["\(line.number)"], "") }
            let former = last[[decision.kind.rawValue, decision.subject]]
            let stands = former?.verdict == decision.verdict && former?.note == decision.note
            return (stands && decision.decidedAt == nil ? nil : decision, key, "\(decision.subject) is decided")
        }
        return rows.compactMap { $0 }
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
        let subject = Self.exact(line["subject"])
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

    /// A text without the apostrophe by which reports keep spreadsheets from running the text.
    private static func exact(_ text: String) -> String {
        guard text.first == "'", let second = text.dropFirst().first, "=+-@\t\r".contains(second) else { return text }
        return String(text.dropFirst())
    }
}
