import GATT
import Testing

@testable import Bluetooth

/// Starting the streams of a Polar sensor, one command at a time.
struct PolarStreamStateTests {
    private let offer = PolarStreamSettings([.samplesPerSecond: [130], .bitsPerSample: [14]])

    @Test func `each stream's settings are requested before it is started`() {
        var state = PolarStreamState([.electrocardiogram, .pulseIntervals])
        #expect(state.handle(.linked, at: .zero) == [.write(.settings(.electrocardiogram))])
        let start = PolarCommand.start(.electrocardiogram, offer)
        #expect(
            state.handle(
                .answered(PolarResponse(to: .settings(.electrocardiogram), settings: offer)), at: .seconds(1))
                == [.write(start)])
        let pulses = PolarCommand.start(.pulseIntervals, PolarStreamSettings([:]))
        #expect(
            state.handle(.answered(PolarResponse(to: start)), at: .seconds(2))
                == [.report(.started(.electrocardiogram, samplesPerSecond: 130)), .write(pulses)])
        #expect(state.samplesPerSecond == [.electrocardiogram: 130])
        // An answer to another command changes nothing.
        #expect(state.handle(.answered(PolarResponse(to: start)), at: .seconds(2)) == [])
        #expect(
            state.handle(.answered(PolarResponse(to: pulses)), at: .seconds(3))
                == [.report(.started(.pulseIntervals, samplesPerSecond: nil))])
        #expect(state.deadline == nil)
    }

    @Test func `a missing stream is named, and the next one started`() {
        var state = PolarStreamState([.electrocardiogram, .acceleration])
        _ = state.handle(.linked, at: .zero)
        #expect(
            state.handle(.answered(PolarResponse(to: .settings(.electrocardiogram), status: 3)), at: .zero)
                == [.report(.refused(.electrocardiogram, status: 3)), .write(.settings(.acceleration))])
    }

    @Test func `a stream that already runs is used`() {
        var state = PolarStreamState([.electrocardiogram])
        _ = state.handle(.linked, at: .zero)
        _ = state.handle(.answered(PolarResponse(to: .settings(.electrocardiogram), settings: offer)), at: .zero)
        let start = PolarCommand.start(.electrocardiogram, offer)
        #expect(
            state.handle(.answered(PolarResponse(to: start, status: PolarResponse.alreadyRunning)), at: .zero)
                == [.report(.started(.electrocardiogram, samplesPerSecond: 130))])
    }

    @Test func `a silent sensor is asked twice`() {
        var state = PolarStreamState([.electrocardiogram])
        _ = state.handle(.linked, at: .zero)
        #expect(state.handle(.timePassed, at: .seconds(2)) == [])
        #expect(state.handle(.timePassed, at: .seconds(3)) == [.write(.settings(.electrocardiogram))])
        #expect(state.handle(.writeFailed, at: .seconds(4)) == [.report(.silent(.electrocardiogram))])
        #expect(state.deadline == nil)
    }
}
