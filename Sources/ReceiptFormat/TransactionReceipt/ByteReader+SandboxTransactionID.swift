extension ByteReader {
    /// Whether a transaction identifier is the sandbox's: sixteen digits, the first six of which are 100000 or, since
    /// 2022, 200000.
    ///
    /// The rule is derived from all known sandbox receipts, from 2012 to 2025; production identifiers have fifteen
    /// digits or fewer. Apple documents neither form.
    public func isSandboxTransactionID(_ range: ByteRange) -> Bool {
        guard range.count == 16 else { return false }
        for index in range.indices where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[index]) { return false }
        let start = ByteRange(offset: range.offset, count: 6)
        return matches(start, "100000") || matches(start, "200000")
    }
}
