/// Lines of 2026 that are about no purchase in the store.
extension StoreScenarioGenerator {
    /// A notification without documents inside.
    mutating func notice(
        _ name: String, about topic: NotificationTopic, at time: CalendarTime,
        parts: [(name: String, document: SignedString)] = []
    ) throws -> SignedSubmission {
        let claims = NotificationClaims(
            name: name, uuid: random.uuid(), app: population.storyApp, topic: topic, parts: parts,
            signedAt: time.truncated + Int64(random.below(1_000)))
        return delivery(of: try sign(claims), statesTime: random.chance(0.4))
    }

    /// A token that is new, that is to be reported, of which the store reminds, or that expired unreported.
    mutating func externalPurchase(_ story: inout Story, variant: Int) throws {
        let created = (end - random.days(40...60)).truncated
        let days: Int64? = variant == 3 ? 30 : variant == 1 ? nil : 120
        let token = NotificationTopic.ExternalToken(
            id: random.uuid(), createdAt: created, type: days.map { _ in random.pick(["SERVICES", "ACQUISITION"]) },
            expiresAt: days.map { created + $0 * CalendarTime.day })
        let later = created + .days(20)
        let sent: [(subtype: String, at: CalendarTime)] =
            switch variant {
            case 1, 3: [("UNREPORTED", later)]
            case 2: [("CREATED", created + .seconds(1)), ("ACTIVE_TOKEN_REMINDER", later)]
            default: [("CREATED", created + .seconds(1))]
            }
        for (subtype, at) in sent {
            story.lines.append(
                try notice("EXTERNAL_PURCHASE_TOKEN/" + subtype, about: .externalPurchase(token), at: at))
        }
        story.counts.append {
            $0.externalPurchases.tokens += 1
            if variant > 0 { $0.externalPurchases.unreported += 1 }
            if variant == 3 { $0.externalPurchases.expired += 1 }
        }
    }

    mutating func summary(_ story: inout Story, variant: Int) throws {
        let summary = NotificationTopic.Summary(
            countries: variant % 2 == 0 ? ["DEU", "FRA"] : ["JPN"], failed: Int64(random.int(0...9)),
            succeeded: Int64(random.int(50...900)))
        let at = end - random.days(5...80)
        story.lines.append(try notice("RENEWAL_EXTENSION/SUMMARY", about: .summary(summary), at: at))
        story.counts.append {
            $0.summaries.requests += 1
            $0.summaries.succeeded += summary.succeeded
            $0.summaries.failed += summary.failed
        }
    }

    /// Of a preorder, of an app that was given back, or of a customer who takes a consent back.
    mutating func appTransaction(_ story: inout Story, variant: Int) throws {
        let at = end - random.days(10...90)
        let customer = customer2026(at: at - .days(2))
        var claims = AppClaims(customer: customer, signedAt: at.truncated)
        claims.storeType = "CONSUMER"
        if variant == 1 { claims.preorderedAt = customer.installedAt - .days(30) }
        if variant == 2 { claims.revokedAt = at.truncated - .hours(1) }
        let document = try sign(claims)
        story.lines.append(submission(of: [document], by: customer))
        if variant == 3 {
            story.lines.append(
                try notice("RESCIND_CONSENT", about: .app, at: at + .days(1), parts: [("app_transaction", document)]))
        }
        story.counts.append { [claims] in
            $0.appTransactions.withStoreType += 1
            if claims.preorderedAt != nil { $0.appTransactions.withPreorderDate += 1 }
            if claims.revokedAt != nil { $0.appTransactions.withRevocationDate += 1 }
        }
    }
}
