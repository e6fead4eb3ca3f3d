internal import Foundation
internal import GRDB

extension PipelineRun {
    /// What somebody has to be told. What runs loaded that were killed or stopped
    /// before they came to this is judged together with this run's.
    ///
    /// - Parameters:
    ///   - former: the number of the last receipt before this run.
    ///   - session: where reports are run.
    func alarms(
        after former: Int64, _ ingest: IngestSummary, _ warehouse: Warehouse,
        _ session: Result<ReportSession, any Error>
    ) throws(MillError) -> [Alarm] {
        var alarms: [Alarm] = []
        for order in pipeline.alarms.reportsWithoutRows {
            if let alarm = try alarm(on: order, in: session) { alarms.append(alarm) }
        }
        let earlier = try warehouse.unjudged()
        let rejectedShare = ingest.rejectedShare(withEarlier: earlier.rejected, of: earlier.lines)
        if rejectedShare > pipeline.alarms.rejectedShare {
            alarms.append(
                Alarm(
                    cause: .tooManyRejected,
                    what: String(
                        format: "%.4f of the lines were rejected, more than rejected_share %g allows",
                        rejectedShare, pipeline.alarms.rejectedShare),
                    hint: "SELECT reason, count(*), min(detail) FROM rejections GROUP BY reason; "
                        + "where keys have changed, mend lines and receiptmill run --again"))
        }
        if let days = pipeline.alarms.missingDays {
            for source in pipeline.archives where try isMissing(source, days: days, warehouse) {
                alarms.append(
                    Alarm(
                        cause: .archiveMissing, what: "no archive of \(source.path) has come for \(days) days",
                        hint: "ask who should have delivered it"))
            }
        }
        if !pipeline.environments.isEmpty {
            for (environment, count) in try unexpectedEnvironments(after: earlier.lastReceipt ?? former, warehouse) {
                alarms.append(
                    Alarm(
                        cause: .unexpectedEnvironment,
                        what:
                            "\(count) new trusted receipts of the environment '\(environment)', which is not expected",
                        hint: "SELECT * FROM receipts WHERE environment = '\(environment)' AND verdict = 'trusted'"))
            }
        }
        return alarms
    }

    private func alarm(
        on order: Alarms.ReportWithoutRows, in session: Result<ReportSession, any Error>
    ) throws(MillError) -> Alarm? {
        let rows: Int
        do {
            rows = try pipeline.run(of: order.name, order.parameters).write(in: session.get(), as: .csv) { _ in }
        } catch {
            throw MillError(error, path: pipeline.database)
        }
        guard rows > 0 else { return nil }
        let parameters = order.parameters.map { " --param \($0.name)=\($0.text)" }.joined()
        return Alarm(
            cause: .reportHasRows, what: "the report \(order.name) has \(rows) rows and must have none",
            hint: "receiptmill report \(order.name) --database \(pipeline.database)\(parameters)")
    }

    private func isMissing(
        _ source: ArchiveSource, days: Int, _ warehouse: Warehouse
    ) throws(MillError) -> Bool {
        let places = ArchivePlaces(of: source)
        // Where none has ever come, the time counts from the first run.
        var last = try warehouse.firstRun()
        if let found = try warehouse.lastFound(where: { places.contain(folder: $0, name: $1) }) { last = found }
        return Date().timeIntervalSince1970 * 1000 - Double(last) > Double(days) * 86_400_000
    }

    private func unexpectedEnvironments(
        after former: Int64, _ warehouse: Warehouse
    ) throws(MillError) -> [(environment: String, count: Int)] {
        let counts = try warehouse.access { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT environment, count(*) FROM receipt JOIN app USING (app_id)
                    WHERE receipt_id > ? AND verdict = 'trusted' GROUP BY environment ORDER BY environment
                    """,
                arguments: [former])
        }
        return counts.map { ($0[0], $0[1]) }.filter { !pipeline.environments.contains($0.0) }
    }
}
