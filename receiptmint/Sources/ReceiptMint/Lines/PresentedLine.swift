/// A line of an archive before it is written: what some device, account or server presented, and what was planted on
/// the way.
protocol PresentedLine: Sendable, Changeable {
    associatedtype Kind: RawRepresentable<String>

    /// As it was when the line was made; a line without context shows none of it.
    var presenter: Presenter { get }
    /// Decides the line's place in the archives.
    var at: CalendarTime { get }
    /// Whether the line states when it came in.
    var statesTime: Bool { get }
    var form: LineForm { get }
    var defect: Kind? { get set }
    /// Of what was copied, whether who presents it has a right to it.
    var role: PlantedRole? { get }

    /// What the truth calls the way in which the line is written down.
    var formName: String { get }
    /// What the line is planted for, of what the store signs since 2026.
    var feature: Feature2026? { get }
    /// Why nothing of the line can be loaded, where nothing can.
    var rejection: String? { get }
    /// Each document that can be loaded, once.
    var presented: [PresentedDocument] { get }
    /// Of a line that can be loaded in part: each document that can't, by its number in the line.
    var unreadable: [(number: Int, reason: String)] { get }
}

/// Who presents a line: neither account nor device where the store's server called, not an app.
struct Presenter: Sendable {
    var accountID: String?
    var deviceID: String?
    var deviceVerificationID: String?
}

/// What holds of a document as one line presents it.
struct PresentedDocument {
    let sha256: String
    /// Nil of receipts.
    let kind: String?
    let verdict: PlantedVerdict
    let check: PlantedCheck
    /// Of receipts and app transactions: what they say of the app's owner.
    let ownership: Ownership?

    struct Ownership {
        let environment, bundleID: String
        /// Whether the app still had a price when the owner got it.
        let isPaidEra: Bool
    }

    var truth: JSONText {
        ["device_check": check.rawValue, "kind": kind, "receipt_sha256": sha256, "verdict": verdict.rawValue]
    }
}

extension PresentedLine {
    /// Who presents the line, as the line shows it.
    var shown: Presenter { form.hasContext ? presenter : Presenter() }
    /// When the archive says that it was submitted.
    var statedAt: CalendarTime? { form.hasContext && statesTime ? at : nil }

    /// A line of `truth-lines.jsonl`: one for each line of the archives.
    ///
    /// - Parameter number: counted from 1.
    func truth(archive: String, number: Int) -> JSONText {
        let line: JSONText = [
            "archive": archive, "line": number, "form": formName, "defect": defect?.rawValue,
            "feature": feature?.rawValue, "rejection": rejection,
        ]
        let documents = presented
        guard let first = documents.first else { return line }
        let others = unreadable.map { unreadable -> JSONText in
            ["document": unreadable.number, "reason": unreadable.reason]
        }
        let context: JSONText = [
            "documents": documents.count > 1 ? documents.map(\.truth) : nil,
            "unreadable": others.isEmpty ? nil : others, "role": role?.rawValue, "device_id": shown.deviceID,
            "account_id": shown.accountID, "submitted_at": statedAt?.wholeSeconds,
        ]
        return JSONText(joining: line, first.truth, context)
    }
}

extension Array where Element: PresentedLine {
    func marked(_ defect: Element.Kind) -> [Element] { map { $0.with { $0.defect = defect } } }
}
