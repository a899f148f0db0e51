public import Bluetooth
public import GATT

/// Bluetooth and ANT+ as one central: each sensor uses its own radio, and a scan uses both.
public final class SensorRadios: Central {
    private let bluetooth: any Central
    private let ant: any Central

    public init(_ bluetooth: any Central, ant: any Central = SensorRadios.ant) {
        self.bluetooth = bluetooth
        self.ant = ant
    }

    /// The ANT+ stick for the whole process: sessions share it.
    #if ANT
    public static let ant: any Central = ANTCentral(USBSticks())
    public static let readsANT = true
    #else
    public static let readsANT = false
    public static let ant: any Central = ANTCentral(LeftOut())

    private struct LeftOut: ANTStickSource {
        func found() -> [FoundANTStick] { [] }
        func open() throws(StickFault) -> any ANTStick { throw absence }
        var absence: StickFault {
            .unavailable(
                "this program was built without it; build it with the trait ANT of the package OpenHealthKit")
        }
    }
    #endif

    /// Bluetooth's adapters, or the ANT+ stick if there are none.
    public func adapters() async throws(BluetoothError) -> [Adapter] {
        let stick = (try? await ant.adapters()) ?? []
        do throws(BluetoothError) {
            return try await bluetooth.adapters() + stick
        } catch {
            guard !stick.isEmpty else { throw error }
            return stick
        }
    }

    public func switchOn() async throws(BluetoothError) { try await bluetooth.switchOn() }

    public func releaseLeftovers() async throws(BluetoothError) { try await bluetooth.releaseLeftovers() }

    public func central(for address: DeviceAddress) -> any Central { address.ant == nil ? bluetooth : ant }

    public func spread() async -> any Central { SensorRadios(await bluetooth.spread(), ant: ant) }

    public func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        advertisements(of: services) { _ in }
    }

    /// The advertisements of both radios. Ends with an error if neither can listen.
    public func advertisements(
        of services: Set<BluetoothUUID>, reporting report: @escaping @Sendable (BluetoothError) -> Void
    ) -> AsyncThrowingStream<Advertisement, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Advertisement.self)
        let task = Task { [bluetooth, ant] in
            let radios = (try? await ant.adapters()) == nil ? [bluetooth] : [bluetooth, ant]
            await radios.mergedAdvertisements(
                of: services, to: continuation,
                failed: { failure in if let failure = failure as? BluetoothError { report(failure) } })
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    public func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
        central(for: address).peripheral(address, kind: kind)
    }

    public func forget(_ address: DeviceAddress) async throws(BluetoothError) {
        try await central(for: address).forget(address)
    }

    public func close() async {
        await bluetooth.close()
        await ant.close()
    }
}
