import MillSystem
import Testing

@testable import MillDatabase

@Suite("A lock of another program")
struct LockPatienceTests {
    @Test("is waited for as long as the limit says, from when it was met")
    func limit() {
        let patience = LockPatience()
        #expect(patience.limit == .seconds(10))
        patience.limit = .milliseconds(100)
        let start = ContinuousClock.now
        var tries = 0
        while patience.waits(behind: tries) { tries += 1 }
        #expect(tries > 0 && .now - start >= .milliseconds(100))
        // The next one has a time of its own.
        #expect(patience.waits(behind: 0))
    }

    @Test("is waited for no longer when the run is asked to stop")
    func stop() {
        let stop = CancellationFlag()
        let patience = LockPatience(stop: stop)
        #expect(patience.waits(behind: 0))
        stop.cancel()
        #expect(!patience.waits(behind: 1))
    }
}
