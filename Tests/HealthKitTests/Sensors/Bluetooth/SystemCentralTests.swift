import Bluetooth
import Foundation
import GATT
import HealthKit
import Testing

/// How the Bluetooth transport is chosen.
@Suite struct SystemCentralTests {
    private let time = SteppedTime()

    private func central(_ name: String, isRunning: Bool = true) -> ScriptedCentral {
        let central = ScriptedCentral(time: time)
        central.change {
            $0.isRunning = isRunning
            $0.adapters[0].name = name
        }
        return central
    }

    @Test func `the first central that answers is used from then on`() async throws {
        let (first, second) = (central("first", isRunning: false), central("second"))
        let system = SystemCentral([.init(first), .init(second)])
        #expect(try await system.adapters().map(\.name) == ["second"])
        first.change { $0.isRunning = true }
        #expect(try await system.adapters().map(\.name) == ["second"])
    }

    @Test func `if none answers, the first one's reason is reported, and it is asked again`() async throws {
        let (first, second) = (central("first", isRunning: false), central("second"))
        let system = SystemCentral([.init(first), .init(second) { _ in false }])
        await #expect(throws: BluetoothError.serviceStopped) { try await system.adapters() }
        await #expect(throws: BluetoothError.serviceStopped) {
            _ = try await system.peripheral(DeviceAddress(value: 1), kind: nil).connect()
        }
        first.change { $0.isRunning = true }
        #expect(try await system.adapters().map(\.name) == ["first"])
    }
}
