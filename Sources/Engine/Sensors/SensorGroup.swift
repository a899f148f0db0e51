package import Foundation
import SessionLog
import Synchronization

/// Several Bluetooth sensors as one: passes on their batches, but of sensors that measure the same only one at a time.
///
/// It works on the thread where a value arrives, so a strap in a group has no more delay than one alone.
package struct SensorGroup: Sensor {
    package let pace = SessionTimeline.Pace.wall
    package let fixedStart: Date? = nil
    private let sensors: [BluetoothSensor]

    /// - Parameter sensors: In order of priority, highest first.
    package init(_ sensors: [BluetoothSensor]) {
        self.sensors = sensors
    }

    package func batches(from start: Date, time: any TimeSource) -> LiveBatches {
        LiveBatches { [sensors] take in
            let admission = Admission(take)
            await withTaskGroup(of: Void.self) { group in
                for (place, sensor) in sensors.enumerated() {
                    group.addTask { await sensor.run(from: start, time: time) { admission.append($0, from: place) } }
                }
            }
        }
    }

    /// The lock also keeps the batches in the order in which they were admitted.
    private final class Admission: Sendable {
        private let priority = Mutex(ReadingPriority())
        private let handOn: @Sendable ([SessionEntry]) -> Void

        init(_ handOn: @escaping @Sendable ([SessionEntry]) -> Void) {
            self.handOn = handOn
        }

        func append(_ batch: [SessionEntry], from place: Int) {
            priority.withLock {
                let admitted = $0.admit(batch, from: place)
                if !admitted.isEmpty { handOn(admitted) }
            }
        }
    }
}
