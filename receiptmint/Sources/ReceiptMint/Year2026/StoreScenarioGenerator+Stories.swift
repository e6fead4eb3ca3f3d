/// Stories of 2026: of each, every event is in the archive, so that what became of it is known.
extension StoreScenarioGenerator {
    /// When the archive ends.
    var end: CalendarTime { parameters.end }

    /// Whole stories of what the store signs since 2026, since a part has no known outcome.
    ///
    /// - Parameter quota: how many stories of a feature; each variant has its turn, through all chunks.
    mutating func stories(ofChunk index: Int, most: Int, quota: (Feature2026) -> Int) throws -> [Story] {
        guard parameters.holds2026 else { return [] }
        var stories: [Story] = []
        var left = most
        func keep(_ story: Story) {
            guard story.lines.count <= left else { return }
            left -= story.lines.count
            stories.append(story)
        }
        if index == 0 { for app in parameters.closingApps { keep(try closing(of: app)) } }
        for feature in Feature2026.allCases {
            let count = quota(feature)
            for turn in 0..<count { keep(try story(feature, variant: (index * count + turn) % feature.plan.variants)) }
        }
        return stories
    }

    private mutating func story(_ feature: Feature2026, variant: Int) throws -> Story {
        var story = Story()
        switch feature {
        case .commitment: try commitment(&story, CommitmentCourse.all[variant])
        case .seats: try seats(&story, SeatCourse.allCases[variant])
        case .advancedCommerce: try advancedCommerce(&story, CommerceCourse.allCases[variant])
        case .externalPurchase: try externalPurchase(&story, variant: variant)
        case .summary: try summary(&story, variant: variant)
        case .realtimeRequest: try realtimeRequest(&story)
        case .appTransaction: try appTransaction(&story, variant: variant)
        case .unknownMember: try unknownMember(&story, UnknownMember.all[variant])
        }
        story.lines.indices.forEach { story.lines[$0].feature = feature }
        story.counts.append { [lines = story.lines] truth in
            truth.lines[feature.rawValue, default: 0] += lines.count
            truth.count(unknownIn: lines)
        }
        return story
    }

    /// A purchase in the last second, by whose documents all of the app's last day is known.
    private mutating func closing(of app: App) throws -> Story {
        var story = Story()
        let at = end - .seconds(1)
        var history = history2026(of: app, from: at)
        let index = history.add(history.sale(of: history.customer.app.product("coins.100"), at: at))
        history.notify("ONE_TIME_CHARGE", at: at, index)
        try tell(history, in: &story)
        return story
    }

    private mutating func commitment(_ story: inout Story, _ course: CommitmentCourse) throws {
        // The last instalment, if all are paid in time, began some two or three weeks before the end.
        let days = Int64(365 * (course.months - 1) / 12)
        var history = history2026(from: end - .days(days) - weeks(), isAbroad: true)
        history.commit(to: population.storyApp.product("pro.yearly"), at: history.customer.joinedAt, course: course)
        try tell(history, in: &story)
        story.counts.append { [history] in $0.count(commitment: history) }
    }

    private mutating func seats(_ story: inout Story, _ course: SeatCourse) throws {
        let product = population.storyApp.product("team.monthly")
        let days = Int64(product.periodDays * (course.periods - 1))
        var history = history2026(from: end - .days(days) - weeks())
        let customer = history.customer
        let members = (0..<course.members).map { _ in member(of: customer) }
        history.seat(product, at: customer.joinedAt, course: course, members: members)
        try tell(history, in: &story)
        story.counts.append { [history] in $0.count(seats: history) }
        guard course == .developers else { return }
        let ids = (0..<2).map { _ in random.uuid() }
        let at = customer.joinedAt + .days(product.periodDays) + .hours(1)
        story.lines.append(try notice("UNCLAIM_SEATS", about: .unclaimedSeats(ids), at: at))
        story.counts.append { $0.unclaimedSeats += ids.count }
    }

    private mutating func advancedCommerce(_ story: inout Story, _ course: CommerceCourse) throws {
        let days = Int64(course == .chargedOnce ? 20 : course == .migrated ? 30 : random.pick([0, 30]))
        var history = history2026(from: end - .days(days) - weeks())
        history.sellCatalog(at: history.customer.joinedAt, course: course)
        try tell(history, in: &story)
    }

    private mutating func unknownMember(_ story: inout Story, _ member: UnknownMember) throws {
        var history = history2026(from: end - weeks())
        history.buyStating(member, at: history.customer.joinedAt)
        try tell(history, in: &story)
    }

    private mutating func realtimeRequest(_ story: inout Story) throws {
        var history = history2026(from: end - weeks())
        let customer = history.customer
        let product = customer.app.product("pro.monthly")
        let original = history.subscribeFirst(product, at: customer.joinedAt)
        try tell(history, in: &story)
        let claims = RealtimeClaims(
            customer: customer, originalID: original, product: product,
            locale: random.pick(["en-US", "de-DE", "ja-JP"]), requestID: random.uuid(),
            signedAt: customer.joinedAt + .days(9) + Int64(random.below(900)))
        story.lines.append(delivery(of: try sign(claims), statesTime: random.chance(0.5)))
        story.counts.append { $0.realtimeRequests += 1 }
    }

    // MARK: Who, and when

    /// Sixteen to twenty-seven days, so that two weeks and what a month still brings are told apart.
    private mutating func weeks() -> Int64 { random.seconds(16 * 86_400...27 * 86_400) }

    /// - Parameter isAbroad: not of the United States, where no commitment is sold.
    mutating func customer2026(of app: App? = nil, at time: CalendarTime, isAbroad: Bool = false) -> StoreCustomer {
        let storefronts = population.storefronts.filter { !isAbroad || $0.country != "USA" }
        let storefront = random.pick(storefronts, by: \.weight)
        return customer(of: app ?? population.storyApp, storefront, tokens: 0.5, joinedAt: time)
    }

    private mutating func history2026(
        of app: App? = nil, from time: CalendarTime, isAbroad: Bool = false
    ) -> StoreHistory {
        let customer = customer2026(of: app, at: time, isAbroad: isAbroad)
        return StoreHistory(
            customer: customer, end: end, parameters: parameters,
            random: SeededRandom(seed: random.next(), stream: "history"), numbers: numbers)
    }

    /// Adds the lines of a history, and what the history comes to.
    private mutating func tell(_ history: StoreHistory, in story: inout Story) throws {
        numbers = history.numbers
        for event in history.observed { story.lines += try lines(of: event, in: history) }
        story.counts.append { $0.count(history) }
    }
}
