import Bluetooth
import HealthKit
import Synchronization

/// Passes on what the links of a session's sensors report, once there is a broadcast.
final class LinkRelay: Sendable {
    private struct State {
        var readings = BroadcastReadings()
        var broadcast: RunningBroadcast?
    }

    private let state = Mutex(State())

    func broadcast(on broadcast: RunningBroadcast?) { state.withLock { $0.broadcast = broadcast } }

    func happened(_ event: SensorLinkEvent, of sensor: PairedSensor) {
        state.withLock { state in
            guard let broadcast = state.broadcast else { return }
            broadcast.take(state.readings.readings(of: event, from: sensor.address))
        }
    }
}
