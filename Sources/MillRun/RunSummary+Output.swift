internal import Foundation
internal import MillDatabase
internal import MillJSON
package import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse
internal import StoreLoading

extension RunSummary {
    /// The results of a load as one JSON object on one line.
    package var json: String { JSONText.object(loadMembers) }

    /// The results of a pipeline file's run as one JSON object on one line.
    package var nightJSON: String {
        let alarms = alarms.map {
            JSONText.object([("cause", JSONText.quoted($0.cause.rawValue)), ("what", JSONText.quoted($0.message))])
        }
        return JSONText.object(
            [("outcome", JSONText.quoted(outcome.rawValue)), ("exit_status", "\(exitStatus?.rawValue ?? 0)")]
                + loadMembers + [
                    ("submissions_pruned", "\(expiredSubmissions)"), ("archives_moved", "\(movedArchives)"),
                    ("archives_deleted", "\(deletedArchives)"), ("archives_kept", "\(keptArchives)"),
                    ("store_files", "\(reportFiles.files)"), ("store_files_known", "\(reportFiles.known)"),
                    ("store_rows", "\(reportFiles.rows)"), ("store_rows_rejected", "\(reportFiles.rejected)"),
                    ("reports", "\(reports)"), ("failures", "\(failures.count)"),
                    ("alarms", "[\(alarms.joined(separator: ","))]"),
                ])
    }

    private var loadMembers: [(name: String, value: String)] {
        func object(_ counts: [(String, Int)]) -> String { JSONText.object(counts.map { ($0, "\($1)") }) }
        var members = [
            ("archives", "\(archives)"), ("archives_known", "\(knownArchives)"),
            ("archives_repeated", "\(repeatedArchives)"), ("lines", "\(counts.lines)"),
            ("submissions", "\(counts.submissions)"), ("receipts_new", "\(counts.newReceipts)"),
            ("receipts_known", "\(counts.knownReceipts)"), ("purchases_new", "\(counts.newPurchases)"),
            ("rejected", object(Self.named(counts.rejected))),
            ("of_other_stores", object(Self.named(counts.ofOtherStores))),
            ("lines_with_two_accounts", "\(counts.linesWithTwoAccounts)"),
            ("lines_read_in_part", "\(counts.linesReadInPart)"),
            ("documents_rejected", "\(counts.rejectedDocuments)"), ("rejections_not_kept", "\(rejectionsNotKept)"),
            ("dead_letters", "\(deadLetters ?? 0)"), ("corrections_applied", "\(counts.correctionsApplied)"),
            ("corrections_passed_over", "\(correctionsPassedOver)"), ("corrections_refused", "\(correctionsRefused)"),
            ("corrections_unreadable", "\(correctionsUnreadable)"), ("verdicts", object(Self.named(counts.verdicts))),
        ]
        if let openRejections {
            members.append(("rejections_open", "\(openRejections.count)"))
            members.append(("rejections_open_not_kept", "\(openRejections.notKept)"))
        }
        members.append(("seconds", String(format: "%.3f", seconds)))
        members.append(("refresh_seconds", String(format: "%.3f", models?.seconds ?? 0)))
        if let next { members.append(("next", "[\(next.map(JSONText.quoted).joined(separator: ","))]")) }
        return members
    }

    /// The results in a few lines of text.
    package var text: String {
        let known = knownArchives == 0 ? "" : ", \(knownArchives) loaded before"
        var rows = [
            ("archives", "\(archives)\(known)"), ("lines", "\(counts.lines)"),
            ("receipts", "\(counts.newReceipts) new, \(counts.knownReceipts) known"),
        ]
        rows += Self.named(counts.verdicts).map { ("  \($0)", "\($1)") }
        rows.append(("purchases", "\(counts.newPurchases) new"))
        rows.append(("rejected", "\(counts.rejectedLines)\(rejectedInPart)"))
        rows += Self.named(counts.rejected).map { ("  \($0)", "\($1)") }
        if !counts.ofOtherStores.isEmpty {
            rows.append(("of other stores", "\(counts.ofOtherStores.values.reduce(0, +))"))
            rows += Self.named(counts.ofOtherStores).map { ("  \($0)", "\($1)") }
        }
        if counts.linesWithTwoAccounts > 0 {
            let lines = counts.linesWithTwoAccounts
            rows.append(
                (
                    "two accounts",
                    (lines == 1 ? "1 line states" : "\(lines) lines state")
                        + " two; --account-key names the one that counts"
                ))
        }
        // Notifications, which have parts, never name an owner.
        if counts.submissionsOfNobody > 0, counts.submissionsOfOwners == 0, counts.parts == 0 {
            let keys = "--account-key and --device-key name the keys of lines that do"
            rows.append(("owners", "no line names an account or a device, as in answers of the store; \(keys)"))
        }
        let corrections = [
            (counts.correctionsApplied, "applied"), (correctionsPassedOver, "passed over"),
            (correctionsRefused, "refused"), (correctionsUnreadable, "unchanged and still unreadable"),
        ]
        if corrections.contains(where: { $0.0 > 0 }) {
            rows.append(("corrections", corrections.map { "\($0.0) \($0.1)" }.joined(separator: ", ")))
        }
        if let openRejections {
            let lost = openRejections.notKept
            let hint = lost > 0 ? ", \(lost) of them not kept: name their archives to read them" : ", all of them kept"
            rows.append(("still rejected", "\(openRejections.count)" + hint))
        }
        if let deadLetters {
            rows.append(("dead letters", "\(deadLetters), \(rejectionsNotKept) rejected lines not kept"))
        }
        let rate = seconds > 0 ? Double(counts.lines) / seconds : 0
        rows.append(("seconds", String(format: "%.2f (%.0f lines per second)", seconds, rate)))
        if let models { rows.append(("models", models.summary)) }
        let width = rows.map(\.0.count).max() ?? 0
        let counts = rows.map { $0.0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.1 + "\n" }
        return counts.joined() + nightText + (next.map { "next: \(ShellWords.line($0))\n" } ?? "")
    }

    /// Counts of disposals, reports and alarms, which only the run of a pipeline file has.
    private var nightText: String {
        [
            ("archives moved or deleted", movedArchives + deletedArchives),
            ("archives not deleted for their rejected lines", keptArchives),
            ("report files of the store loaded", reportFiles.files), ("rows of them", reportFiles.rows),
            ("rows of them rejected", reportFiles.rejected),
            ("submissions removed for their age", expiredSubmissions), ("reports written", reports),
            ("alarms", alarms.count),
        ].filter { $0.1 > 0 }.map { "\($0.0): \($0.1)\n" }.joined()
    }

    /// A text on unreadable documents in lines whose other documents were read.
    private var rejectedInPart: String {
        let (documents, lines) = (counts.documentsRejectedInPart, counts.linesReadInPart)
        guard documents > 0 else { return "" }
        return ", and \(documents) \(documents == 1 ? "document" : "documents") of "
            + "\(lines) \(lines == 1 ? "line" : "lines") read in part"
    }

    /// Counts by name, in the order of the cases.
    private static func named<Key: CaseIterable & Hashable & RawRepresentable<String>>(
        _ counts: [Key: Int]
    ) -> [(String, Int)] {
        Key.allCases.compactMap { key in counts[key].map { (key.rawValue, $0) } }
    }
}

extension Stage {
    /// CPU time by stage, one line for each stage.
    package static func costs(_ cpuSeconds: [Stage: Double], lines: Int) -> String {
        let total = cpuSeconds.values.reduce(0, +)
        return allCases.compactMap { stage in
            cpuSeconds[stage].map { seconds in
                let perLine = lines == 0 ? 0 : seconds / Double(lines) * 1e6
                let share = total == 0 ? 0 : seconds / total * 100
                let name = stage.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
                return String(format: "%@%6.2f CPU s  %4.1f %%  %6.2f us per line\n", name, seconds, share, perLine)
            }
        }.joined()
    }
}

extension MillError {
    /// If a failure ended the run, programs read this JSON object, on one line, instead of a summary. The view `runs`
    /// has the counts of lines that were loaded before the failure.
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
