/// Bounds on what one line may hold, so that none can exhaust the machine.
public struct Limits: Sendable, Hashable {
    /// Bytes of a line. The largest receipts seen, with hundreds of purchases,
    /// make lines of some 200 kB; twenty thousand purchases make 12 MB.
    public var lineBytes = 16 << 20

    public init() {}
}
