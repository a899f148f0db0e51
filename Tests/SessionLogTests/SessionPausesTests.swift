import Foundation
import SessionLog
import Testing

@Suite struct SessionPausesTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private static func at(_ seconds: Double) -> Date { start + seconds }

    /// Paused from 10 to 20 and from 30 on.
    private let pauses: SessionPauses = {
        var pauses = SessionPauses()
        pauses.change(to: .running, at: at(0))
        pauses.change(to: .paused, at: at(10))
        pauses.change(to: .running, at: at(20))
        pauses.change(to: .paused, at: at(30))
        return pauses
    }()

    @Test(arguments: [(9.0, true), (10, true), (10.5, false), (19.9, false), (20, true), (30, true), (30.1, false)])
    func `an instant within a pause does not count, and its edges do`(seconds: Double, counts: Bool) {
        #expect(pauses.counts(Self.at(seconds)) == counts)
    }

    @Test func `a time span counts as far as it is outside pauses`() {
        func counted(_ start: Double, _ end: Double) -> [ClosedRange<Double>] {
            pauses.counted(from: Self.at(start), to: Self.at(end)).map {
                $0.lowerBound.timeIntervalSince(Self.start)...$0.upperBound.timeIntervalSince(Self.start)
            }
        }
        #expect(counted(2, 8) == [2...8])
        #expect(counted(8, 12) == [8...10])
        #expect(counted(12, 15) == [])
        #expect(counted(18, 22) == [20...22])
        #expect(counted(5, 25) == [5...10, 20...25])
        #expect(counted(5, 40) == [5...10, 20...30])
        #expect(counted(10, 20) == [])
    }

    @Test func `entries before a pause count, whatever their dates`() {
        var pauses = SessionPauses()
        pauses.change(to: .running, at: Self.at(0))
        #expect(pauses.counts(Self.at(12)))
        pauses.change(to: .paused, at: Self.at(10))
        #expect(!pauses.counts(Self.at(12)))
        #expect(pauses.counts(Self.at(9)))
    }

    @Test func `a pause without length removes nothing`() {
        var pauses = SessionPauses()
        pauses.change(to: .running, at: Self.at(0))
        pauses.change(to: .paused, at: Self.at(10))
        pauses.change(to: .running, at: Self.at(10))
        #expect(pauses.counted(from: Self.at(5), to: Self.at(15)) == [Self.at(5)...Self.at(15)])
    }

    @Test func `an impossible change of state changes nothing`() {
        var pauses = SessionPauses()
        pauses.change(to: .paused, at: Self.at(1))
        pauses.change(to: .running, at: Self.at(2))
        #expect(pauses.all.isEmpty && pauses.counts(Self.at(1)))
    }
}
