extension Truth {
    /// What the signed strings come to. All of it is counted in `totals`, too.
    public struct SignedTotals: Sendable, Codable, Equatable {
        /// Lines with signed strings, readable or not.
        public var lines = 0
        /// Documents that stand in lines themselves, each once in a line.
        public var submissions = 0
        /// Distinct documents, those inside others among them: kind → verdict → number.
        public var documents: [String: [String: Int]] = [:]
        /// Of `documents`, those that another one holds.
        public var parts = 0
        /// Distinct purchases of trusted documents.
        public var purchases = 0
        /// Of `purchases` in production: currency → sums.
        public var moneyByCurrency: [String: Money] = [:]
        /// Of `purchases`: environment → type of offer → number.
        public var purchasesByOfferType: [String: [String: Int]] = [:]
        /// Of `purchases`, those of family members.
        public var familyShared = 0
        /// Of `purchases`, periods after the first.
        public var renewedPeriods = 0
        /// Distinct trusted notifications, each counted once however often it was
        /// sent: `TYPE` or `TYPE/SUBTYPE` → number.
        public var notifications: [String: Int] = [:]
        /// Subscriptions with a trusted renewal info.
        public var renewals = 0
    }

    /// Sums in milliunits.
    public struct Money: Sendable, Codable, Equatable {
        /// Purchases with a price.
        public var purchases = 0
        /// Prices, of refunded purchases too.
        public var gross: Int64 = 0
        /// What was given back: the share of the price where one is stated, rounded for each
        /// purchase, else all of it.
        public var refunded: Int64 = 0
    }
}
