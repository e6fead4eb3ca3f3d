/// What becomes of a subscription that is bought as seats.
enum SeatCourse: CaseIterable, Sendable {
    /// Eight seats, seven of them others'.
    case settled
    /// Two more seats within the period, for half of a month's price.
    case added
    /// Some seats are given back within the period.
    case partlyRefunded
    /// Fewer seats from the next period on.
    case toBeReduced
    /// The developer keeps the members, some of whom lose their seats.
    case developers
    /// A member is removed.
    case memberRemoved
    /// Two more seats in the period before, which the present one has from the start.
    case addedBefore
    /// All seats are given back.
    case refunded
    /// Fewer seats since the present period.
    case reduced

    var seats: Int64 { self == .settled ? 8 : self == .refunded ? 3 : 7 }
    var members: Int { self == .settled ? 7 : self == .developers ? 0 : 2 }
    var invitations: SeatPurchase.Invitations { self == .developers ? .developer : .apple }

    /// Periods until the archive ends.
    var periods: Int {
        switch self {
        case .addedBefore, .reduced, .developers: 2
        default: 1
        }
    }
}
