import Bluetooth
import Foundation
import GATT
import HealthKit
import Testing

/// Which transport is taken.
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

    @Test func `the first that answers is taken, and stays`() async throws {
        let (first, second) = (central("first", isRunning: false), central("second"))
        let system = SystemCentral([.init(first), .init(second)])
        #expect(try await system.adapters().map(\.name) == ["second"])
        first.change { $0.isRunning = true }
        #expect(try await system.adapters().map(\.name) == ["second"])
    }

    @Test func `where none answers, the first says why, and is asked again`() async throws {
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
