internal import Foundation

/// Three stages run by equal workers: reading in order, verifying in parallel,
/// loading in order.
///
/// No worker belongs to a stage. Each takes the most urgent work there is: load
/// the next batch if it is verified, else verify, else read. So one worker does
/// everything without a hand-over, and many never wait while there is work. At
/// most `capacity` batches are in flight, and none is read while those that wait to
/// be loaded have reached `greatestSize`, which bounds the memory.
///
/// Safe to share between threads: `slots`, the counters and the flags are
/// touched under `condition` alone, and the closures `read` and `load` only by
/// the worker that has set `isReading` or `isLoading` under it; `readsAhead` is
/// asked under it while no worker reads.
package final class OrderedPipeline<Input: Sendable, Output: Sendable>: @unchecked Sendable {
    private enum Slot {
        case empty
        case read(Input)
        case inWork
        case verified(Output)
    }

    private let read: () throws(MillError) -> Input?
    private let readsAhead: () -> Bool
    private let greatestSize: Int
    private let size: @Sendable (Output) -> Int
    private let load: (Output) throws(MillError) -> Void
    private let condition = NSCondition()
    private var slots: [Slot]
    private var nextRead = 0
    private var nextLoaded = 0
    /// Size of the batches that are verified and not loaded yet.
    private var waitingSize = 0
    private var isReading = false
    private var isLoading = false
    private var isAtEnd = false
    private var failure: MillError?
    /// CPU seconds that each stage has used, all workers together.
    package private(set) var cpuSeconds: [Stage: Double] = [:]

    /// - Parameters:
    ///   - capacity: batches in flight.
    ///   - read: the next input, nil at the end; called by one worker at a time.
    ///   - readsAhead: whether the next input may be read before all others are
    ///     loaded.
    ///   - greatestSize: of outputs that wait to be loaded, before no more are read.
    ///   - size: of an output, in any unit; asked under the lock.
    ///   - load: takes the outputs in the inputs' order; called by one at a time.
    package init(
        capacity: Int, read: @escaping () throws(MillError) -> Input?, readsAhead: @escaping () -> Bool = { true },
        greatestSize: Int = .max, size: @escaping @Sendable (Output) -> Int = { _ in 0 },
        load: @escaping (Output) throws(MillError) -> Void
    ) {
        slots = Array(repeating: .empty, count: max(2, capacity))
        self.read = read
        self.readsAhead = readsAhead
        self.greatestSize = greatestSize
        self.size = size
        self.load = load
    }

    /// Runs until the input ends or a stage fails; `makeVerify` is called once by
    /// each worker.
    package func run(
        workers: Int, makeVerify: @Sendable () throws(MillError) -> (Input) throws(MillError) -> Output
    ) throws(MillError) {
        DispatchQueue.concurrentPerform(iterations: max(1, workers)) { _ in
            do throws(MillError) {
                try work(try makeVerify())
            } catch {
                locked { failure = failure ?? error }
            }
        }
        if let failure { throw failure }
    }

    private enum Work {
        case load(Output)
        case verify(Int, Input)
        case read
        case finish
    }

    private func work(_ verify: (Input) throws(MillError) -> Output) throws(MillError) {
        while true {
            let start = ThreadClock.seconds
            switch locked(nextWork) {
            case .load(let output):
                try load(output)
                locked {
                    account(.loading, since: start)
                    isLoading = false
                    nextLoaded += 1
                    waitingSize -= size(output)
                }
            case .verify(let index, let input):
                let output = try verify(input)
                locked {
                    account(.verifying, since: start)
                    slots[index] = .verified(output)
                    waitingSize += size(output)
                }
            case .read:
                let input = try read()
                locked {
                    account(.reading, since: start)
                    isReading = false
                    if let input {
                        slots[nextRead % slots.count] = .read(input)
                        nextRead += 1
                    } else {
                        isAtEnd = true
                    }
                }
            case .finish: return
            }
        }
    }

    private func account(_ stage: Stage, since start: Double) {
        cpuSeconds[stage, default: 0] += ThreadClock.seconds - start
    }

    /// Waits for work and takes it; called under the lock.
    private func nextWork() -> Work {
        while true {
            if failure != nil || (isAtEnd && nextLoaded == nextRead) { return .finish }
            let due = nextLoaded % slots.count
            if !isLoading, nextLoaded < nextRead, case .verified(let output) = slots[due] {
                slots[due] = .empty
                isLoading = true
                return .load(output)
            }
            let waiting = (nextLoaded..<nextRead).first { index in
                if case .read = slots[index % slots.count] { true } else { false }
            }
            if let index = waiting.map({ $0 % slots.count }), case .read(let input) = slots[index] {
                slots[index] = .inWork
                return .verify(index, input)
            }
            // A batch that is being loaded has left its slot but not the count.
            if !isReading, !isAtEnd, waitingSize < greatestSize || nextRead == nextLoaded,
                nextRead - nextLoaded < (readsAhead() ? slots.count : 1)
            {
                isReading = true
                return .read
            }
            condition.wait()
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body()
    }
}
