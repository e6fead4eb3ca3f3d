internal import Foundation
internal import GRDB
internal import MillConfiguration
internal import MillDatabase
package import MillSystem
package import ReceiptWarehouse

/// Records answers that were sent to Apple, from lines as ``ConsumptionAnswer`` writes them.
package struct SentAnswers {
    private struct Line: Decodable {
        struct Body: Decodable {
            let deliveryStatus: String
            let consumptionPercentage: Int64?
            let refundPreference: String?
        }

        let environment: String
        let transaction: String
        let requestedAt, answeredAt, formerAnswerAt: String?
        let body: Body

        private enum CodingKeys: String, CodingKey {
            case environment, body
            case transaction = "transaction_id"
            case requestedAt = "requested_at"
            case answeredAt = "answered_at"
            case formerAnswerAt = "former_answer_at"
        }
    }

    /// A line with its times in milliseconds since 1970.
    private struct Answer {
        let line: Line
        /// The time when the answer was sent, if the user's program has added it to the line.
        let answeredAt: Int64?
        /// A recorded answer from this time on is this very answer; an earlier one was already known when the line was
        /// written.
        let unansweredFrom: Int64?
    }

    private let warehouse: Warehouse

    package init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// Records the answers of a file, in one transaction. A line is skipped if its request already has an answer other
    /// than the former one that the line states, or if the database does not have its transaction.
    ///
    /// - Parameter now: the time of sending for lines that state none, in milliseconds since 1970.
    /// - Throws: ``MillError`` with the first line that is not an answer; then nothing is changed.
    package func record(linesOf text: String, from path: String, now: Int64) throws(MillError) -> SentSummary {
        let answers = try Self.answers(text, path)
        return try warehouse.access { db in
            var summary = SentSummary()
            try db.inTransaction(.immediate) {
                for answer in answers { try Self.record(answer, now: now, into: &summary, db) }
                return .commit
            }
            return summary
        }
    }

    private static func record(_ answer: Answer, now: Int64, into summary: inout SentSummary, _ db: Database) throws {
        let (environment, body) = (answer.line.environment, answer.line.body)
        // Apple's identifiers are numbers; others are stored as texts, as for purchases.
        let name = answer.line.transaction
        let number = Int64(name).flatMap { String($0) == name && $0 >= 0 ? $0 : nil }
        let transaction = number.map { $0.databaseValue } ?? name.databaseValue
        let isKnown = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM purchase JOIN app USING (app_id) WHERE transaction_id = ? AND environment = ?)
                """, arguments: [transaction, environment])
        guard isKnown == true else {
            summary.unknown += 1
            return
        }
        if answer.answeredAt == nil, let unansweredFrom = answer.unansweredFrom {
            let isAnswered = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM consumption_answer
                        WHERE environment = ? AND transaction_id = ? AND answered_at >= ?)
                    """, arguments: [environment, transaction, unansweredFrom])
            guard isAnswered == false else { return summary.known += 1 }
        }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO consumption_answer (
                    environment, transaction_id, answered_at, delivery_status, consumption_percentage, refund_preference)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                environment, transaction, answer.answeredAt ?? now, body.deliveryStatus, body.consumptionPercentage,
                body.refundPreference,
            ])
        if db.changesCount > 0 { summary.recorded += 1 } else { summary.known += 1 }
    }

    private static func answers(_ text: String, _ path: String) throws(MillError) -> [Answer] {
        var answers: [Answer] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy(\.isWhitespace) {
            do {
                answers.append(try answer(line))
            } catch {
                throw MillError(
                    stage: .loading, path: path, line: index + 1, what: "is no answer: \(words(error))",
                    hint: "give the lines that receiptmill consumption-answers wrote and you sent; nothing is changed",
                    exitStatus: .badData)
            }
        }
        return answers
    }

    private struct Fault: Error { let what: String }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let fault as Fault: fault.what
        case DecodingError.keyNotFound(let key, _): "there is no \(key.stringValue)"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of another type"
        default: "it is not JSON"
        }
    }

    private static func answer(_ text: Substring) throws -> Answer {
        let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        let body = line.body
        guard DeliveryStatus(rawValue: body.deliveryStatus) != nil else {
            throw Fault(what: "the store has no deliveryStatus \(body.deliveryStatus)")
        }
        guard body.refundPreference.map({ RefundPreference(rawValue: $0) != nil }) ?? true else {
            throw Fault(what: "the store has no refundPreference \(body.refundPreference ?? "")")
        }
        guard (0...100_000).contains(body.consumptionPercentage ?? 0) else {
            throw Fault(what: "consumptionPercentage is not from 0 to 100000")
        }
        guard !line.transaction.isEmpty else { throw Fault(what: "transaction_id is empty") }
        let requestedAt = try time(line.requestedAt, "requested_at")
        // Times in lines are in whole seconds, and the former answer may have been recorded within that second.
        let behindFormer = try time(line.formerAnswerAt, "former_answer_at").map { $0 + 1000 }
        return Answer(
            line: line, answeredAt: try time(line.answeredAt, "answered_at"),
            unansweredFrom: [requestedAt, behindFormer].compactMap(\.self).max())
    }

    private static func time(_ text: String?, _ name: String) throws -> Int64? {
        guard let text else { return nil }
        guard let time = AnswerTime.milliseconds(text) else {
            throw Fault(what: "\(name) '\(text)' is no time such as 2026-02-28T12:00:00Z")
        }
        return time
    }
}

/// The outcome of recording answers.
package struct SentSummary: Sendable, Hashable {
    package fileprivate(set) var recorded = 0
    package fileprivate(set) var known = 0
    /// The number of answers about transactions that the database does not have: from another database, or of an erased
    /// person.
    package fileprivate(set) var unknown = 0
}

/// Times in the format of the command and its lines.
package enum AnswerTime {
    /// A time in ISO 8601, with or without a fraction of a second, in milliseconds since 1970; nil for any other text.
    package static func milliseconds(_ text: String) -> Int64? {
        let formatter = ISO8601DateFormatter()
        for options in [
            ISO8601DateFormatter.Options.withInternetDateTime, [.withInternetDateTime, .withFractionalSeconds],
        ] {
            formatter.formatOptions = options
            if let date = formatter.date(from: text) { return Int64((date.timeIntervalSince1970 * 1000).rounded()) }
        }
        return nil
    }
}
