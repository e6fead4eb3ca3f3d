import Glibc
import Synchronization
import Testing

@testable import MillSystem

@Suite struct OrderedPipelineTests {
    private struct Run: Sendable {
        var loaded: [Int] = []
        var inFlight = 0
        var mostInFlight = 0
    }

    private static func failure(_ stage: Stage) -> MillError {
        MillError(stage: stage, what: "planned", exitStatus: .internalFault)
    }

    /// Runs numbers through the stages; the one at `place` fails in `stage`.
    private func run(
        count: Int, workers: Int, capacity: Int, failing stage: Stage? = nil, at place: Int = 0,
        readsAhead: Bool = true, maximumSize: Int = .max
    ) -> (run: Run, error: MillError?) {
        let state = Mutex(Run())
        let next = Mutex(0)
        let pipeline = OrderedPipeline<Int, Int>(
            capacity: capacity,
            read: { () throws(MillError) in
                let number = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                if stage == .reading, number == place { throw Self.failure(.reading) }
                guard number < count else { return nil }
                state.withLock {
                    $0.inFlight += 1
                    $0.mostInFlight = max($0.mostInFlight, $0.inFlight)
                }
                return number
            },
            readsAhead: { readsAhead }, maximumSize: maximumSize, size: { _ in 10 },
            lastStage: .loading,
            take: { (number) throws(MillError) in
                if stage == .loading, number == place { throw Self.failure(.loading) }
                state.withLock {
                    $0.inFlight -= 1
                    $0.loaded.append(number)
                }
            })
        var error: MillError?
        do throws(MillError) {
            try pipeline.run(workers: workers) { () throws(MillError) in
                { (number) throws(MillError) in
                    if stage == .verifying, number == place { throw Self.failure(.verifying) }
                    // Work of different lengths, so that batches overtake each other.
                    var sum = 0
                    for step in 0..<(number * 7_919 % 13 * 300) { sum &+= step }
                    return sum == -1 ? -1 : number
                }
            }
        } catch let thrown {
            error = thrown
        }
        return (state.withLock { $0 }, error)
    }

    @Test("Whatever the number of workers, all is loaded once and in the order of reading", arguments: [1, 2, 3, 8])
    func order(workers: Int) {
        let (run, error) = run(count: 500, workers: workers, capacity: 2 * workers + 2)
        #expect(error == nil)
        #expect(run.loaded == Array(0..<500))
    }

    @Test("No more is in flight than the capacity allows", arguments: [2, 3, 9])
    func capacity(capacity: Int) {
        #expect(run(count: 300, workers: 4, capacity: capacity).run.mostInFlight <= capacity)
    }

    @Test("Nothing is read while what waits for the loader has reached its greatest size", arguments: [1, 2, 4])
    func size(workers: Int) {
        let (run, error) = run(count: 300, workers: workers, capacity: 60, maximumSize: 30)
        #expect(error == nil && run.loaded == Array(0..<300))
        // Three of size 10 that wait or are loaded, and what the others read or verified when the third came.
        #expect(run.mostInFlight <= 3 + workers)
    }

    @Test("What alone is larger than the greatest size is loaded too", arguments: [0, 5], [1, 2, 4])
    func oversize(maximumSize: Int, workers: Int) {
        let (run, error) = run(count: 50, workers: workers, capacity: 60, maximumSize: maximumSize)
        #expect(error == nil && run.loaded == Array(0..<50))
    }

    /// Of 32 workers most sleep. If each change woke all of them, two thousand batches would wake some
    /// hundred thousand.
    @Test("No more workers are woken than work is taken: reading, verifying and loading of each batch")
    func wakeUps() throws {
        let (batches, workers) = (2_000, 32)
        let read = Mutex(0)
        let pipeline = OrderedPipeline<Int, Int>(
            capacity: 2 * workers,
            read: { () throws(MillError) in
                read.withLock { number in
                    number += 1
                    return number <= batches ? number : nil
                }
            }, lastStage: .loading, take: { _ in })
        try pipeline.run(workers: workers) { () throws(MillError) in { $0 } }
        // The end wakes all that sleep.
        #expect(pipeline.wakeUps <= 3 * batches + 1 + workers)
    }

    /// A batch that says when its memory is freed.
    private final class Batch: Sendable {
        private let onEnd: @Sendable () -> Void

        init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

        deinit { onEnd() }
    }

    /// The last of three batches is read when the others are freed: by then they are taken, and one worker sleeps.
    @Test("A worker that sleeps keeps no batch in memory")
    func sleepingWorker() throws {
        let number = Mutex(0)
        let inMemory = Mutex(0)
        let wasFreed = Mutex(false)
        let pipeline = OrderedPipeline<Batch, Batch>(
            capacity: 4,
            read: { () throws(MillError) in
                let next = number.withLock { number in
                    number += 1
                    return number
                }
                guard next <= 3 else { return nil }
                let end = ContinuousClock.now + .seconds(20)
                while next == 3, !wasFreed.withLock({ $0 }), .now < end {
                    if inMemory.withLock({ $0 == 0 }) { wasFreed.withLock { $0 = true } } else { sched_yield() }
                }
                inMemory.withLock { $0 += 1 }
                return Batch { inMemory.withLock { $0 -= 1 } }
            }, lastStage: .loading, take: { _ in })
        try pipeline.run(workers: 2) { () throws(MillError) in { $0 } }
        #expect(wasFreed.withLock { $0 })
    }

    @Test("Nothing to read is no fault")
    func empty() {
        let (run, error) = run(count: 0, workers: 4, capacity: 4)
        #expect(run.loaded.isEmpty && error == nil)
    }

    @Test(
        "A stage that fails ends the run with its error, all workers at rest",
        arguments: [Stage.reading, .verifying, .loading], [1, 2, 4])
    func failures(stage: Stage, workers: Int) {
        for place in [0, 1, 57, 199] {
            let (run, error) = run(count: 200, workers: workers, capacity: 6, failing: stage, at: place)
            #expect(error?.stage == stage)
            #expect(run.loaded == Array(0..<run.loaded.count))
            #expect(run.loaded.count <= place)
        }
    }

    @Test("A worker that can't begin ends the run")
    func noWorker() {
        let pipeline = OrderedPipeline<Int, Int>(capacity: 4, read: { 1 }, lastStage: .loading, take: { _ in })
        #expect(throws: MillError.self) {
            try pipeline.run(workers: 2) { () throws(MillError) in throw Self.failure(.verifying) }
        }
    }

    @Test("Input that may not be read ahead is read when all before it is loaded", arguments: [1, 4])
    func barrier(workers: Int) {
        let (run, error) = run(count: 40, workers: workers, capacity: 8, readsAhead: false)
        #expect(error == nil && run.loaded == Array(0..<40) && run.mostInFlight == 1)
    }
}
