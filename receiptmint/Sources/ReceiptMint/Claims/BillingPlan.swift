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

        var info: JSONText {
            [
                "billingPeriodNumber": period, "totalBillingPeriods": Self.periods, "commitmentPrice": price,
                "commitmentExpiresDate": endsAt,
            ]
        }
    }

    var name: String { commitment == nil ? "BILLED_UPFRONT" : "MONTHLY" }
    var commitment: Commitment? { if case .monthly(let commitment) = self { commitment } else { nil } }
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

    var info: JSONText? {
        commitment.map { commitment in
            [
                "commitmentAutoRenewStatus": Int64(commitment.willRenew ? 1 : 0),
                "commitmentAutoRenewProductId": commitment.product.id,
                "commitmentRenewalDate": commitment.renewsAt, "commitmentRenewalPrice": commitment.price,
                "commitmentRenewalBillingPlanType": plan.name,
            ]
        }
    }
}
