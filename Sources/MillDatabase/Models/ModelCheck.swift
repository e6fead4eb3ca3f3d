package import GRDB

/// Checks models against their headers: keys are unique, required columns have values, and references refer to existing
/// rows.
package enum ModelCheck {
    /// Computes the rows that depend on some random transactions again, and compares them with the models' rows.
    ///
    /// - Returns: descriptions of the differences.
    package static func differences(inSampleOf transactions: Int, _ db: Database) throws -> [String] {
        guard let state = try ModelState(db), state.isCurrent, state.leftOut == 0, try Schema.hasIndices(db) else {
            return []
        }
        return try SlicedRefresh(db, ModelPlan.present(), replacing: state).differences(inSampleOf: transactions)
    }

    /// Descriptions of the faults in the models.
    package static func offences(_ db: Database) throws -> [String] {
        var offences: [String] = []
        func expect(none sql: String, _ what: (Int) -> String) throws {
            let count = try Int.fetchOne(db, sql: sql) ?? 0
            if count > 0 { offences.append(what(count)) }
        }
        // Outdated models may refer to rows that were removed, so only current ones are checked.
        for model in try ModelState(db)?.isCurrent == true ? ModelCatalog.all().filter(\.isKept) : [] {
            let key = model.key.joined(separator: ", ")
            try expect(none: "SELECT count(*) FROM (SELECT 1 FROM \(model.name) GROUP BY \(key) HAVING count(*) > 1)") {
                "\(model.name): \($0) keys (\(key)) stand more than once"
            }
            if let number = model.numbered {
                try expect(none: "SELECT count(*) - count(DISTINCT \(number)) FROM \(model.name)") {
                    "\(model.name): \($0) keys share their number with another"
                }
            }
            for column in model.header.columns where column.isRequired {
                try expect(none: "SELECT count(*) FROM \(model.name) WHERE \(column.name) IS NULL") {
                    "\(model.name): \($0) rows have no \(column.name)"
                }
            }
            for reference in model.references {
                let pairs = zip(reference.columns, reference.targets)
                let isSame = pairs.map { "target.\($1) = model.\($0)" }.joined(separator: " AND ")
                let isGiven = reference.columns.map { "model.\($0) IS NOT NULL" }.joined(separator: " AND ")
                try expect(
                    none: """
                        SELECT count(*) FROM \(model.name) AS model
                        WHERE \(isGiven) AND NOT EXISTS (SELECT 1 FROM \(reference.table) AS target WHERE \(isSame))
                        """
                ) { "\(model.name): \($0) rows refer to no row of \(reference.table)" }
            }
        }
        return offences
    }
}
