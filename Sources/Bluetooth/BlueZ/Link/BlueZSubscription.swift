#if Bluetooth
import GATT
import Foundation

/// Decides which of the values from bluetoothd are notifications of the device.
///
/// bluetoothd reports a value that was read like a notification, just before the answer. ``NotificationCopies`` detects
/// copies of measurements. Answers of a control point are often equal, and waiting for certainty would delay the next
/// command by seconds, while a second copy of an answer does no harm.
struct BlueZSubscription {
    let characteristic: GATTCharacteristic
    private let isMeasurement: Bool
    var copies: NotificationCopies
    private var reads = 0
    private var held: [NotificationCopies.Value] = []

    /// - Parameter isShared: Whether another program had subscribed before.
    init(_ characteristic: GATTCharacteristic, isShared: Bool, within window: Duration) {
        self.characteristic = characteristic
        isMeasurement = BluetoothUUID.sensorMeasurements.contains(characteristic.uuid)
        copies = NotificationCopies(isShared: isShared, within: window)
    }

    mutating func add(_ bytes: [UInt8], _ date: Date) -> NotificationCopies.Outcome {
        guard reads == 0 else {
            held.append(.init(bytes: bytes, date: date))
            return .init()
        }
        return append(.init(bytes: bytes, date: date))
    }

    private mutating func append(_ value: NotificationCopies.Value) -> NotificationCopies.Outcome {
        isMeasurement ? copies.add(value.bytes, value.date) : .init(values: [value])
    }

    mutating func beginRead() { reads += 1 }

    /// Ends a read that returned `bytes`, or failed.
    mutating func endRead(_ bytes: [UInt8]?) -> NotificationCopies.Outcome {
        reads = max(0, reads - 1)
        if let bytes, let own = held.lastIndex(where: { $0.bytes == bytes }) { held.remove(at: own) }
        return reads == 0 ? release() : .init()
    }

    /// Returns the values that are held when the link ends or the characteristic moves: a read in progress gets no
    /// answer any more.
    mutating func end() -> [NotificationCopies.Value] {
        reads = 0
        return release().values + copies.end()
    }

    private mutating func release() -> NotificationCopies.Outcome {
        var outcome = NotificationCopies.Outcome()
        for value in held {
            let next = append(value)
            outcome.values += next.values
            outcome.requests += next.requests
        }
        held = []
        return outcome
    }
}
#endif
