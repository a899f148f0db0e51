import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import SessionLog
import Synchronization
import Testing

/// A trainer with a link to a real session that holds its target.
@Suite struct TrainerTests {
    private static let address = DeviceAddress(value: 0xC0DE_0000_0009)
    private static let bikeData: [UInt8] = [0x44, 0x00, 0xB8, 0x0B, 0xB4, 0x00, 0xC8, 0x00]

    private final class Reports: Sendable {
        private let list = Mutex<[TrainerEvent]>([])
        var all: [TrainerEvent] { list.withLock { $0 } }
        func append(_ event: TrainerEvent) { list.withLock { $0.append(event) } }
    }

    private func bike(answering result: FitnessMachineResponse.Result = .success) -> ScriptedCentral.Strap {
        var strap = ScriptedCentral.Strap(name: "Trainer", measurements: [.indoorBikeData])
        strap.answer = { [0x80, $0.first ?? 0, result.rawValue] }
        return strap
    }

    /// Runs the link during `body`, and returns when the trainer is free again.
    private func ride(
        _ strap: ScriptedCentral.Strap,
        _ body: @Sendable (ScriptedCentral, SteppedTime, TrainerControl, Reports) async throws -> Void
    ) async throws -> [FitnessMachineCommand] {
        let (time, reports) = (SteppedTime(), Reports())
        let central = ScriptedCentral(time: time)
        central.add(Self.address, strap)
        let control = TrainerControl()
        control.observe { _, event in reports.append(event) }
        let sensor = BluetoothSensor(
            PairedSensor(address: Self.address), activity: ActivityDescription(activity: "cycling"), central: central,
            trainer: control)
        let link = Task { for try await _ in sensor.batches(from: time.now(), time: time) {} }
        #expect(await time.run { central.isStreaming(Self.address) })
        try await body(central, time, control, reports)
        link.cancel()
        _ = await link.result
        // The sensor becomes free shortly after its reader has ended.
        if strap.answer != nil, reports.all.last != .controlLost {
            let isReset = await SteppedTime.wait {
                central.withStrap(Self.address) { $0.writes.last } == FitnessMachineCommand.reset.bytes
            }
            #expect(isReset, "the trainer was not set free")
        }
        return central.withStrap(Self.address) { $0.writes }.compactMap { FitnessMachineCommand($0) }
    }

    @Test func `a trainer holds each target, and is reset at the end`() async throws {
        let commands = try await ride(bike()) { central, time, control, reports in
            control.hold(.power(watts: 200))
            #expect(await SteppedTime.wait { reports.all == [.holds(.power(watts: 200))] })
            control.hold(.power(watts: 250))
            // Targets are a second apart.
            #expect(await time.run { reports.all.last == .holds(.power(watts: 250)) })
            control.release()
            #expect(await SteppedTime.wait { reports.all.last == .free })
            control.hold(.power(watts: 300))
            control.resume()
            #expect(await time.run { reports.all.last == .holds(.power(watts: 300)) })
        }
        #expect(
            commands == [
                .requestControl, .startOrResume, .setTarget(.power(watts: 200)), .setTarget(.power(watts: 250)),
                .setTarget(.grade(percent: 0)), .setTarget(.power(watts: 300)), .reset,
            ])
    }

    @Test func `a trainer that was lost gets its target again`() async throws {
        let commands = try await ride(bike()) { central, time, control, reports in
            control.hold(.power(watts: 200))
            #expect(await SteppedTime.wait { reports.all.count == 1 })
            central.send(Self.bikeData, of: .indoorBikeData, from: Self.address)
            central.drop(Self.address, .timeout)
            control.hold(.power(watts: 230))
            central.returns(Self.address)
            #expect(await time.run { reports.all.count == 2 })
            #expect(reports.all.last == .holds(.power(watts: 230)))
        }
        #expect(commands.filter { $0 == .requestControl }.count == 2)
    }

    @Test func `the rider's choice at the trainer is reported and wins`() async throws {
        let commands = try await ride(bike()) { central, time, control, reports in
            control.hold(.power(watts: 200))
            #expect(await SteppedTime.wait { reports.all.count == 1 })
            central.send(
                FitnessMachineStatus.targetChanged(watts: 170).bytes, of: .fitnessMachineStatus, from: Self.address)
            #expect(await SteppedTime.wait { reports.all.last == .riderChose(watts: 170) })
            central.send(FitnessMachineStatus.controlLost.bytes, of: .fitnessMachineStatus, from: Self.address)
            #expect(await SteppedTime.wait { reports.all.last == .controlLost })
            #expect(control.isReleased)
        }
        #expect(!commands.contains(.reset), "another program controls it")
    }

    @Test func `a sensor that is not a trainer is named as such`() async throws {
        let commands = try await ride(ScriptedCentral.Strap(name: "Strap")) { _, _, control, reports in
            control.hold(.power(watts: 200))
            #expect(await SteppedTime.wait { reports.all == [.isNone] })
        }
        #expect(commands.isEmpty)
    }
}
