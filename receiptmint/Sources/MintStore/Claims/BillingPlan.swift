package import MintSigning

/// How a year's subscription is paid: at once, or by the month over a commitment of a year.
package enum BillingPlan: Sendable, Equatable {
    case upfront
    case monthly(Commitment)

    package struct Commitment: Sendable, Equatable {
        /// The instalment, from 1.
        package var period: Int64
        /// All instalments together, in milliunits.
        package var price: Int64
        package var endsAt: CalendarTime

        package static let periods: Int64 = 12

        /// Instalments that are still to come.
        package var remaining: Int64 { Self.periods - period }
    }

    package var name: String {
        switch self {
        case .upfront: "BILLED_UPFRONT"
        case .monthly: "MONTHLY"
        }
    }

    package var commitment: Commitment? { if case .monthly(let commitment) = self { commitment } else { nil } }

    func add(to json: inout JSONText) {
        json.add("billingPlanType", name)
        guard let commitment else { return }
        var info = JSONText()
        info.add("billingPeriodNumber", commitment.period)
        info.add("totalBillingPeriods", Commitment.periods)
        info.add("commitmentPrice", commitment.price)
        info.add("commitmentExpiresDate", commitment.endsAt)
        json.add("commitmentInfo", info)
    }
}

/// What becomes of a billing plan, as renewal infos state it.
package struct PlanRenewal: Sendable {
    /// Of the next billing period.
    package var plan: BillingPlan
    /// While the customer is committed.
    package var commitment: Commitment?

    package struct Commitment: Sendable {
        /// False where the customer leaves when the commitment ends.
        package var willRenew: Bool
        package var product: Product
        package var renewsAt: CalendarTime
        /// Of a whole commitment, in milliunits.
        package var price: Int64
    }

    func add(to json: inout JSONText) {
        json.add("renewalBillingPlanType", plan.name)
        guard let commitment else { return }
        var info = JSONText()
        info.add("commitmentAutoRenewStatus", Int64(commitment.willRenew ? 1 : 0))
        info.add("commitmentAutoRenewProductId", commitment.product.id)
        info.add("commitmentRenewalDate", commitment.renewsAt)
        info.add("commitmentRenewalPrice", commitment.price)
        info.add("commitmentRenewalBillingPlanType", plan.name)
        json.add("commitmentInfo", info)
    }
}
