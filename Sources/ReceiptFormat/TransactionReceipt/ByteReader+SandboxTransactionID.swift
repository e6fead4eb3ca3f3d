extension ByteReader {
    /// Whether a transaction identifier is the sandbox's: sixteen digits, of which
    /// the first six are 100000 or, since 2022, 200000.
    ///
    /// The rule follows from all sandbox receipts seen, of 2012 to 2025; identifiers of production
    /// have fifteen digits or fewer. Apple documents neither form.
    public func isSandboxTransactionID(_ range: ByteRange) -> Bool {
        guard range.count == 16 else { return false }
        for index in range.indices where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[index]) { return false }
        let start = ByteRange(offset: range.offset, count: 6)
        return matches(start, "100000") || matches(start, "200000")
    }
}
