import GATT
import TestBytes
import Testing

/// Fitness Machine Service 1.0, sections 4.3, 4.12, 4.16 and 4.17.
struct FitnessMachineControlTests {
    private static let commands: [(FitnessMachineCommand, String)] = [
        (.requestControl, "00"), (.reset, "01"), (.setTarget(.power(watts: 250)), "05 fa 00"),
        (.setTarget(.power(watts: -20)), "05 ec ff"), (.startOrResume, "07"), (.stop, "08 01"), (.pause, "08 02"),
        (.setTarget(.grade(percent: -0.03)), "11 00 00 fd ff 28 33"),
        (.setTarget(.grade(percent: 5)), "11 00 00 f4 01 28 33"),
    ]

    @Test func `commands have the bytes of the specification`() {
        for (command, bytes) in Self.commands {
            #expect(command.bytes == hexBytes(bytes))
            #expect(FitnessMachineCommand(hexBytes(bytes)) == command)
            #expect(command.bytes.first == command.code)
        }
        #expect(FitnessMachineCommand.setTarget(.power(watts: 99_999)).bytes == hexBytes("05 ff 7f"))
        #expect(FitnessMachineCommand.setTarget(.grade(percent: .nan)).bytes == hexBytes("11 00 00 00 00 28 33"))
    }

    @Test func `a truncated or unknown command is rejected`() {
        for (command, _) in Self.commands {
            for length in 0..<command.bytes.count {
                let cut = Array(command.bytes.prefix(length))
                // Rolling resistance and wind may be missing.
                if length < 5 { #expect(FitnessMachineCommand(cut) == nil) }
            }
        }
        #expect(FitnessMachineCommand([0x08, 3]) == nil && FitnessMachineCommand([0x13]) == nil)
    }

    @Test func `answers name their command`() throws {
        let answer = try #require(FitnessMachineResponse(hexBytes("80 05 03")))
        #expect(answer == FitnessMachineResponse(to: .setTarget(.power(watts: 1)), .invalidParameter))
        #expect(answer.bytes == hexBytes("80 05 03"))
        for bytes in ["", "80", "80 05", "80 05 00", "80 05 06", "81 05 01"] {
            #expect(FitnessMachineResponse(hexBytes(bytes)) == nil)
        }
    }

    @Test func `a machine reports the rider's actions`() {
        let reports: [(FitnessMachineStatus, String)] = [
            (.reset, "01"), (.stoppedByRider, "02 01"), (.pausedByRider, "02 02"), (.stoppedBySafetyKey, "03"),
            (.startedByRider, "04"), (.targetChanged(watts: 180), "08 b4 00"), (.controlLost, "ff"),
        ]
        for (status, bytes) in reports {
            #expect(FitnessMachineStatus(hexBytes(bytes)) == status && status.bytes == hexBytes(bytes))
        }
        for bytes in ["", "02", "02 03", "08 b4", "05 00 00"] { #expect(FitnessMachineStatus(hexBytes(bytes)) == nil) }
    }

    @Test func `features come from two characteristics`() {
        let bike = FitnessMachineAbilities(
            feature: hexBytes("82 40 00 00 08 20 00 00"), powerRange: hexBytes("32 00 90 01 05 00"))
        #expect(bike == FitnessMachineAbilities(takesPower: true, takesGrade: true, powers: 50...400))
        #expect(
            bike.nearest(.power(watts: 900)) == .power(watts: 400)
                && bike.nearest(.power(watts: 0)) == .power(watts: 50))
        #expect(bike.nearest(.grade(percent: 3)) == .grade(percent: 3))
        let treadmill = FitnessMachineAbilities(feature: hexBytes("00 00 00 00 03 00 00 00"), powerRange: nil)
        #expect(!treadmill.take(.power(watts: 100)) && !treadmill.take(.grade(percent: 1)))
        // Machines that state nothing, or nonsense, may accept anything.
        let silent = FitnessMachineAbilities(feature: hexBytes("82 40"), powerRange: hexBytes("90 01 32 00"))
        #expect(silent == FitnessMachineAbilities(takesPower: true, takesGrade: true))
    }

    @Test func `any bytes are decoded without a trap`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...12)).map { _ in UInt8.random(in: 0...255, using: &random) }
            if let command = FitnessMachineCommand(bytes) { #expect(command.bytes.count <= 7) }
            _ = FitnessMachineResponse(bytes)
            _ = FitnessMachineStatus(bytes)
            let abilities = FitnessMachineAbilities(feature: bytes, powerRange: bytes)
            if case .power(let watts) = abilities.nearest(.power(watts: 200)) {
                #expect((-32_768...32_767).contains(watts))
            }
        }
    }
}
