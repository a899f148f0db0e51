import Analytics
import Testing

struct TimeInZoneTests {
    private let zones = HeartRateZones(maximumHeartRate: 200)!

    @Test func `each span counts in the zone of the value held over it`() {
        var time = TimeInZone(zones: zones)
        time.measured(90, at: .seconds(2))
        time.measured(110, at: .seconds(12))
        time.measured(190, at: .seconds(20))
        time.measured(120, at: .seconds(25))
        time.advance(to: .seconds(30))
        #expect(time.withoutSignal == .seconds(2))
        #expect(time.belowZones == .seconds(10))
        #expect(time.inZone == [.seconds(8), .seconds(5), .zero, .zero, .seconds(5)])
    }

    @Test func `a value is held no longer than the limit`() {
        var time = TimeInZone(zones: zones, holdLimit: .seconds(30))
        time.measured(110, at: .zero)
        time.measured(110, at: .seconds(100))
        time.advance(to: .seconds(110))
        #expect(time.inZone[0] == .seconds(40))
        #expect(time.withoutSignal == .seconds(70))
    }

    @Test func `a lost sensor leaves time without signal, not time below the zones`() {
        var time = TimeInZone(zones: zones)
        time.measured(110, at: .zero)
        time.signalLost(at: .seconds(5))
        time.measured(110, at: .seconds(20))
        time.measured(0, at: .seconds(25))
        time.advance(to: .seconds(30))
        #expect(time.inZone[0] == .seconds(10))
        #expect(time.withoutSignal == .seconds(20))
        #expect(time.belowZones == .zero)
    }

    @Test func `paused time counts only as paused`() {
        var time = TimeInZone(zones: zones)
        time.measured(110, at: .zero)
        time.pause(at: .seconds(10))
        time.measured(150, at: .seconds(15))
        time.resume(at: .seconds(20))
        time.advance(to: .seconds(25))
        #expect(time.paused == .seconds(10))
        #expect(time.inZone == [.seconds(10), .zero, .seconds(5), .zero, .zero])
    }

    @Test func `nothing is held across a pause`() {
        var time = TimeInZone(zones: zones)
        time.measured(110, at: .zero)
        time.pause(at: .seconds(10))
        time.resume(at: .seconds(12))
        time.measured(110, at: .seconds(15))
        time.advance(to: .seconds(20))
        #expect(time.inZone[0] == .seconds(15))
        #expect(time.withoutSignal == .seconds(3))
    }

    @Test func `a date in the past takes nothing back`() {
        var time = TimeInZone(zones: zones)
        time.measured(110, at: .seconds(10))
        time.measured(150, at: .seconds(4))
        time.advance(to: .seconds(12))
        #expect(time.inZone[2] == .seconds(2))
        #expect(time.elapsed == .seconds(12))
    }

    @Test(arguments: 1...20)
    func `the parts always add up to the elapsed time exactly`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var time = TimeInZone(zones: zones)
        var now = Duration.zero
        for _ in 0..<2000 {
            now += .nanoseconds(Int64(random.uniform(in: 0..<4e9)))
            switch Int(random.uniform(in: 0..<12)) {
            case 0: time.pause(at: now)
            case 1: time.resume(at: now)
            case 2: time.signalLost(at: now)
            case 3: now += .seconds(Int64(random.uniform(in: 0..<90)))
            default: time.measured(random.uniform(in: 60..<210), at: now)
            }
        }
        time.advance(to: now)
        let parts = time.inZone.reduce(.zero, +) + time.belowZones + time.withoutSignal + time.paused
        #expect(parts == now)
        #expect(time.elapsed == now)
    }
}
