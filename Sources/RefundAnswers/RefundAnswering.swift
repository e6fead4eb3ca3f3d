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

    /// How many hours Apple waits for an answer after the request.
    static let hours: Int64 = 12

    package init(database: String, policy: RefundPolicy, consents: String) {
        (self.database, self.policy, self.consents) = (database, policy, consents)
    }

    /// - Throws: ``MillError`` if an input can't be read, or if the key is not the database's.
    package func run() throws -> ConsumptionSummary {
        let list = try ConsentList(path: consents, pseudonyms: pseudonyms)
        let open = try OpenRequests(database: database, check: checkKey)
        var summary = ConsumptionSummary()
        (summary.nameless, summary.staleSince) = (open.nameless, open.staleSince)
        let judge = PolicyJudge(policy: policy)
        for request in open.requests {
            let age = max(0, now - request.requestedAt)
            let timeLeft = Self.hours * 3_600_000 - age
            if !answersAll, request.answeredAt != nil {
                summary.answered += 1
            } else if !answersAll, timeLeft <= 0 {
                summary.late += 1
            } else if request.isShared {
                summary.shared += 1
            } else if request.isCommerce {
                summary.commerce += 1
            } else if !summary.counts(list.consent(to: request)) {
                continue
            } else if let rule = judge.rule(for: request) {
                guard let answer = rule.answer else {
                    summary.leftOpen += 1
                    continue
                }
                summary.answers.append(
                    ConsumptionAnswer(request: request, rule: rule.name, answer: answer, timeLeft: timeLeft))
            } else {
                summary.withoutRule += 1
            }
        }
        return summary
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

/// The answers, and counts of requests that get none.
package struct ConsumptionSummary {
    /// The request that has waited longest is first.
    package fileprivate(set) var answers: [ConsumptionAnswer] = []
    package fileprivate(set) var withoutConsent = 0
    /// The number of requests about a purchase that several accounts are proved to hold.
    package fileprivate(set) var contested = 0
    /// The number of requests for which an account consented that is not proved to hold the purchase.
    package fileprivate(set) var unproven = 0
    package fileprivate(set) var withoutRule = 0
    /// The number of requests that a rule leaves to a person.
    package fileprivate(set) var leftOpen = 0
    /// The number of requests that are too old for Apple to wait for an answer.
    package fileprivate(set) var late = 0
    package fileprivate(set) var answered = 0
    package fileprivate(set) var shared = 0
    package fileprivate(set) var commerce = 0
    /// The number of requests that name no trusted transaction.
    package fileprivate(set) var nameless = 0
    /// The time of the models if rows have changed since then; otherwise nil.
    package fileprivate(set) var staleSince: Int64?

    /// Whether a customer consented; if not, the request is counted.
    fileprivate mutating func counts(_ consent: Consent) -> Bool {
        switch consent {
        case .given: return true
        case .missing: withoutConsent += 1
        case .contested: contested += 1
        case .unproven: unproven += 1
        }
        return false
    }

    /// The counts that are not zero, in words.
    package var remarks: [String] {
        [
            (withoutConsent, "without the customer's consent"),
            (contested, "about a purchase that several accounts hold, for a person to decide"),
            (
                unproven,
                "of an account that consented, but that neither device nor app transaction proves to be the holder"
            ),
            (withoutRule, "that no rule of the policy fits"),
            (leftOpen, "that a rule leaves open, for a person to decide"),
            (late, "older than \(RefundAnswering.hours) hours (--all shows them)"),
            (answered, "answered before (--all shows them)"),
            (shared, "about a share of somebody else's purchase, of which the store takes no answer"),
            (commerce, "of the Advanced Commerce API, which the first version of the endpoint answers"),
            (nameless, "without a transaction that is trusted"),
        ].filter { $0.0 > 0 }.map { "\($0.0) open \($0.0 == 1 ? "request" : "requests") \($0.1)" }
    }
}
