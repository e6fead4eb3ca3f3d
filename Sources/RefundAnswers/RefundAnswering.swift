internal import Foundation
internal import GRDB
package import MillConfiguration
internal import MillSystem
package import ReceiptTrust

/// Computes the answers to open refund requests. Nothing is written, and nothing is sent.
package struct RefundAnswering {
    package let database: String
    package let policy: RefundPolicy
    /// The path of the list of customers who consented.
    package let consents: String
    /// The pseudonym key; nil if the database has identifiers in clear, or the list contains pseudonyms.
    package var pseudonyms: Pseudonyms?
    /// The time from which the remaining hours are counted, in milliseconds since 1970.
    package var now = Int64(Date().timeIntervalSince1970 * 1000)
    /// Whether requests that are too old or were answered before are answered, too.
    package var answersAll = false

    /// How many hours Apple waits for an answer after the request. ``Unanswered/late`` names the number, too.
    static let hours: Int64 = 12

    package init(database: String, policy: RefundPolicy, consents: String) {
        (self.database, self.policy, self.consents) = (database, policy, consents)
    }

    /// - Throws: ``MillError`` if an input can't be read, or if the key is not the database's.
    package func run() throws -> ConsumptionSummary {
        let list = try ConsentList(path: consents, pseudonyms: pseudonyms)
        let open = try OpenRequests(database: database, check: checkKey)
        var summary = ConsumptionSummary(staleSince: open.staleSince, unanswered: [.nameless: open.nameless])
        for request in open.requests {
            do throws(Unanswered) {
                summary.answers.append(try answer(to: request, consents: list))
            } catch {
                summary.unanswered[error, default: 0] += 1
            }
        }
        return summary
    }

    private func answer(to request: RefundRequest, consents: ConsentList) throws(Unanswered) -> ConsumptionAnswer {
        let timeLeft = Self.hours * 3_600_000 - max(0, now - request.requestedAt)
        if !answersAll, request.answeredAt != nil { throw .answered }
        if !answersAll, timeLeft <= 0 { throw .late }
        if request.isShared { throw .shared }
        if request.isCommerce { throw .commerce }
        try consents.check(request)
        guard let rule = PolicyJudge(policy: policy).rule(for: request) else { throw .withoutRule }
        guard let answer = rule.answer else { throw .leftOpen }
        return ConsumptionAnswer(request: request, rule: rule.name, answer: answer, timeLeft: timeLeft)
    }

    /// Refuses a key that is not the database's, with which no name would be found.
    private func checkKey(_ db: Database) throws {
        guard let pseudonyms else { return }
        let fingerprint = try MillError.wrapping(at: .reporting) { () throws(OpenSSLError) in
            try pseudonyms.fingerprint()
        }
        let stored = try Data.fetchOne(db, sql: "SELECT fingerprint FROM pseudonym_key")
        guard stored != Data(fingerprint) else { return }
        throw MillError(
            stage: .reporting, path: database,
            what: stored == nil
                ? "the database holds devices and accounts as they are"
                : "the database names devices and accounts by another key",
            hint: "give the key file that it is loaded with, or none where it has none", exitStatus: .configuration)
    }
}

/// Why an open request gets no answer, in words that follow the number of such requests.
enum Unanswered: String, Error, CaseIterable {
    case withoutConsent = "without the customer's consent"
    case contested = "about a purchase that several accounts hold, for a person to decide"
    case unproven = "of an account that consented, but that neither device nor app transaction proves to be the holder"
    case withoutRule = "that no rule of the policy fits"
    case leftOpen = "that a rule leaves open, for a person to decide"
    /// Too old for Apple to wait for an answer; see ``RefundAnswering/hours``.
    case late = "older than 12 hours (--all shows them)"
    case answered = "answered before (--all shows them)"
    case shared = "about a share of somebody else's purchase, of which the store takes no answer"
    case commerce = "of the Advanced Commerce API, which the first version of the endpoint answers"
    case nameless = "without a transaction that is trusted"
}

/// The answers, and counts of requests that get none.
package struct ConsumptionSummary {
    /// The request that has waited longest is first.
    package fileprivate(set) var answers: [ConsumptionAnswer] = []
    /// The time of the models if rows have changed since then; otherwise nil.
    package let staleSince: Int64?
    fileprivate var unanswered: [Unanswered: Int]

    fileprivate init(staleSince: Int64?, unanswered: [Unanswered: Int]) {
        (self.staleSince, self.unanswered) = (staleSince, unanswered)
    }

    /// The counts that are not zero, in words.
    package var remarks: [String] {
        Unanswered.allCases.compactMap { reason in
            guard let count = unanswered[reason], count > 0 else { return nil }
            return "\(count) open \(count == 1 ? "request" : "requests") \(reason.rawValue)"
        }
    }
}
