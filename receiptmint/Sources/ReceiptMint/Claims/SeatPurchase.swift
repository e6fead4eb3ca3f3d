/// Seats that one transaction buys, at graduated prices, and what became of them.
struct SeatPurchase: Sendable, Equatable {
    var invitations: Invitations
    var tiers: [Tier]
    /// How many of the seats were refunded in all, from a time on; in order of time.
    var revocations: [Revocation] = []

    /// Who asks members in, and keeps them.
    enum Invitations: String, Sendable {
        case apple = "APPLE"
        case developer = "DEVELOPER"
    }

    struct Tier: Sendable, Equatable {
        /// Of a seat, in milliunits.
        var price: Int64
        var quantity: Int64
    }

    struct Revocation: Sendable, Equatable {
        var at: CalendarTime
        var seats: Int64
    }

    var seats: Int64 { tiers.quantity }
    var revokedSeats: Int64 { revocations.last?.seats ?? 0 }

    /// What the seats cost together. The average times the seats is something else, by rounding.
    var amount: Int64 { tiers.amount }
    var average: Int64 { tiers.average }

    /// What some of the seats cost by the average, since no document says which were given back.
    func estimate(of seats: Int64) -> Int64 { (2 * amount * seats + self.seats) / (2 * self.seats) }

    /// How many had been refunded by a time; nil where none had.
    func revokedSeats(at time: CalendarTime) -> Int64? { revocations.last { $0.at <= time }?.seats }

    func json(at time: CalendarTime) -> JSONText {
        [
            "invitationManagement": invitations.rawValue, "priceTiers": tiers.stated,
            "revokedSeatQuantity": revokedSeats(at: time),
        ]
    }
}

extension [SeatPurchase.Tier] {
    var quantity: Int64 { reduce(0) { $0 + $1.quantity } }
    var amount: Int64 { reduce(0) { $0 + $1.price * $1.quantity } }
    var average: Int64 { (2 * amount + quantity) / (2 * quantity) }
    /// The store promises no order of tiers.
    var stated: [JSONText] { reversed().map { ["price": $0.price, "quantity": $0.quantity] } }
}
