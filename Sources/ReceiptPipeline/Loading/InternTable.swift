/// Numbers of texts that repeat, remembered so that the database is asked once.
///
/// Bounded: when it is full it forgets everything, which costs a look-up per
/// text and no more.
struct InternTable {
    private var numbers: [Text: Int64] = [:]

    /// Texts that are remembered. Real archives hold some thousands; a flood of
    /// made-up ones must not fill the memory.
    private static let capacity = 1 << 16

    /// A text's bytes.
    private typealias Text = [UInt8]

    /// The number of `text`, from memory or else from `find`.
    mutating func number(
        of text: UnsafeBufferPointer<UInt8>, orElse find: () throws(MillError) -> Int64
    ) throws(MillError) -> Int64 {
        let key = Text(text)
        if let number = numbers[key] { return number }
        let number = try find()
        if numbers.count >= Self.capacity { numbers.removeAll(keepingCapacity: true) }
        numbers[key] = number
        return number
    }
}
