import ReceiptFormat

/// The error that parsing throws; nil where it throws none.
func fault<Result>(_ body: () throws -> Result) -> MalformedReceipt.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? MalformedReceipt)?.code
    }
}
