internal import MillSystem

/// The receipts of several files, one after another.
struct PresentedReceiptQueue {
    let inputs: [String]
    let keys: LineKeys
    let limits: Limits
    /// Of base64 that is cut short, hand on what can be decoded.
    var isSalvaging = false

    /// Hands on every receipt, and whether it is the only one of all files.
    ///
    /// - Returns: files that can't be read; the others were.
    /// - Throws: what `body` throws, and ``MillError`` for a fault of ours.
    func forEach(_ body: (_ presented: PresentedReceipt, _ isOnly: Bool) throws -> Void) throws -> [MillError] {
        let reader = try PresentedReceiptReader(keys: keys, limits: limits, isSalvaging: isSalvaging)
        var failures: [MillError] = []
        var count = 0
        // The first waits until it is known whether another follows.
        var first: PresentedReceipt?
        for path in inputs {
            var bodyError: (any Error)?
            do {
                try reader.read(path) { presented in
                    count += 1
                    if count == 1, inputs.count == 1 {
                        first = presented
                        return
                    }
                    do {
                        if let waiting = first.take() { try body(waiting, false) }
                        try body(presented, false)
                    } catch {
                        bodyError = error
                        throw error
                    }
                }
            } catch let failure as MillError where bodyError == nil {
                failures.append(failure)
            }
        }
        if let only = first { try body(only, count == 1) }
        return failures
    }
}
