extension StoreScenarioGenerator {
    /// What a tester bought: the archive has it as a purchase of the sandbox, the store's report as a sale.
    mutating func testFlight() throws -> SignedSubmission {
        let start = StoreReportPlan.first.advanced(by: StoreReportPlan.longestLag + 2)
        let days = StoreReportPlan.last.number - start.number
        let customer = customer(environment: "Sandbox")
        let product = random.pick(customer.app.products.filter { $0.kind != .autoRenewable })
        let at = (start.midnight + Int64(random.below(Int(days * CalendarTime.day)))).truncated
        let sold = StoreTransaction(of: product, by: customer, at: at, numbers: &numbers)
        return submission(of: [try transaction(sold, at: at + 900, device: true)], by: customer)
    }
}
