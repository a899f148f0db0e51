import GATT
import Testing

/// The packets of Polar's measurement service, with bytes made according to its documentation.
struct PolarMeasurementTests {
    @Test func `a start command contains settings chosen from the answer`() throws {
        let ecg = try #require(PolarResponse([0xF0, 1, 0, 0, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0]))
        #expect(ecg.settings.values == [.samplesPerSecond: [130], .bitsPerSample: [14]])
        let command = PolarCommand.start(.electrocardiogram, ecg.settings.chosen(for: .electrocardiogram))
        #expect(command.bytes == [2, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0])
        let offered = PolarStreamSettings(parameters: [
            0, 4, 25, 0, 50, 0, 100, 0, 200, 0, 1, 1, 16, 0, 2, 3, 2, 0, 4, 0, 8, 0, 4, 1, 3,
        ])
        let chosen = offered.chosen(for: .acceleration)
        #expect(
            chosen.values == [.samplesPerSecond: [50], .bitsPerSample: [16], .range: [8], .channels: [3]])
        #expect(PolarCommand(PolarCommand.start(.acceleration, chosen).bytes) == .start(.acceleration, chosen))
        #expect(PolarCommand.start(.pulseIntervals, PolarStreamSettings([:])).bytes == [2, 3])
    }

    @Test func `voltages are signed numbers of three bytes`() {
        let head: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        let frame = PolarFrame(head + [0xFF, 0xFF, 0xFF, 0x10, 0x27, 0, 0, 0, 0x80])
        #expect(frame == PolarFrame(nanoseconds: 1, .voltages([-1, 10_000, -8_388_608])))
    }

    @Test func `differences are added channel by channel`() {
        let head: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 0, 0, 0x81]
        // The first sample, then two samples as differences of four bits: 1, -1, 2 and 0, 7, -8.
        let frame = PolarFrame(head + [100, 0, 200, 0, 0xFF, 0xFF, 4, 2, 0xF1, 0x02, 0x87])
        #expect(frame?.content == .acceleration([100, 200, -1, 101, 199, 1, 101, 206, -7]))
    }

    @Test func `a pulse is doubtful if the wearer moves or the skin is not touched`() {
        func pulse(_ flags: UInt8) -> PolarFrame.Pulse? {
            let frame = PolarFrame([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 72, 0x48, 3, 9, 0, flags])
            guard case .pulses(let pulses)? = frame?.content else { return nil }
            return pulses.first
        }
        #expect(
            pulse(6)
                == PolarFrame.Pulse(
                    heartRate: 72, intervalInMilliseconds: 840, errorInMilliseconds: 9, isDoubtful: false))
        #expect(pulse(0)?.isDoubtful == false)
        #expect(pulse(7)?.isDoubtful == true)
        #expect(pulse(4)?.isDoubtful == true)
    }

    @Test func `a truncated frame is rejected or has fewer samples`() {
        let frames: [[UInt8]] = [
            [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6], [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 2, 0, 3, 0],
            [2, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 100, 0, 200, 0, 0xFF, 0xFF, 4, 2, 0xF1, 0x02, 0x87],
            [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 72, 0x48, 3, 9, 0, 6, 72, 0x48, 3, 9, 0, 6],
        ]
        for frame in frames {
            #expect(PolarFrame(frame) != nil)
            for length in 0..<frame.count {
                let cut = PolarFrame(Array(frame.prefix(length)))
                #expect(length > 10 || cut == nil)
                #expect(cut != PolarFrame(frame))
            }
        }
    }

    @Test(arguments: 0..<40)
    func `random bytes never trap`(seed: UInt64) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if !bytes.isEmpty { bytes[0] = [0, 2, 3, 0xF0][Int(seed % 4)] }
            if bytes.count > 9 { bytes[9] = [0, 1, 2, 0x81][Int.random(in: 0..<4, using: &random)] }
            _ = PolarFrame(bytes)
            _ = PolarCommand(bytes)
            _ = PolarResponse(bytes)
        }
    }
}
