internal import DatabaseCare
internal import MillSystem
internal import ReceiptWarehouse

/// Hands out items of work in order; used by one worker at a time.
protocol ItemSource: AnyObject {
    associatedtype Item: Sendable
    /// The next item; nil after the last, or when the run is cancelled.
    func next() throws(MillError) -> Item?
    /// Whether the next item can be made only when the sink has taken all items before.
    var mustDrain: Bool { get }
}

/// Takes the workers' results in the order of the items; used by one worker at a time.
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

/// Reads, verifies and loads with equal workers; `ingest`, `load`, `run`, `retry` and `regrade` share the driver.
struct MillDriver {
    let configuration: LoadConfiguration

    /// Bytes of items that may wait for the sink; above the limit no further item is read.
    private static let maximumWaitingSize = 12 << 20

    /// Loads all items of a source, then commits, reviews transaction receipts, builds missing indices, and erases
    /// again the persons whose lines came back.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of items in flight where several workers share the work.
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
