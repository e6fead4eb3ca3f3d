/// How a year's subscription is paid: at once, or by the month over a commitment of a year.
enum BillingPlan: Sendable, Equatable {
    case upfront
    case monthly(Commitment)

    struct Commitment: Sendable, Equatable {
        /// The instalment, from 1.
        var period: Int64
        /// All instalments together, in milliunits.
        var price: Int64
        var endsAt: CalendarTime

        static let periods: Int64 = 12

        /// Instalments that are still to come.
        var remaining: Int64 { Self.periods - period }
    }

    var name: String {
        switch self {
        case .upfront: "BILLED_UPFRONT"
        case .monthly: "MONTHLY"
        }
    }

    var commitment: Commitment? { if case .monthly(let commitment) = self { commitment } else { nil } }

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
struct PlanRenewal: Sendable {
    /// Of the next billing period.
    var plan: BillingPlan
    /// While the customer is committed.
    var commitment: Commitment?

    struct Commitment: Sendable {
        /// False where the customer leaves when the commitment ends.
        var willRenew: Bool
        var product: Product
        var renewsAt: CalendarTime
        /// Of a whole commitment, in milliunits.
        var price: Int64
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
