import ReceiptFormat

/// What reading says is wrong; nil where nothing is.
func fault<Result>(_ body: () throws -> Result) -> MalformedReceipt.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? MalformedReceipt)?.code
    }
}
