internal import GRDB
internal import MillDatabase

extension ReportRun {
    /// If the report reads fraud signals, warns of thresholds that someone has set by SQL and that have no effect or a
    /// wrong one.
    func checkThresholds(in session: ReportSession, _ warn: (ReportWarning) -> Void) throws {
        guard ModelCatalog.isRead(by: report.sql, { $0 == "model_signals" }) else { return }
        let offences = try session.read { connection in
            try Row.fetchAll(connection, sql: "SELECT name, value FROM main.signal_setting ORDER BY name")
                .compactMap { SignalThresholds.offence(of: $0[0], value: $0[1]) }
        }
        for offence in offences {
            warn(ReportWarning(message: "signal_setting: \(offence)", hint: "the view signal_settings names them"))
        }
    }
}
