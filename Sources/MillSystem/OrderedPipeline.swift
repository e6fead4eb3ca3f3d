internal import Foundation

/// Three stages: reading in order, verifying in parallel, and, in order again, a last stage that loads rows or writes
/// answers. Each worker can do every stage.
///
/// No worker belongs to a stage. Each does the most urgent work available: take the next batch if it is verified, else
/// verify, else read. So a single worker does everything without handing over, and several workers never wait while
/// there is work. At most `capacity` batches are in flight. No batch is read while the verified batches that wait to be
/// taken have reached `maximumSize`, which limits the memory.
///
/// A worker that takes work while there is more wakes one other worker, which does the same. So no more workers are
/// woken than there is work for, and none is missing: a worker that adds work looks for work itself before it sleeps.
///
/// The pipeline is safe to share between threads. `slots`, the counters and the flags are accessed only under
/// `condition`. The closures `read` and `take` are called only by the worker that has set `isReading` or `isTaking`
/// under `condition`. `readsAhead` is called under `condition` while no worker reads.
package final class OrderedPipeline<Input: Sendable, Output: Sendable>: @unchecked Sendable {
    private enum BatchState {
        case empty
        case read(Input)
        case inWork
        case verified(Output)
    }

    private let read: () throws(MillError) -> Input?
    private let readsAhead: () -> Bool
    private let maximumSize: Int
    private let size: @Sendable (Output) -> Int
    private let lastStage: Stage
    private let take: (Output) throws(MillError) -> Void
    private let condition = NSCondition()
    private var slots: [BatchState]
    private var nextRead = 0
    private var nextTaken = 0
    /// The total size of the batches that are verified and not yet taken.
    private var waitingSize = 0
    private var isReading = false
    private var isTaking = false
    private var isAtEnd = false
    private var failure: MillError?
    /// The CPU seconds that each stage has used, summed over all workers.
    package private(set) var cpuSeconds: [Stage: Double] = [:]
    /// The number of times that a sleeping worker was woken.
    private(set) var wakeUps = 0

    /// - Parameters:
    ///   - capacity: the maximum number of batches in flight.
    ///   - read: returns the next input, nil at the end; called by one worker at a time.
    ///   - readsAhead: whether the next input may be read before all earlier ones are taken.
    ///   - maximumSize: when the outputs that wait to be taken have this total size, no more inputs are read.
    ///   - size: the size of an output, in any unit; called under the lock.
    ///   - lastStage: the stage to which the CPU time of `take` is attributed.
    ///   - take: takes the outputs in the order of the inputs; called by one worker at a time.
    package init(
        capacity: Int, read: @escaping () throws(MillError) -> Input?, readsAhead: @escaping () -> Bool = { true },
        maximumSize: Int = .max, size: @escaping @Sendable (Output) -> Int = { _ in 0 },
        lastStage: Stage, take: @escaping (Output) throws(MillError) -> Void
    ) {
        slots = Array(repeating: .empty, count: max(2, capacity))
        self.read = read
        self.readsAhead = readsAhead
        self.maximumSize = maximumSize
        self.size = size
        self.lastStage = lastStage
        self.take = take
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
                locked {
                    failure = failure ?? error
                    condition.broadcast()
                }
            }
        }
        if let failure { throw failure }
    }

    private enum Work {
        case take(Output)
        case verify(Int, Input)
        case read
        case finish
    }

    private func work(_ verify: (Input) throws(MillError) -> Output) throws(MillError) {
        while true {
            let start = ThreadClock.seconds
            // A worker gives up its batch before it looks for the next work, so that a sleeping worker keeps none in
            // memory.
            switch locked(nextWork) {
            case .take(let output):
                try take(output)
                locked {
                    account(lastStage, since: start)
                    isTaking = false
                    nextTaken += 1
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
            if let work = availableWork {
                begin(work)
                if case .finish = work { condition.broadcast() } else if availableWork != nil { condition.signal() }
                return work
            }
            condition.wait()
            wakeUps += 1
        }
    }

    /// The most urgent work now; nil if a worker has to wait.
    private var availableWork: Work? {
        if failure != nil || (isAtEnd && nextTaken == nextRead) { return .finish }
        if !isTaking, nextTaken < nextRead, case .verified(let output) = slots[nextTaken % slots.count] {
            return .take(output)
        }
        for index in nextTaken..<nextRead {
            if case .read(let input) = slots[index % slots.count] { return .verify(index % slots.count, input) }
        }
        // A batch that is being taken has left its slot, but is still counted.
        let mayRead =
            !isReading && !isAtEnd && (waitingSize < maximumSize || nextRead == nextTaken)
            && nextRead - nextTaken < (readsAhead() ? slots.count : 1)
        return mayRead ? .read : nil
    }

    private func begin(_ work: Work) {
        switch work {
        case .take:
            slots[nextTaken % slots.count] = .empty
            isTaking = true
        case .verify(let index, _): slots[index] = .inWork
        case .read: isReading = true
        case .finish: break
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
