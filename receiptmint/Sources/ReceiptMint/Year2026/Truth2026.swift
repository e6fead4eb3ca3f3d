/// What an archive holds of what the store signs since 2026, as the stories say that
/// were played: part of `truth.json`. All of it is about one app, in production, at the
/// moment at which the archive ends.
public struct Truth2026: Sendable, Codable, Equatable {
    public var bundleId = App.of2026.bundleID
    /// When the archive ends.
    public var endsAt = ""
    /// Lines by kind.
    public var lines: [String: Int] = [:]
    /// Currency → sums.
    public var money: [String: Money] = [:]
    /// Subscriptions that are paid for then, each once, whatever its seats and migrations.
    public var subscriptions = 0
    /// Persons who may use a subscription then: buyers, and members with a seat.
    public var entitled = 0
    public var commitments = Commitments()
    public var seats = Seats()
    public var commerce = Commerce()
    public var externalPurchases = ExternalPurchases()
    /// Seats that the store asked a developer to take from their members.
    public var unclaimedSeats = 0
    public var realtimeRequests = 0
    /// Requests to extend the renewal dates of many, and the subscriptions for which that worked and did not.
    public var summaries = Summaries()
    public var appTransactions = AppTransactions()
    /// Kind of document, path and type of what no version of the store's interface has → distinct documents.
    public var unknownMembers: [String: Int] = [:]

    /// Sums in milliunits.
    public struct Money: Sendable, Codable, Equatable {
        /// What was charged: of seats their prices together; members' transactions cost nothing.
        public var gross: Int64 = 0
        /// What was given back.
        public var refunded: Int64 = 0
        /// Of `refunded`, what is estimated, since no document says which seats were given back.
        public var refundedByEstimate: Int64 = 0
        /// A month's worth of what is paid for then.
        public var recurring: Int64 = 0
        /// Instalments of running commitments that are still to come.
        public var contracted: Int64 = 0
    }

    public struct Commitments: Sendable, Codable, Equatable {
        /// Paid for then, by the month.
        public var running = 0
        /// Of `running`, those whose customer leaves at the end.
        public var leaving = 0
        /// Of `running`, those in a second commitment.
        public var renewed = 0
        /// Not paid for, while the store tries.
        public var retrying = 0
        /// Over: canceled, never paid, or refunded.
        public var ended = 0
        /// Paid for a year at once, from the start or after some instalments.
        public var upfront = 0
    }

    public struct Seats: Sendable, Codable, Equatable {
        /// Subscriptions with seats that are paid for then.
        public var subscriptions = 0
        /// Seats of them that were not given back.
        public var seats = 0
        /// Transactions that added seats to a period.
        public var additions = 0
        /// Seats that were given back, of periods that are over, too.
        public var revoked = 0
        /// Others who may use a seat then, as their own transactions say.
        public var members = 0
    }

    public struct Commerce: Sendable, Codable, Equatable {
        public var transactions = 0
        public var items = 0
        /// Of `items`, those whose access ended before its time.
        public var revokedItems = 0
        public var refunds = 0
        /// Transactions that took the place of another purchase.
        public var migrated = 0
    }

    /// Of purchases outside the store.
    public struct ExternalPurchases: Sendable, Codable, Equatable {
        /// Tokens, each once.
        public var tokens = 0
        /// Of which the store said last that they have still to be reported.
        public var unreported = 0
        /// Whose time has run out.
        public var expired = 0
    }

    public struct Summaries: Sendable, Codable, Equatable {
        public var requests = 0
        public var succeeded: Int64 = 0
        public var failed: Int64 = 0
    }

    /// Distinct documents.
    public struct AppTransactions: Sendable, Codable, Equatable {
        public var withStoreType = 0
        public var withPreorderDate = 0
        public var withRevocationDate = 0
    }
}
