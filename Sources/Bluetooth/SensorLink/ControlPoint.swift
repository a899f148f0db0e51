import DBus
import GATT

/// Writes commands to the control point of a device, one after the other.
@BusActor
final class ControlPoint {
    private let link: any PeripheralLink
    private let characteristic: GATTCharacteristic
    /// The write that is on its way.
    private var writing: Task<Void, Never>?

    init(_ characteristic: GATTCharacteristic, on link: any PeripheralLink) {
        (self.characteristic, self.link) = (characteristic, link)
    }

    func subscribe() async throws(BluetoothError) { try await link.subscribe(to: characteristic) }

    /// - Parameter failed: Called if the command did not arrive.
    func write(_ command: [UInt8], failed: @escaping @BusActor () -> Void) {
        let before = writing
        writing = Task {
            await before?.value
            do throws(BluetoothError) {
                try await link.write(command, to: characteristic)
            } catch {
                failed()
            }
        }
    }
}
