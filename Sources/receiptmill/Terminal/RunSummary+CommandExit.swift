internal import Foundation
internal import MillRun
internal import MillSystem

extension RunSummary {
    /// What a load ends with; nil where all went well. Says on the terminal where more
    /// lines were rejected than may be.
    func ending() -> ExitStatus? {
        guard !isStopped, failures.isEmpty, hasTooManyRejected else { return exitStatus }
        Console.complain(
            String(
                format: "%.4f of the lines were rejected, more than --max-rejected %g allows\n"
                    + "hint: SELECT reason, count(*), min(detail) FROM rejections GROUP BY reason",
                rejectedShare, maxRejected))
        return exitStatus
    }
}
