/// Subscriptions that are bought as seats.
extension StoreHistory {
    /// A subscription as the store knows it.
    private struct Team {
        let product: Product
        let course: SeatCourse
        let members: [StoreCustomer]
        /// Of the seats of the next period.
        var seats: Int64
        var begin: CalendarTime
    }

    /// A seat costs a fifth less from the sixth on.
    private static let fullPriceSeats: Int64 = 5

    private func tiers(_ seats: Int64, _ product: Product) -> [SeatPurchase.Tier] {
        let (full, rest) = (min(seats, Self.fullPriceSeats), max(0, seats - Self.fullPriceSeats))
        return [
            .init(price: price(product.dollars), quantity: full),
            .init(price: price(product.dollars * 4 / 5), quantity: rest),
        ].filter { $0.quantity > 0 }
    }

    /// - Parameter members: others, who get a seat each.
    mutating func seat(_ product: Product, at start: CalendarTime, course: SeatCourse, members: [StoreCustomer]) {
        var team = Team(product: product, course: course, members: members, seats: course.seats, begin: start)
        for period in 1...course.periods {
            let head = self.period(team, isFirst: period == 1)
            let middle = (team.begin + .days(11)).truncated
            change(head, of: &team, at: middle, isLast: period == course.periods)
            team.begin = team.begin + .days(product.periodDays)
        }
    }

    /// - Returns: the index of the purchaser's transaction.
    private mutating func period(_ team: Team, isFirst: Bool) -> Int {
        let seats = SeatPurchase(invitations: team.course.invitations, tiers: tiers(team.seats, team.product))
        let bought = transaction(seats, of: team, at: team.begin, isRenewal: !isFirst)
        let head = begin(bought, isFirst ? "SUBSCRIBED/INITIAL_BUY" : "DID_RENEW", renewal: renewal(team, of: bought))
        for (place, member) in team.members.enumerated() {
            let index = give(transactions[head], to: member, as: .assigned, at: team.begin)
            present(index, at: team.begin + hours(1...100))
            guard team.course == .memberRemoved, place == 0 else { continue }
            takeAway(index, at: (team.begin + .days(11)).truncated, .assignment)
        }
        return head
    }

    private mutating func transaction(
        _ seats: SeatPurchase, of team: Team, at time: CalendarTime, isRenewal: Bool
    ) -> StoreTransaction {
        subscription(
            to: team.product, at: time, price: seats.average,
            until: team.begin + .days(team.product.periodDays)
        )
        .with { ($0.quantity, $0.seats, $0.isRenewal) = (seats.seats, seats, isRenewal) }
    }

    private func renewal(_ team: Team, of transaction: StoreTransaction) -> RenewalClaims {
        let next = tiers(team.seats, team.product)
        return RenewalClaims(of: transaction, to: team.product, price: next.average).with { $0.seatTiers = next }
    }

    /// What happens within a period.
    private mutating func change(_ head: Int, of team: inout Team, at time: CalendarTime, isLast: Bool) {
        switch team.course {
        case .added where isLast, .addedBefore where !isLast: addSeats(head, of: &team, at: time)
        case .partlyRefunded where isLast:
            transactions[head].seats?.revocations.append(.init(at: time, seats: 2))
            notify("REFUND/SEATS", at: time + .seconds(30), head, renewal: renewal(team, of: transactions[head]))
        case .toBeReduced where isLast, .reduced where !isLast, .developers where !isLast:
            team.seats -= 2
            let renewal = renewal(team, of: transactions[head])
            notify("DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY", at: time, head, renewal: renewal)
        case .refunded where isLast:
            transactions[head].seats?.revocations.append(.init(at: time, seats: team.seats))
            revoke(head, at: time, .full)
            let ended = renewal(team, of: transactions[head]).ended(1).with { $0.seatTiers = nil }
            notify("REFUND", at: time + .seconds(30), head, renewal: ended, status: 5)
            for index in transactions.indices where transactions[index].ownership == .assigned {
                takeAway(index, at: time, .assignment, after: 40)
            }
        default: break
        }
    }

    /// A transaction of its own, which ends with the period; from then on the earlier one says so, too.
    private mutating func addSeats(_ head: Int, of team: inout Team, at time: CalendarTime) {
        let all = tiers(team.seats + 2, team.product)
        // Half of the period is left.
        let seats = SeatPurchase(
            invitations: team.course.invitations, tiers: [.init(price: all[all.count - 1].price / 2, quantity: 2)])
        let addition = transaction(seats, of: team, at: time, isRenewal: false)
        transactions[head].seatsAddedAt = time
        let index = add(addition.with { $0.seatsAddedAt = time })
        team.seats += 2
        notify(
            "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY", at: time + .seconds(1), index,
            renewal: renewal(team, of: transactions[index]))
        present(head, at: time + .seconds(90))
    }
}
