/// What the store has signed since 2026, planted by share of the lines with
/// signed strings. The raw values name the kinds in `truth.json`.
public enum Feature2026: String, PlantedKind {
    /// A year's subscription that is paid by the month over a commitment.
    case commitment
    /// A subscription that is bought as seats, and its members.
    case seats
    /// A sale of the developer's own items under a generic product.
    case advancedCommerce = "advanced_commerce"
    /// A purchase outside the store, to be reported by its token.
    case externalPurchase = "external_purchase"
    /// Renewal dates of many extended, with a summary of how many were.
    case summary
    /// A customer is about to cancel, and the store asks for a message.
    case realtimeRequest = "realtime_request"
    /// An app transaction that states the store, a preorder, or a revocation.
    case appTransaction = "app_transaction"
    /// A purchase whose documents state what no version of the store's interface has.
    case unknownMember = "unknown_member"

    public var defaultShare: Double? { nil }

    /// The share of the lines of all kinds together, unless set by itself; lines that belong together, on average;
    /// and stories that differ, each of which is played in turn.
    var plan: (weight: Double, linesEach: Int, variants: Int) {
        switch self {
        case .commitment: (0.38, 9, CommitmentCourse.all.count)
        case .seats: (0.3, 8, SeatCourse.allCases.count)
        case .advancedCommerce: (0.14, 4, CommerceCourse.allCases.count)
        case .externalPurchase: (0.04, 2, 4)
        case .summary: (0.02, 1, 4)
        case .realtimeRequest: (0.04, 3, 4)
        case .appTransaction: (0.02, 2, 4)
        case .unknownMember: (0.06, 2, UnknownMember.all.count)
        }
    }
}
