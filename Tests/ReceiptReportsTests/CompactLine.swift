internal import Foundation
internal import ReceiptFormat
internal import ReceiptVerification

@testable import ReceiptReports

/// Compact lines of hand-worked cases, made into lines of `decode` (schema 2).
///
/// A compact line is a JSON object with one document under its kind: `transaction`,
/// `renewal`, `app_transaction`, `notification` (with a `transaction` and a `renewal`
/// inside) or `receipt` (with `purchases`). `device_id`, `account_id` and `submitted_at`
/// stand beside it. A document's keys are those of decoded lines, but dates are written
/// as dates: `purchase_date`, not `purchase_date_ms`. What is left out has a plain value.
/// `tiers` of a transaction or renewal are its seats' prices and numbers, `[[9990,5],[7990,3]]`;
/// `items` of a transaction are those of the Advanced Commerce API.
struct CompactLine {
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    private typealias Members = [String: Any]

    /// Documents so far: what has no digest is numbered by it.
    private var count = 0

    /// Keys of a transaction that state its terms, not its purchase.
    private static let terms: Set = [
        "price_milliunits", "currency", "storefront", "ownership", "offer_type", "offer_id", "offer_discount_type",
        "offer_period", "transaction_reason", "subscription_group_id", "app_account_token", "app_transaction_id",
        "is_upgraded", "revocation_reason", "revocation_type", "revoked_share", "billing_plan", "commitment_period",
        "commitment_periods", "commitment_price_milliunits", "commitment_expires_date", "seat_invitations",
        "seats_revoked", "additional_reason", "previous_original_transaction_id",
    ]
    /// Keys that stand for several members.
    private static let parts: Set = ["tiers", "items"]
    /// Keys that belong to the document, not to what it states.
    private static let ofDocument: Set = ["signed_at", "environment", "sha256"]
    private static let kinds = ["transaction", "renewal", "app_transaction", "notification", "receipt"]
    private static let ofSubmission = ["device_id", "account_id"]

    /// The decoded lines of a case; lines that are empty or begin with `//` are skipped.
    static func decoded(_ text: String) throws -> String {
        var maker = CompactLine()
        var decoded = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.hasPrefix("//") && !line.allSatisfy(\.isWhitespace) {
            do {
                guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Members else {
                    throw Fault(description: "no object")
                }
                let members = try JSONSerialization.data(
                    withJSONObject: maker.line(object), options: [.sortedKeys, .withoutEscapingSlashes])
                decoded += #"{"schema":2,"# + String(decoding: members, as: UTF8.self).dropFirst() + "\n"
            } catch {
                throw Fault(description: "line \(index + 1): \(error)")
            }
        }
        return decoded
    }

    private mutating func line(_ object: Members) throws -> Members {
        let known = Self.kinds + Self.ofSubmission + ["submitted_at"]
        if let other = object.keys.first(where: { !known.contains($0) }) {
            throw Fault(description: "unknown key \(other)")
        }
        guard Self.kinds.count(where: { object[$0] != nil }) == 1 else {
            throw Fault(description: "a line has one of \(Self.kinds.joined(separator: ", "))")
        }
        var line = try document(object)
        var submission = object.filter { Self.ofSubmission.contains($0.key) }
        submission["submitted_at_ms"] =
            try Self.milliseconds(object["submitted_at"])
            ?? ((line["receipt"] as? Members)?["receipt_creation_date_ms"] as? Int64).map { $0 + 60_000 }
        submission["device_check"] = "no_hash"
        submission["app_check"] = "not_configured"
        line["submission"] = submission
        return line
    }

    private mutating func document(_ object: Members) throws -> Members {
        if let stated = object["transaction"] as? Members {
            var terms = try Self.stamped(stated.filter { Self.terms.contains($0.key) })
            if terms["ownership"] == nil { terms["ownership"] = "PURCHASED" }
            // A signed transaction's cancellation is its revocation.
            terms["revocation_date_ms"] = try Self.milliseconds(stated["cancellation_date"])
            try Self.addTiers(of: stated, to: &terms, "seat_price_tiers", "amount_milliunits")
            if let items = stated["items"] as? [Members] {
                terms["commerce"] = [
                    "items": try items.map { item in
                        var item = try Self.stamped(item)
                        item["refunds"] = try (item["refunds"] as? [Members])?.map(Self.stamped)
                        return item
                    }
                ]
            }
            return [
                "receipt": try receipt("signed_transaction", stated, purchases: 1),
                "purchases": [try Self.purchase(stated)], "terms": terms,
            ]
        }
        if let stated = object["renewal"] as? Members {
            var renewal = try Self.stamped(
                stated.filter { !Self.ofDocument.contains($0.key) && !Self.parts.contains($0.key) })
            try Self.addTiers(of: stated, to: &renewal, "renewal_price_tiers", "renewal_amount_milliunits")
            return [
                "receipt": try receipt("signed_renewal", stated, namesApp: false), "purchases": [], "renewal": renewal,
            ]
        }
        if let stated = object["app_transaction"] as? Members {
            return [
                "receipt": try receipt("app_transaction", stated), "purchases": [],
                "app_transaction": stated.filter { ["original_platform", "app_transaction_id"].contains($0.key) },
            ]
        }
        if let stated = object["notification"] as? Members { return try notification(stated) }
        guard let stated = object["receipt"] as? Members else { throw Fault(description: "a document is no object") }
        let purchases = stated["purchases"] as? [Members] ?? []
        return [
            "receipt": try receipt("app_receipt", stated, purchases: purchases.count),
            "purchases": try purchases.map(Self.purchase),
        ]
    }

    private mutating func notification(_ stated: Members) throws -> Members {
        let names: Set = ["notification_uuid", "notification_type", "subtype", "status", "consumption_request_reason"]
        var line: Members = ["receipt": try receipt("notification", stated), "purchases": []]
        var notification = stated.filter { names.contains($0.key) }
        if notification["notification_uuid"] == nil { notification["notification_uuid"] = "uuid-\(count)" }
        line["notification"] = notification
        var parts: [Members] = []
        for name in ["transaction", "renewal"] {
            guard var held = stated[name] as? Members else { continue }
            if held["signed_at"] == nil { held["signed_at"] = stated["signed_at"] }
            var part = try document([name: held])
            part["part"] = name
            parts.append(part)
        }
        if !parts.isEmpty { line["parts"] = parts }
        return line
    }

    private mutating func receipt(
        _ kind: String, _ stated: Members, purchases: Int = 0, namesApp: Bool = true
    ) throws -> Members {
        count += 1
        guard let signed = try Self.milliseconds(stated["signed_at"]) else { throw Fault(description: "no signed_at") }
        let number = String(count, radix: 16)
        var receipt: Members = [
            "sha256": stated["sha256"] ?? String(repeating: "0", count: 64 - number.count) + number, "kind": kind,
            "verdict": stated["verdict"] ?? "trusted", "environment": stated["environment"] ?? "Production",
            "receipt_creation_date_ms": signed, "digest_algorithm": "sha256", "signer": "CN=Told",
            "purchase_count": purchases, "bytes": 100,
        ]
        if namesApp { receipt["bundle_id"] = stated["bundle_id"] ?? "com.example.club" }
        for name in ["app_version", "original_application_version"] {
            guard let version = stated[name] as? String else { continue }
            receipt[name] = version
            receipt[name + "_key"] = VersionKey.key(DocumentText(version)).string
        }
        if ["app_receipt", "app_transaction"].contains(kind) {
            receipt["original_purchase_date_ms"] = try Self.milliseconds(stated["original_purchase_date"])
        }
        return receipt
    }

    private static func purchase(_ stated: Members) throws -> Members {
        var purchase = stated.filter {
            !terms.contains($0.key) && !ofDocument.contains($0.key) && !parts.contains($0.key)
                && $0.key != "bundle_id"
        }
        func setDefault(_ name: String, _ value: Any?) { if purchase[name] == nil { purchase[name] = value } }
        setDefault("original_transaction_id", stated["transaction_id"])
        setDefault("quantity", 1)
        setDefault("product_type", stated["expires_date"] == nil ? 0 : 3)
        setDefault("original_purchase_date", stated["purchase_date"])
        if stated["offer_type"] as? Int == 1 {
            if let discount = stated["offer_discount_type"] as? String {
                setDefault("is_trial_period", discount == "FREE_TRIAL" ? 1 : 0)
                setDefault("is_in_intro_offer_period", discount == "FREE_TRIAL" ? 0 : 1)
            }
        } else {
            setDefault("is_trial_period", 0)
            setDefault("is_in_intro_offer_period", 0)
        }
        if stated["offer_type"] as? Int == 2 { setDefault("promotional_offer_id", stated["offer_id"]) }
        return try stamped(purchase)
    }

    /// The prices of seats as the store writes them, and their sum.
    private static func addTiers(
        of stated: Members, to members: inout Members, _ tiers: String, _ sum: String
    ) throws {
        guard let pairs = stated["tiers"] as? [[Int]] else { return }
        guard pairs.allSatisfy({ $0.count == 2 }) else { throw Fault(description: "tiers are pairs of numbers") }
        members[tiers] =
            "[" + pairs.map { #"{"price":\#($0[0]),"quantity":\#($0[1])}"# }.joined(separator: ",") + "]"
        members[sum] = pairs.reduce(0) { $0 + $1[0] * $1[1] }
    }

    /// Dates under the names that they have as milliseconds.
    private static func stamped(_ members: Members) throws -> Members {
        var stamped: Members = [:]
        for (name, value) in members {
            if name.hasSuffix("_date") || name.hasSuffix("_at") {
                stamped[name + "_ms"] = try milliseconds(value)
            } else {
                stamped[name] = value
            }
        }
        return stamped
    }

    /// The moment of `2024-02-29`, `2024-02-29T12:00:00Z` or `2024-02-29 12:00:00.5+02:00`;
    /// in UTC where no zone is told.
    private static func milliseconds(_ value: Any?) throws -> Int64? {
        guard let value else { return nil }
        let text = value as? String ?? ""
        let clock = text.dropFirst(11)
        let time = clock.prefix { !"Z+-".contains($0) }
        let zone = clock.dropFirst(time.count)
        guard let day = CalendarAxis.days.number(of: DocumentText(String(text.prefix(10)))), let time = seconds(time),
            text.count == 10 || "T ".contains(text.dropFirst(10).prefix(1)),
            let east = zone == "Z" ? 0 : seconds(zone.dropFirst())
        else { throw Fault(description: "\(value) is no moment") }
        let utc = day * 86_400 + time - (zone.hasPrefix("-") ? -east : east)
        return Int64((utc * 1000).rounded())
    }

    /// Seconds of `12:00`, `12:00:00` or `12:00:00.5`; none of nothing.
    private static func seconds(_ text: Substring) -> Double? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        if text.isEmpty { return 0 }
        guard [2, 3].contains(fields.count), fields.allSatisfy({ $0.first?.isNumber == true }) else { return nil }
        let numbers = fields.compactMap { Double($0) } + [0]
        guard numbers.count > fields.count, numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    }
}
