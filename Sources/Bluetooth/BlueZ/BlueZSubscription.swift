import Foundation

/// Decides which of the values that bluetoothd tells are notifications of the device, each once.
///
/// bluetoothd tells a notification once for each program that has subscribed, and tells what was read in the same way.
/// Equal values in a row are common and all count: nothing is dropped without one of these two reasons.
struct BlueZSubscription {
    let characteristic: GATTCharacteristic
    private let isShared: Bool
    private let window: TimeInterval
    private var last: (bytes: [UInt8], date: Date)?
    private var reads = 0
    private var held: [(bytes: [UInt8], date: Date)] = []

    /// - Parameter isShared: Whether another program had subscribed before.
    init(_ characteristic: GATTCharacteristic, isShared: Bool, within window: Duration) {
        self.characteristic = characteristic
        self.isShared = isShared
        self.window = window / .seconds(1)
    }

    /// Whether to deliver a value now.
    mutating func accepts(_ bytes: [UInt8], _ date: Date) -> Bool {
        if reads > 0 {
            held.append((bytes, date))
            return false
        }
        guard isShared else { return true }
        if let last, last.bytes == bytes, date.timeIntervalSince(last.date) <= window {
            // One copy for the other program; a third is a value again.
            self.last = nil
            return false
        }
        last = (bytes, date)
        return true
    }

    mutating func beginRead() { reads += 1 }

    /// The values to deliver now that a read has brought `bytes`, or has failed.
    mutating func endRead(_ bytes: [UInt8]?) -> [(bytes: [UInt8], date: Date)] {
        reads = max(0, reads - 1)
        if let bytes, let own = held.lastIndex(where: { $0.bytes == bytes }) { held.remove(at: own) }
        guard reads == 0 else { return [] }
        defer { held = [] }
        return held
    }
}
