extension SignedField {
    private static let billingPlans = ["BILLED_UPFRONT", "MONTHLY"]

    /// The fields of billing plans and of commitments to a number of periods.
    static let plan: [SignedField] = [
        .init(
            "billingPlanType", .text, of: .transaction, column: "billing_plan", merge: .newestStating(.plan),
            since: "1.21", label: "plan", "how the subscription is billed", values: billingPlans),
        .init(
            "renewalBillingPlanType", .text, of: .renewal, column: "billing_plan", since: "1.21",
            label: "plan", "how the next renewal is billed", values: billingPlans),
        .init(
            "commitmentInfo", .structure, of: [.transaction, .renewal], since: "1.21",
            "commitment of a subscription that is billed in parts"),
        .init(
            "billingPeriodNumber", .integer, of: .transaction, at: .inside("commitmentInfo"),
            column: "commitment_period", merge: .newestStating(.plan), since: "1.21",
            label: "period", "which of the commitment's periods it is, from 1"),
        .init(
            "totalBillingPeriods", .integer, of: .transaction, at: .inside("commitmentInfo"),
            column: "commitment_periods", merge: .newestStating(.plan), since: "1.21",
            label: "of periods", "number of the commitment's periods"),
        .init(
            "commitmentPrice", .amount, of: .transaction, at: .inside("commitmentInfo"),
            column: "commitment_price_milliunits", merge: .newestStating(.plan), since: "1.21",
            label: "commitment", "price of the whole commitment, in thousandths of the currency"),
        .init(
            "commitmentExpiresDate", .date, of: .transaction, at: .inside("commitmentInfo"),
            column: "commitment_expires_date", merge: .newestStating(.plan), since: "1.21", label: "committed to",
            "when the commitment ends"),
        .init(
            "commitmentAutoRenewStatus", .code, of: .renewal, at: .inside("commitmentInfo"),
            column: "commitment_auto_renew_status", since: "1.21", label: "commitment",
            "whether another commitment follows",
            words: [0: "off: it ends with the commitment", 1: "on: another commitment follows"]),
        .init(
            "commitmentAutoRenewProductId", .product, of: .renewal, at: .inside("commitmentInfo"),
            column: "commitment_product_id", since: "1.21", label: "commits to",
            "the product to which the commitment will renew"),
        .init(
            "commitmentRenewalDate", .date, of: .renewal, at: .inside("commitmentInfo"),
            column: "commitment_renewal_date", since: "1.21", label: "committed to", "when the commitment will renew"),
        .init(
            "commitmentRenewalPrice", .amount, of: .renewal, at: .inside("commitmentInfo"),
            column: "commitment_renewal_price_milliunits", since: "1.21",
            label: "next price", "price of the next commitment, in thousandths of the currency"),
        .init(
            "commitmentRenewalBillingPlanType", .text, of: .renewal, at: .inside("commitmentInfo"),
            column: "commitment_billing_plan", since: "1.21", label: "next plan", "how the next commitment is billed",
            values: billingPlans),
    ]

    /// The number of a transaction's seats that were refunded.
    package static let revokedSeats =
        table.first { $0.name == "revokedSeatQuantity" && $0.record == .document } ?? seats[0]

    /// The fields of subscriptions that are bought for a number of seats.
    static let seats: [SignedField] = [
        .init(
            "multiSeatInfo", .structure, of: [.transaction, .renewal], since: "1.23",
            "seats of a subscription that was bought for several persons"),
        .init(
            "invitationManagement", .text, of: .transaction, at: .inside("multiSeatInfo"),
            column: "seat_invitations", merge: .newestStating(.seats), since: "1.23",
            label: "invited by", "who invites the members: the store, or the app's developer",
            values: ["APPLE", "DEVELOPER"]),
        .init(
            "priceTiers", .tiers, of: .transaction, at: .inside("multiSeatInfo"), column: "seat_price_tiers",
            merge: .along(.price), since: "1.23", label: "seat prices", "how many seats were charged at which price"),
        .init(
            "priceTiers", .tierSum, of: .transaction, number: .amount, at: .inside("multiSeatInfo"),
            column: "amount_milliunits", merge: .newestStating(.price), since: "1.23",
            label: "amount",
            "price of all seats together, in thousandths of the currency; the price of a transaction with seats is an average"
        ),
        .init(
            "revokedSeatQuantity", .integer, of: .transaction, at: .inside("multiSeatInfo"), column: "seats_revoked",
            merge: .newestStating(.seats), since: "1.23", label: "seats revoked", "number of seats that were refunded"),
        .init(
            "additionalTransactionReason", .text, of: .transaction, column: "additional_reason",
            merge: .newestStating(.seats), since: "1.23", label: "addition",
            "why several transactions make up one period",
            values: ["SEAT_ADDITION"]),
        .init(
            "renewalQuantity", .integer, of: .renewal, column: "renewal_quantity", since: "1.23",
            label: "seats", "number of seats of the next renewal"),
        .init(
            "renewalPriceTiers", .tiers, of: .renewal, at: .inside("multiSeatInfo"), column: "renewal_price_tiers",
            since: "1.23", label: "seat prices", "how many seats will be charged at which price"),
        .init(
            "renewalPriceTiers", .tierSum, of: .renewal, at: .inside("multiSeatInfo"),
            column: "renewal_amount_milliunits", since: "1.23",
            label: "amount", "price of all seats of the next renewal together, in thousandths of the currency"),
        .init("price", .amount, of: [.transaction, .renewal], at: .inside("tier"), since: "1.23", "price of one seat"),
        .init(
            "quantity", .integer, of: [.transaction, .renewal], at: .inside("tier"), since: "1.23", "number of seats"),
    ]
}
