internal import GRDB

/// Computes the rows of a slice with the models' own SELECTs, over temporary tables that contain only the rows of the
/// slice, and replaces the slice's former rows with the results.
struct SlicedRefresh {
    private let db: Database
    private let plan: ModelPlan
    private let slice: Slice
    /// The state of the models before the refresh.
    private let former: ModelState
    /// Called before each model; throws to stop.
    private let onModel: (Model) throws -> Void

    init(
        _ db: Database, _ plan: ModelPlan, replacing former: ModelState,
        onModel: @escaping (Model) throws -> Void = { _ in }
    ) {
        (self.db, self.plan, self.former, self.onModel) = (db, plan, former, onModel)
        slice = Slice(db)
    }

    /// Refreshes all models.
    ///
    /// - Parameter share: the maximum share of all transactions that a slice may have.
    /// - Returns: the number of subscriptions and lasting purchases in the slice.
    /// - Throws: ``WholeRefresh`` if all models have to be computed from everything.
    func run(upTo share: Double) throws -> Int {
        try db.execute(sql: "CREATE TEMP TABLE former_apps AS SELECT * FROM main.model_apps")
        var shadows = ShadowTables(db)
        defer { drop(shadows) }
        for model in plan.first { try make(model) }
        guard try !hasEarlierNotification() else { throw WholeRefresh.notification }
        guard try slice.findNew(upTo: share) else { throw WholeRefresh.size }
        try computeFormerSums()
        try shadows.make(readBy: plan.sliced + plan.sums, over: plan.sliced)
        for model in plan.sliced + plan.sums { try make(model, into: "temp") }
        guard try LeftOutRows.all(db).isEmpty else { throw WholeRefresh.leftOut }
        for model in plan.sliced where !model.slice.isEmpty { try splice(model) }
        for model in plan.sums { try exchange(model) }
        let count = try slice.subscriptions()
        // Models that are computed from all rows have to read the models themselves again, not the slice.
        try shadows.drop()
        for model in plan.sliced + plan.sums { try db.execute(sql: "DROP TABLE IF EXISTS temp.\(model.name)") }
        for model in plan.last { try make(model) }
        return count
    }

    /// Computes a sample of the models' rows again, in temporary tables, and compares it with the models' rows.
    ///
    /// - Returns: descriptions of the differences; none if the sample is connected to too many transactions.
    func differences(inSampleOf transactions: Int) throws -> [String] {
        var shadows = ShadowTables(db)
        defer { drop(shadows) }
        guard try slice.findSample(of: transactions) else { return [] }
        try shadows.make(readBy: plan.sliced, over: plan.sliced)
        var differences: [String] = []
        for model in plan.sliced where model.numbered == nil {
            do {
                try make(model, into: "temp")
            } catch let error as DatabaseError where LeftOutRows.explains(error) || error.resultCode == .SQLITE_READONLY
            {
                // Here, rows that violate the key could not be recorded either.
                return ["\(model.name) can't be computed: its rows violate its key or a column's type"]
            }
            guard !model.slice.isEmpty else { continue }
            let columns = model.header.columns.map(\.name)
            let stored = "SELECT \(list(columns.map { "own.\($0)" })) FROM \(formerRows(of: model))"
            let computed = "SELECT \(list(columns)) FROM temp.\(model.name)"
            let found = try ModelComparison.difference(of: model, stored: stored, computed: computed, db)
            if let found { differences.append(found) }
        }
        return differences
    }

    private func drop(_ shadows: ShadowTables) {
        try? shadows.drop()
        try? slice.drop()
        for model in plan.sliced + plan.sums {
            try? db.execute(
                sql: "DROP TABLE IF EXISTS temp.\(model.name); DROP TABLE IF EXISTS temp.former_\(model.name)")
        }
        try? db.execute(sql: "DROP TABLE IF EXISTS temp.former_apps")
    }

    private func make(_ model: Model, into schema: String? = nil) throws {
        try onModel(model)
        try ModelRefresh.make(model, into: schema, deletesNumbers: false, db)
    }

    /// Whether an app's first notification is now earlier than before, which changes what is known about all of its
    /// periods.
    private func hasEarlierNotification() throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM main.model_apps AS app JOIN temp.former_apps AS former ON former.app_id = app.app_id
                    WHERE app.first_notification_ms < coalesce(former.first_notification_ms, \(Int64.max)))
                """) ?? false
    }

    /// Computes the sums over the slice as it was at the former refresh: over the models' rows, and over documents and
    /// lines that were loaded before.
    private func computeFormerSums() throws {
        let read = Set((plan.sums + plan.summed).flatMap(\.allSources))
        let models = plan.sliced.filter { read.contains($0.name) && !$0.slice.isEmpty }
        for model in models {
            try ModelRefresh.makeEmpty(model, in: "temp", db)
            let columns = model.header.columns.map(\.name)
            try db.execute(
                sql: """
                    INSERT INTO temp.\(model.name) (\(list(columns)))
                    SELECT \(list(columns.map { "own.\($0)" })) FROM \(formerRows(of: model))
                    """)
            try ModelRefresh.makeIndices(of: model, in: "temp", db)
        }
        var shadows = ShadowTables(db, until: former.lastReceipt)
        defer { try? shadows.drop() }
        try shadows.make(readBy: plan.sums + plan.summed, over: models + plan.summed)
        for model in plan.summed { try make(model, into: "temp") }
        for sum in plan.sums { try db.execute(sql: "CREATE TEMP TABLE former_\(sum.name) AS \(sum.select)") }
        for model in models + plan.summed { try db.execute(sql: "DROP TABLE temp.\(model.name)") }
    }

    /// The rows of a model that belong to the slice, named `own`.
    private func formerRows(of model: Model) -> String {
        let isSame = model.slice.map { "own.\($0) = slice.\($0)" }.joined(separator: " AND ")
        return "\(table(of: model)) AS slice CROSS JOIN main.\(model.name) AS own ON \(isSame)"
    }

    private func table(of model: Model) -> String {
        "temp.\(SliceKey.with(columns: model.slice)?.table ?? "")"
    }

    /// Replaces a model's former rows of the slice.
    private func splice(_ model: Model) throws {
        let key = list(model.slice)
        let columns = list(model.header.columns.map(\.name))
        let keys = model.slice.count == 1 ? key : "(\(key))"
        try db.execute(
            sql: """
                DELETE FROM main.\(model.name) WHERE \(keys) IN (SELECT \(key) FROM \(table(of: model)));
                INSERT INTO main.\(model.name) (\(columns)) SELECT \(columns) FROM temp.\(model.name)
                """)
    }

    /// Subtracts the entries of the slice's former rows from a model's sums, and adds those of the new rows.
    private func exchange(_ model: Model) throws {
        guard let entries = model.sums else { return }
        let sums = model.header.columns.map(\.name).filter { !model.key.contains($0) }
        let columns = list(model.key + sums)
        try db.execute(
            sql: """
                INSERT INTO main.\(model.name) (\(columns))
                SELECT \(list(model.key)), \(list(sums.map { "sum(\($0)) AS \($0)" }))
                FROM (
                    SELECT \(columns) FROM temp.\(model.name)
                    UNION ALL
                    SELECT \(list(model.key)), \(list(sums.map { "-\($0)" })) FROM temp.former_\(model.name)
                ) AS changed
                GROUP BY \(list(model.key))
                HAVING \(sums.map { "sum(\($0)) <> 0" }.joined(separator: " OR "))
                ON CONFLICT (\(list(model.key))) DO UPDATE SET \(list(sums.map { "\($0) = \($0) + excluded.\($0)" }));
                DELETE FROM main.\(model.name) WHERE \(entries) = 0
                """)
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
