import Testing

@testable import RunGuide

@Suite("The measure of progress")
struct ProgressMeterTests {
    @Test("states the speed of the last seconds, not the average since the start")
    func recent() throws {
        var meter = ProgressMeter()
        // A thousand lines a second for a minute, then a hundred.
        for second in 0...60 { meter.add(at: .seconds(second), lines: 1_000 * second, bytesAhead: nil) }
        #expect(meter.rate == 1_000)
        for second in 1...30 { meter.add(at: .seconds(60 + second), lines: 60_000 + 100 * second, bytesAhead: nil) }
        #expect(meter.rate == 100)
    }

    @Test("states the time that is left by the bytes that were read lately")
    func left() throws {
        var meter = ProgressMeter()
        for second in 0...20 { meter.add(at: .seconds(second), lines: second, bytesAhead: Double(1_000 - 10 * second)) }
        // 800 bytes are left, of which 10 are read a second.
        #expect(meter.secondsLeft == 80)
    }

    @Test("states nothing before a second has passed, and no time left where the end is not known")
    func unknown() {
        var meter = ProgressMeter()
        #expect(meter.rate == nil && meter.secondsLeft == nil)
        meter.add(at: .seconds(5), lines: 10, bytesAhead: 100)
        meter.add(at: .milliseconds(5_900), lines: 20, bytesAhead: 50)
        #expect(meter.rate == nil && meter.secondsLeft == nil)
        meter.add(at: .seconds(6), lines: 30, bytesAhead: nil)
        #expect(meter.rate == 20 && meter.secondsLeft == nil)
    }

    @Test("states no time left where nothing was read, as while a commit takes long")
    func still() {
        var meter = ProgressMeter()
        for second in 0...3 { meter.add(at: .seconds(second), lines: 7, bytesAhead: 100) }
        #expect(meter.rate == 0 && meter.secondsLeft == nil)
    }
}
