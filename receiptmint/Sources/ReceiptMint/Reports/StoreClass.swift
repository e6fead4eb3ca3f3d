/// Why the store's reports and the archive differ. The names are the contract's.
public enum StoreClass: String, PlantedKind {
    /// The day of the sale is another at Greenwich than in California.
    case dayEdge = "day_edge"
    /// The store's price of a refund in part is rounded to the currency's minimum amount.
    case rounding
    /// A renewal began when the last period ended, and was paid later, within the grace period.
    case billingRetry = "billing_retry"
    /// A tester's purchase, which the archive has as one of the sandbox.
    case sandbox
    /// A row without price of a member's share.
    case familyAssigned = "family_assigned"
    /// The report has the sale on a later day.
    case settledLater = "settled_later"
    /// The report has the refund on another day.
    case refundDatedElsewhere = "refund_dated_elsewhere"
    /// The report has the sale at another price.
    case priceChanged = "price_changed"
    /// No line of the archive holds the sale.
    case notInArchive = "not_in_archive"
    /// No report holds the sale.
    case notInReport = "not_in_report"

    /// Unless set: of `notInArchive` the share of the store's sales, of `sandbox` that of the lines, of
    /// `refundDatedElsewhere` that of the refunds, of `familyAssigned` that of the members' transactions,
    /// else that of the sales. Of three classes, the customers' histories decide.
    public var defaultShare: Double? {
        switch self {
        case .notInArchive: 0.1
        case .settledLater, .priceChanged: 0.015
        case .notInReport: 0.01
        case .sandbox: 0.005
        case .refundDatedElsewhere: 0.35
        case .familyAssigned: 0.5
        case .dayEdge, .rounding, .billingRetry: nil
        }
    }
}
