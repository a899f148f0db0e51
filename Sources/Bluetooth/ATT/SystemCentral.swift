public import GATT
import Synchronization

/// How this machine's straps are reached.
public enum BluetoothTransport: String, Sendable, CaseIterable {
    /// Through bluetoothd where one answers, otherwise through the kernel's sockets.
    case automatic = "auto"
    /// Through bluetoothd, over D-Bus.
    case bluez
    /// Through the kernel's sockets, without bluetoothd.
    case l2cap
}

/// The central of this machine: whichever transport works, found out when it is first needed.
///
/// Once one has answered, that one stays: a bluetoothd that goes away is waited for, and not fought over its links.
public final class SystemCentral: Central {
    /// A transport, and whether it is of use with these adapters.
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

    /// - Parameter candidates: In order of preference.
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
        // What the first choice lacks is what a person can mend.
        throw failures.first ?? .unavailable(Self.noTransport)
    }

    public func adapters() async throws(BluetoothError) -> [Adapter] {
        try await choose().adapters()
    }

    public func releaseLeftovers() async throws(BluetoothError) {
        // Each knows its own; without any there is nothing to choose for.
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

    public func peripheral(_ address: BluetoothAddress, kind: BluetoothAddress.Kind?) -> any Peripheral {
        Device(address: address, kind: kind, choose: choose)
    }

    public func forget(_ address: BluetoothAddress) async throws(BluetoothError) {
        try await choose().forget(address)
    }

    public func close() async {
        for candidate in candidates { await candidate.central.close() }
    }

    private struct Device: Peripheral {
        let address: BluetoothAddress
        let kind: BluetoothAddress.Kind?
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
    /// One for the whole process: sessions share the adapter, and its scans.
    public static let automatic = SystemCentral(.automatic)

    /// As `HEALTHKIT_BLUETOOTH` names it; nil and what is no transport's name stand for the automatic one.
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

    /// Has none: every use says that this build has no Bluetooth.
    public convenience init(_ transport: BluetoothTransport) { self.init([]) }
    #endif
}

#if Bluetooth
extension SystemCentral.Candidate {
    fileprivate static var bluez: Self { Self(BlueZCentral()) }

    /// Beside a bluetoothd that does not run: only where an adapter is on already, or can be switched on. Otherwise it is
    /// bluetoothd that should be started.
    fileprivate static var l2cap: Self {
        Self(ATTCentral()) { adapters in
            ATTCentral.mayManage || adapters.contains { $0.power == .on && $0.supportsCentral }
        }
    }
}
#endif
