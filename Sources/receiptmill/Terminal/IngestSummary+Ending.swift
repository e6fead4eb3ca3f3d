internal import Foundation
internal import ReceiptPipeline

extension IngestSummary {
    /// What a load ends with; nil where all went well. Of several faults the
    /// first archive's counts. The person at the terminal is told where more lines
    /// were rejected than may be.
    func exitStatus() -> ExitStatus? {
        if isStopped { return .tryLater }
        if let failure = failures.first { return failure.exitStatus }
        guard hasTooManyRejected else { return nil }
        Console.complain(
            String(
                format: "%.4f of the lines were rejected, more than --max-rejected %g allows\n"
                    + "hint: SELECT reason, count(*), min(detail) FROM rejections GROUP BY reason",
                rejectedShare, maxRejected))
        return .badData
    }
}
