extension Truth {
    /// What the store's report files hold beside the archive, and how both differ: in days of
    /// Pacific time, for a database that tells days by UTC.
    public struct StoreReports: Sendable, Codable, Equatable {
        public var folder = MintRun.storeReportsName
        public var vendor = StoreReportFiles.vendor
        /// First and last day of the daily files, which are those of a fiscal year.
        public var firstDay = ""
        public var lastDay = ""
        /// Report → files, and rows of purchases, refunds and downloads in them.
        public var files: [String: Int] = [:]
        public var rows: [String: Int] = [:]
        /// What SALES states and what the archive holds.
        public var sales = Sides()
        /// What FINANCE_DETAIL states and what the archive holds of what was settled: nothing without a price, no tests, and
        /// sales of the last days before the first file as well.
        public var financeDetail = Sides()
        public var settled = Settled()
    }

    /// The store's rows and the archive's sales, refunds below zero, and how they differ. Each event counts in
    /// one class; `agreed` are those that don't differ.
    public struct Sides: Sendable, Codable, Equatable {
        public var storeUnits: Int64 = 0
        public var ownUnits: Int64 = 0
        /// Currency → milliunits.
        public var storeGross: [String: Int64] = [:]
        public var ownGross: [String: Int64] = [:]
        /// Class → what is planted of the class.
        public var classes: [String: Planted] = [:]

        static let agreed = "agreed"
    }

    /// What is planted of a class.
    public struct Planted: Sendable, Codable, Equatable {
        /// Sales and refunds, each once.
        public var events = 0
        /// Of `events`, those near another planted difference of the same product and country, so that
        /// nobody can tell which of both is which.
        public var mixed = 0
        /// Units of these, whatever their sign.
        public var mixedUnits: Int64 = 0
        public var storeUnits: Int64 = 0
        public var ownUnits: Int64 = 0
        public var storeGross: [String: Int64] = [:]
        public var ownGross: [String: Int64] = [:]
        /// Of `events`, those whose day at Greenwich and the store's are of different months: the earlier month → number.
        public var acrossMonths: [String: Int] = [:]
        /// The same of fiscal months.
        public var acrossFiscalMonths = 0
    }

    /// Rows of FINANCE_DETAIL, and of FINANCIAL together.
    public struct Settled: Sendable, Codable, Equatable {
        /// Currency → milliunits.
        public var proceeds: [String: Int64] = [:]
        /// Units that were settled on a later day than that of the transaction, whatever else they differ by.
        public var unitsLater: Int64 = 0
        /// Of these, those of transactions of an earlier fiscal month.
        public var unitsAcrossFiscalMonths: Int64 = 0
        /// First day of the fiscal month of settlement → units.
        public var unitsByFiscalMonth: [String: Int64] = [:]
    }
}
