public import GATT
import Synchronization

/// The way in which this machine reaches Bluetooth sensors.
public enum BluetoothTransport: String, Sendable, CaseIterable {
    /// Through bluetoothd if it answers, otherwise through the kernel's sockets.
    case automatic = "auto"
    /// Through bluetoothd, over D-Bus.
    case bluez
    /// Through the kernel's sockets, without bluetoothd.
    case l2cap
}

/// The central of this machine, which uses whichever transport works. It chooses when it is first needed.
///
/// Once a transport has answered, it stays: if bluetoothd goes away, the central waits for it and does not compete for
/// its links.
public final class SystemCentral: Central {
    /// A transport, and whether it works with these adapters.
    public struct Candidate: Sendable {
        var central: any Central
        var suffices: @Sendable ([Adapter]) -> Bool

        public init(_ central: any Central, suffices: @escaping @Sendable ([Adapter]) -> Bool = { _ in true }) {
            self.central = central
            self.suffices = suffices
        }
    }

    private let candidates: [Candidate]
    private let chosen = Mutex<(any Central)?>(nil)

    /// - Parameter candidates: The transports in order of preference.
    public init(_ candidates: [Candidate]) {
        self.candidates = candidates
    }

    private func choose() async throws(BluetoothError) -> any Central {
        if let chosen = chosen.withLock({ $0 }) { return chosen }
        var failures: [BluetoothError] = []
        for candidate in candidates {
            do throws(BluetoothError) {
                guard candidate.suffices(try await candidate.central.adapters()) else { continue }
                return chosen.withLock { chosen in
                    chosen = chosen ?? candidate.central
                    return chosen ?? candidate.central
                }
            } catch {
                failures.append(error)
            }
        }
        // The user can fix what the first choice lacks.
        throw failures.first ?? .unavailable(Self.noTransport)
    }

    public func adapters() async throws(BluetoothError) -> [Adapter] {
        try await choose().adapters()
    }

    public func releaseLeftovers() async throws(BluetoothError) {
        // Each transport knows its own leftovers, so none has to be chosen.
        for candidate in candidates { try await candidate.central.releaseLeftovers() }
    }

    public func switchOn() async throws(BluetoothError) {
        try await choose().switchOn()
    }

    public func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Advertisement.self)
        let task = Task {
            do {
                for try await advertisement in try await choose().advertisements(of: services) {
                    continuation.yield(advertisement)
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    public func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
        Device(address: address, kind: kind, choose: choose)
    }

    public func forget(_ address: DeviceAddress) async throws(BluetoothError) {
        try await choose().forget(address)
    }

    public func close() async {
        for candidate in candidates { await candidate.central.close() }
    }

    private struct Device: Peripheral {
        let address: DeviceAddress
        let kind: DeviceAddress.Kind?
        let choose: @Sendable () async throws(BluetoothError) -> any Central

        func connect() async throws(BluetoothError) -> any PeripheralLink {
            try await choose().peripheral(address, kind: kind).connect()
        }

        func connect(answering agent: any PairingAgent) async throws(BluetoothError) -> any PeripheralLink {
            try await choose().peripheral(address, kind: kind).connect(answering: agent)
        }

        func pair(answering agent: any PairingAgent) async throws(BluetoothError) {
            try await choose().peripheral(address, kind: kind).pair(answering: agent)
        }
    }
}

extension SystemCentral {
    /// The central for the whole process: sessions share the adapter and its scans.
    public static let automatic = SystemCentral(.automatic)

    /// Returns the central that `HEALTHKIT_BLUETOOTH` names. Nil and unknown names mean the automatic one.
    public static func named(_ text: String?) -> SystemCentral {
        let transport = text.flatMap(BluetoothTransport.init) ?? .automatic
        return transport == .automatic ? automatic : SystemCentral(transport)
    }

    #if Bluetooth
    private static let noTransport = "no transport was named"

    public convenience init(_ transport: BluetoothTransport) {
        switch transport {
        case .automatic: self.init([.bluez, .l2cap])
        case .bluez: self.init([.bluez])
        case .l2cap: self.init([Candidate(ATTCentral())])
        }
    }
    #else
    private static let noTransport =
        "this program was built without it; build it with the trait Bluetooth of the package OpenHealthKit, which is among its "
        + "default traits"

    /// Creates a central without a transport: every use reports that this build has no Bluetooth.
    public convenience init(_ transport: BluetoothTransport) { self.init([]) }
    #endif
}

#if Bluetooth
extension SystemCentral.Candidate {
    fileprivate static var bluez: Self { Self(BlueZCentral()) }

    /// The kernel's sockets, if bluetoothd is not running. They are only used if an adapter is on or can be turned on;
    /// otherwise the user should start bluetoothd.
    fileprivate static var l2cap: Self {
        Self(ATTCentral()) { adapters in
            ATTCentral.mayManage || adapters.contains { $0.power == .on && $0.supportsCentral }
        }
    }
}
#endif
