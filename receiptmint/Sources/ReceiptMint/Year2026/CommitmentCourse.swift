/// What becomes of a subscription that is paid by the month over a commitment of a year.
/// Instalments are counted from 1, through all commitments.
struct CommitmentCourse: Sendable {
    /// Months before the archive ends in which the commitment begins.
    var months: Int
    /// The instalment in which the customer cancels: the commitment still runs to its end.
    var cancelsIn: Int?
    /// The instalment that can't be paid at first, and after how many days it is; without, never.
    var failsAt: Int?
    var recoversAfter: Int?
    /// The instalment that is refunded, and the one in which that happens: if that is the same, the commitment ends.
    var refunds: (instalment: Int, during: Int)?
    /// The instalment in which the customer pays for a year at once, under the same product.
    var paysUpFrontIn: Int?
    /// Paid at once from the start.
    var isUpfront = false

    static let all: [CommitmentCourse] = [
        CommitmentCourse(months: 5),
        CommitmentCourse(months: 8, cancelsIn: 5),
        CommitmentCourse(months: 6, refunds: (3, during: 5)),
        CommitmentCourse(months: 6, refunds: (5, during: 5)),
        CommitmentCourse(months: 14),
        CommitmentCourse(months: 14, cancelsIn: 5),
        CommitmentCourse(months: 5, failsAt: 4),
        CommitmentCourse(months: 6, failsAt: 3, recoversAfter: 20),
        CommitmentCourse(months: 3, isUpfront: true),
        CommitmentCourse(months: 7, paysUpFrontIn: 4),
        CommitmentCourse(months: 8, failsAt: 3),
        CommitmentCourse(months: 13, cancelsIn: 10),
        CommitmentCourse(months: 6, failsAt: 2, recoversAfter: 75),
    ]
}
