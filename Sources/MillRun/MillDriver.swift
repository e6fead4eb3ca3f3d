internal import DatabaseCare
internal import MillSystem
internal import ReceiptWarehouse

/// Hands out items of work in order. One worker at a time uses it.
protocol ItemSource: AnyObject {
    associatedtype Item: Sendable
    /// The next item; nil after the last, or when the run is cancelled.
    func next() throws(MillError) -> Item?
    /// Whether the next item can be made only after the sink has taken all earlier items.
    var mustDrain: Bool { get }
}

/// Takes the workers' results in the order of the items. One worker at a time uses it.
protocol ItemSink: AnyObject, SendableMetatype {
    associatedtype Item: Sendable
    func take(_ item: Item) throws(MillError)
    /// Called when all items are taken, before the last commit.
    func finish() throws(MillError)
    /// Approximate bytes of memory that an item takes.
    static func size(of item: Item) -> Int
}

extension ItemSink {
    func finish() throws(MillError) {}
}

/// Reads, verifies and loads with workers of which each can do every stage; `ingest`, `load`, `run`, `retry` and
/// `regrade` share the driver.
struct MillDriver {
    let configuration: LoadConfiguration

    /// The maximum bytes of items that wait for the sink; above it no further item is read.
    private static let maximumWaitingSize = 12 << 20

    /// Loads all items of a source, then commits, verifies transaction receipts again, builds missing indices, and
    /// erases again persons whose lines were loaded again.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of items in flight if several workers share the work.
    ///   - makeWork: makes the function that a worker applies to each item; every worker calls `makeWork` once.
    /// - Returns: CPU seconds of each stage, summed over all workers.
    func run<Source: ItemSource, Sink: ItemSink>(
        _ source: Source, _ sink: Sink, into writer: WarehouseWriter, capacity: Int,
        makeWork: @Sendable () throws(MillError) -> (Source.Item) throws(MillError) -> Sink.Item
    ) throws(MillError) -> [Stage: Double] {
        let pipeline = OrderedPipeline<Source.Item, Sink.Item>(
            capacity: configuration.jobs > 1 ? capacity : 4,
            read: { () throws(MillError) in try source.next() },
            readsAhead: { !source.mustDrain },
            maximumSize: Self.maximumWaitingSize, size: Sink.size(of:),
            lastStage: .loading, take: { (item) throws(MillError) in try sink.take(item) })
        try pipeline.run(workers: configuration.jobs, makeVerify: makeWork)
        let finishing = ThreadClock.seconds
        try sink.finish()
        try writer.commit()
        try TransactionReceiptReview(writer, anchors: configuration.anchors).run(stop: configuration.stop)
        try writer.buildIndices(stop: configuration.stop)
        try Erasure.eraseReloaded(in: writer.warehouse)
        var cpuSeconds = pipeline.cpuSeconds
        cpuSeconds[.loading, default: 0] += ThreadClock.seconds - finishing
        return cpuSeconds
    }
}
