import Testing

@testable import ReceiptMint

/// Prices of stories that were worked out by hand.
struct WorkedExampleTests {
    private let start = CalendarTime(2026, 10, 10)

    private func history() -> StoreHistory {
        var random = SeededRandom(seed: 1, stream: "examples")
        let customer = StoreCustomer(
            app: .of2026, environment: "Production", storefront: Storefront.all[0], appTransactionID: "1",
            appAccountToken: nil, accountID: "a", device: Device(platform: .ios, random: &random),
            deviceVerificationID: random.uuid(), installedAt: start, joinedAt: start)
        var history = StoreHistory(customer: customer, random: random, numbers: TransactionNumbers(chunk: 0))
        history.end = CalendarTime(2026, 11, 1)
        return history
    }

    private func seats(_ course: SeatCourse) -> StoreHistory {
        var history = history()
        history.seat(App.of2026.product("team.monthly"), at: start, course: course, members: [])
        return history
    }

    private func truth(_ history: StoreHistory) -> Truth2026 {
        var truth = Truth2026()
        truth.count(history)
        truth.count(seats: history)
        return truth
    }

    /// 5 × 9.99 + 3 × 7.99 = 73.92, 9.24 a seat.
    @Test("eight seats at graduated prices")
    func eightSeats() {
        let history = seats(.settled)
        #expect(history.transactions[0].amount == 73_920)
        #expect(history.transactions[0].price == 9_240)
        #expect(truth(history).money["USD"]?.recurring == 73_920)
    }

    /// 5 × 9.99 + 2 × 7.99 = 65.93, a seventh of which is 9.41857…; two are 18.84, and 47.09 are left.
    @Test("two of seven seats given back, by the average")
    func seatsGivenBack() {
        let history = seats(.partlyRefunded)
        #expect(history.transactions[0].price == 9_419)
        let money = truth(history).money["USD"]
        #expect(money?.gross == 65_930)
        #expect(money?.refunded == 18_837 && money?.refundedByEstimate == 18_837)
        #expect(money?.recurring == 47_093)
        #expect(truth(history).seats.seats == 5)
    }

    /// Half of 2 × 7.99 is charged, 73.92 in all; from then on a month costs 5 × 9.99 + 4 × 7.99 = 81.91.
    @Test("two seats added within a period")
    func seatsAdded() {
        let history = seats(.added)
        let money = truth(history).money["USD"]
        #expect(money?.gross == 73_920)
        #expect(money?.recurring == 81_910)
        #expect(truth(history).seats.seats == 9 && truth(history).subscriptions == 1)
    }

    /// 10.00 + 5.00 + 3.00, of which a fifth on top of 15.00 is tax.
    @Test("items of which one is given back, and one is paid back in part")
    func items() {
        for (course, refunded, recurring) in [
            (CommerceCourse.itemRevoked, Int64(5_000), Int64(13_000)), (.partlyRefunded, 2_500, 18_000),
            (.allRevoked, 18_000, 0),
        ] {
            var history = history()
            history.sellCatalog(at: start, course: course)
            let money = truth(history).money["USD"]
            #expect(money?.gross == 18_000 && money?.refunded == refunded && money?.recurring == recurring, "\(course)")
            let claims = TransactionClaims(transaction: history.transactions[0], signedAt: start)
            let json = String(decoding: claims.payload.json, as: UTF8.self)
            #expect(json.contains(#""taxRate":"0.20","taxExclusivePrice":15000,"estimatedTax":3000"#))
        }
    }

    /// Twelve instalments of 4.58, of which the fifth runs: 22.90 paid, 32.06 to come.
    @Test("a commitment that is left in its fifth month")
    func commitment() {
        var history = history()
        history.commit(
            to: App.of2026.product("pro.yearly"), at: history.end - 145 * CalendarTime.day,
            course: CommitmentCourse(months: 5, cancelsIn: 5))
        var truth = truth(history)
        truth.count(commitment: history)
        let money = truth.money["USD"]
        #expect(money?.gross == 22_900 && money?.recurring == 4_580 && money?.contracted == 32_060)
        #expect(truth.commitments.running == 1 && truth.commitments.leaving == 1)
        #expect(history.transactions[0].plan?.commitment?.price == 54_960)
    }
}
