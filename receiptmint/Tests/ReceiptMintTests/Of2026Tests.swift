import Foundation
import Testing

@testable import ReceiptMint

/// The truth about what the store signs since 2026, held against what stands in the documents.
struct Of2026Tests {
    /// Made once: several tests look at it. Each variant of each story is in it.
    private static let minted = Result { try MintedSet(parameters()) }
    private static let end = 1_793_491_200_000

    private static func parameters() -> MintParameters {
        var parameters = MintParameters.small(1_000, seed: 12)
        parameters.signed = 1
        parameters.plantAllOf2026(share: 0.8)
        parameters.jobs = 2
        return parameters
    }

    /// A purchase by the document that was signed last.
    private struct Sale {
        let payload: [String: Any]

        var original: String { payload["originalTransactionId"] as? String ?? "" }
        var currency: String { payload["currency"] as? String ?? "" }
        var isOwn: Bool { payload["inAppOwnershipType"] as? String == "PURCHASED" }
        var price: Int { payload["price"] as? Int ?? 0 }
        var purchased: Int { payload["purchaseDate"] as? Int ?? 0 }
        var expires: Int? { payload["expiresDate"] as? Int }
        var quantity: Int { payload["quantity"] as? Int ?? 1 }
        var tiers: [[String: Int]]? { seats?["priceTiers"] as? [[String: Int]] }
        var seats: [String: Any]? { payload["multiSeatInfo"] as? [String: Any] }
        var revokedSeats: Int { seats?["revokedSeatQuantity"] as? Int ?? 0 }
        var items: [[String: Any]]? {
            (payload["advancedCommerceInfo"] as? [String: Any])?["items"] as? [[String: Any]]
        }
        var amount: Int {
            tiers.map { $0.reduce(0) { $0 + $1["price", default: 0] * $1["quantity", default: 0] } } ?? price
        }

        var refunded: Int {
            if let items {
                return items.flatMap { $0["refunds"] as? [[String: Any]] ?? [] }
                    .reduce(0) { $0 + ($1["refundAmount"] as? Int ?? 0) }
            }
            if payload["revocationDate"] != nil { return amount }
            return Int((Double(amount) * Double(revokedSeats) / Double(quantity)).rounded())
        }

        func isRunning(at time: Int) -> Bool {
            guard let expires, expires > time, payload["revocationDate"] == nil, payload["isUpgraded"] == nil else {
                return false
            }
            return items?.contains { $0["revocationDate"] == nil } ?? true
        }

        /// Without seats that were added: they are known by the renewal.
        var monthly: Int {
            if let items {
                return items.filter { $0["revocationDate"] == nil }.reduce(0) { $0 + ($1["price"] as? Int ?? 0) }
            }
            let days = ((expires ?? 0) - purchased) / 86_400_000
            if days > 300 { return Int((Double(price) / 12).rounded()) }
            return amount - (tiers == nil ? 0 : refunded)
        }
    }

    private func sales() throws -> [Sale] {
        var latest: [String: (signed: Int, sale: Sale)] = [:]
        for payload in try Self.minted.get().payloads("signed_transaction")
        where payload["bundleId"] as? String == "com.example.atlas" {
            let id = try #require(payload["transactionId"] as? String)
            let signed = try #require(payload["signedDate"] as? Int)
            if latest[id].map({ $0.signed < signed }) ?? true { latest[id] = (signed, Sale(payload: payload)) }
        }
        return latest.values.map(\.sale)
    }

    /// The renewal info that was signed last, by original transaction.
    private func renewals() throws -> [String: [String: Any]] {
        var latest: [String: [String: Any]] = [:]
        for payload in try Self.minted.get().payloads("signed_renewal") {
            let id = try #require(payload["originalTransactionId"] as? String)
            let signed = try #require(payload["signedDate"] as? Int)
            if (latest[id]?["signedDate"] as? Int ?? 0) < signed { latest[id] = payload }
        }
        return latest
    }

    private func truth() throws -> Truth2026 { try #require(try Self.minted.get().truth.of2026) }

    @Test("money charged and given back is that of the documents")
    func money() throws {
        var (gross, refunded): ([String: Int], [String: Int]) = ([:], [:])
        for sale in try sales() where sale.isOwn && sale.payload["price"] is Int {
            gross[sale.currency, default: 0] += sale.amount
            refunded[sale.currency, default: 0] += sale.refunded
        }
        let money = try truth().money
        #expect(money.mapValues { Int($0.gross) }.filter { $0.value > 0 } == gross)
        #expect(money.mapValues { Int($0.refunded) }.filter { $0.value > 0 } == refunded.filter { $0.value > 0 })
        #expect(money.values.contains { $0.refundedByEstimate > 0 })
    }

    @Test("recurring revenue, subscriptions and persons are those of what runs at the end")
    func running() throws {
        let running = try sales().filter { $0.isRunning(at: Self.end) }
        let renewals = try renewals()
        var recurring: [String: Int] = [:]
        let own = Dictionary(grouping: running.filter(\.isOwn), by: \.original)
        for (original, sales) in own {
            var monthly = sales.reduce(0) { $0 + $1.monthly }
            if sales.count > 1 {
                // Seats were added: what all of them cost for a whole period.
                let seats = try #require(renewals[original]?["multiSeatInfo"] as? [String: Any])
                let tiers = try #require(seats["renewalPriceTiers"] as? [[String: Int]])
                monthly = tiers.reduce(0) { $0 + $1["price", default: 0] * $1["quantity", default: 0] }
                #expect(sales.allSatisfy { $0.payload["additionalTransactionReason"] as? String == "SEAT_ADDITION" })
            }
            recurring[sales[0].currency, default: 0] += monthly
        }
        let truth = try truth()
        #expect(truth.money.mapValues { Int($0.recurring) }.filter { $0.value > 0 } == recurring)
        #expect(truth.subscriptions == own.count)
        #expect(truth.entitled == Set(running.compactMap { $0.payload["appTransactionId"] as? String }).count)
        #expect(truth.seats.members == running.count { $0.payload["inAppOwnershipType"] as? String == "ASSIGNED" })
        let seats = running.filter { $0.isOwn && $0.tiers != nil }
        #expect(truth.seats.seats == seats.reduce(0) { $0 + $1.quantity - $1.revokedSeats })
        #expect(truth.seats.subscriptions == Set(seats.map(\.original)).count)
    }

    @Test("commitments run, end, are left and are paid late as their documents say")
    func commitments() throws {
        let plans = try sales().filter { $0.payload["billingPlanType"] != nil }
        let byOriginal = Dictionary(grouping: plans, by: \.original)
        let renewals = try renewals()
        var found = Truth2026.Commitments()
        var contracted = 0
        for (original, plans) in byOriginal {
            let renewal = try #require(renewals[original])
            let commitment = renewal["commitmentInfo"] as? [String: Any]
            guard let last = plans.max(by: { $0.purchased < $1.purchased }) else { continue }
            if last.payload["billingPlanType"] as? String == "BILLED_UPFRONT" {
                found.upfront += 1
            } else if last.isRunning(at: Self.end) {
                found.running += 1
                if commitment?["commitmentAutoRenewStatus"] as? Int == 0 { found.leaving += 1 }
                if plans.count > 12 { found.renewed += 1 }
                let info = try #require(last.payload["commitmentInfo"] as? [String: Any])
                contracted += (12 - (info["billingPeriodNumber"] as? Int ?? 0)) * last.price
                #expect(info["commitmentPrice"] as? Int == 12 * last.price)
                // While the customer is committed, the next instalment comes whatever was canceled.
                #expect(renewal["autoRenewStatus"] as? Int == 1)
            } else if renewal["isInBillingRetryPeriod"] as? Bool == true {
                found.retrying += 1
            } else {
                found.ended += 1
            }
        }
        let truth = try truth()
        #expect(truth.commitments == found)
        #expect(truth.money.values.reduce(0) { $0 + Int($1.contracted) } == contracted)
        #expect(found.leaving > 0 && found.renewed > 0 && found.retrying > 0 && found.ended > 2 && found.upfront > 1)
        #expect(plans.allSatisfy { $0.payload["storefront"] as? String != "USA" })
    }

    @Test("items, tokens, requests and what nobody knows are as many as stand in the documents")
    func others() throws {
        let (truth, minted) = (try truth(), try Self.minted.get())
        let items = try sales().compactMap(\.items)
        #expect(truth.commerce.transactions == items.count)
        #expect(truth.commerce.items == items.joined().count)
        #expect(truth.commerce.revokedItems == items.joined().count { $0["revocationDate"] != nil })
        #expect(truth.commerce.refunds == items.joined().reduce(0) { $0 + (($1["refunds"] as? [Any])?.count ?? 0) })
        let notifications = try minted.payloads("notification")
        var tokens: [String: Int?] = [:]
        for case let token as [String: Any] in notifications.map({ $0["externalPurchaseToken"] as Any }) {
            tokens[try #require(token["externalPurchaseId"] as? String)] = token["tokenExpirationDate"] as? Int
        }
        #expect(truth.externalPurchases.tokens == tokens.count)
        #expect(truth.externalPurchases.expired == tokens.values.count { ($0 ?? .max) < Self.end })
        #expect(truth.externalPurchases.expired > 0 && truth.externalPurchases.unreported > 1)
        let unclaimed = notifications.compactMap {
            ($0["unclaimInfo"] as? [String: Any])?["unclaimSeatIds"] as? [String]
        }
        #expect(truth.unclaimedSeats == Set(unclaimed.joined()).count && truth.unclaimedSeats > 0)
        #expect(try truth.realtimeRequests == minted.payloads("realtime_request").count)
        let apps = try minted.payloads("app_transaction")
        #expect(truth.appTransactions.withStoreType == apps.count { $0["storeType"] as? String == "CONSUMER" })
        #expect(truth.appTransactions.withPreorderDate == apps.count { $0["preorderDate"] != nil })
        #expect(truth.appTransactions.withRevocationDate == apps.count { $0["revocationDate"] != nil })
        let transactions = try minted.payloads("signed_transaction")
        for (key, name) in [("shelfLabel", "string"), ("loyaltyInfo", "object"), ("shelfNumber", "number")] {
            #expect(
                truth.unknownMembers["signed_transaction \(key) \(name)"] == transactions.count { $0[key] != nil })
        }
        #expect(truth.unknownMembers.count == 8)
    }

    @Test("stories are whole, and take about the lines that were asked for")
    func shares() throws {
        let minted = try Self.minted.get()
        let planted = Dictionary(grouping: minted.lines.compactMap(\.feature), by: \.self).mapValues(\.count)
        #expect(try truth().lines == planted)
        #expect((600...900).contains(planted.values.reduce(0, +)))
        #expect(Set(planted.keys) == Set(Feature2026.allCases.map(\.rawValue)))
        // The app's last second is documented, so that its last day is known.
        #expect(minted.documents.contains { $0.receiptCreationDate == "2026-10-31T23:59:59Z" })
    }

    @Test("the truth read back makes the same archive again")
    func recorded() throws {
        let minted = try Self.minted.get()
        #expect(try MintedSet(MintParameters(minted.truth.parameters)).truth == minted.truth)
    }

    @Test(
        "a day is read as the calendar has it", arguments: ["2026-02-30", "2026-1-01", "26-01-01", "2026-13-01", "x"])
    func noDay(text: String) {
        #expect(StoreDay(text) == nil)
        #expect(StoreDay("2028-02-29")?.iso == "2028-02-29")
    }
}
