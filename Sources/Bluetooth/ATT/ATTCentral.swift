#if Bluetooth
public import GATT
import Foundation
import Synchronization

/// Bluetooth Low Energy over the kernel's own sockets, for machines without a running bluetoothd.
///
/// Connecting to a known address needs no privileges if the adapter is on. Turning it on, scanning and pairing need
/// `CAP_NET_ADMIN`. Do not use it beside a running bluetoothd: both would compete for the single attribute channel of
/// each link. The kernel stores bonds until the adapter is reset.
public final class ATTCentral: Central {
    private struct State {
        var management: ManagementSocket?
        var isClosed = false
        var links: [ObjectIdentifier: ATTLink] = [:]
        var kinds: [DeviceAddress: DeviceAddress.Kind] = [:]
        var bonded: Set<DeviceAddress> = []
        /// Devices that forget a pairing when its link ends, while the kernel keeps the key and would use it.
        var forgetful: Set<DeviceAddress> = []
        /// How often in a row the link to each bonded device broke while it was being encrypted.
        var broken: [DeviceAddress: Int] = [:]
    }

    private let state: Mutex<State>
    private let preferred: DeviceAddress?
    let scan = ATTScan()

    /// - Parameters:
    ///   - adapter: The adapter to use; nil uses the first that is on, otherwise the first.
    ///   - bonded: Devices that are bonded with this machine. Links to them are encrypted from the start.
    public init(adapter: DeviceAddress? = nil, bonded: Set<DeviceAddress> = []) {
        preferred = adapter
        state = Mutex(State(bonded: bonded))
    }

    /// Returns why this machine or user cannot use Bluetooth sockets at all, or nil if they can.
    public static func obstacle() -> BluetoothError? {
        do throws(SystemFault) {
            try ManagementSocket().close()
            return nil
        } catch {
            return .sockets(error)
        }
    }

    /// Whether this process has `CAP_NET_ADMIN`, and so can turn adapters on, scan and pair.
    public static var mayManage: Bool {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }),
            let effective = UInt64(line.split(separator: "\t").last ?? "", radix: 16)
        else { return false }
        let netAdmin: UInt64 = 12
        return effective & 1 << netAdmin != 0
    }

    // MARK: Central

    public func adapters() async throws(BluetoothError) -> [Adapter] {
        try await information().map(\.adapter)
    }

    public func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        scan.advertisements(of: services) { [weak self] () async throws(BluetoothError) in
            guard let self else { throw .unavailable("the central is gone") }
            return try await self.poweredAdapter()
        }
    }

    public func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
        ATTPeripheral(address, kind: kind, central: self)
    }

    public func forget(_ address: DeviceAddress) async throws(BluetoothError) {
        state.withLock { state in
            state.bonded.remove(address)
            state.forgetful.remove(address)
            state.broken[address] = nil
        }
        for adapter in try await information() {
            for kind in [kind(of: address)].compactMap(\.self) + [.random, .public] {
                let answer = await (try management()).command(
                    ManagementCommand.unpairDevice, index: adapter.index, ManagementCommand.device(address, kind) + [1])
                guard let answer else { throw .failed(operation: "forgetting \(address)", "the kernel did not answer") }
                if answer.status == ManagementStatus.permissionDenied {
                    throw .notPermitted("forgetting a bond needs CAP_NET_ADMIN")
                }
                if answer.status == ManagementStatus.success { break }
            }
        }
    }

    public func close() async {
        let links = state.withLock { state in
            state.isClosed = true
            return Array(state.links.values)
        }
        await scan.close()
        for link in links { await link.disconnect() }
        let management = state.withLock { state in
            defer { state.management = nil }
            return state.management
        }
        management?.close()
    }

    // MARK: Adapters

    struct KnownAdapter: Sendable {
        var index: UInt16
        var information: AdapterInformation

        var adapter: Adapter { adapter(switches: RadioSwitch.directory) }

        /// - Parameter switches: The folder in which the kernel lists disabled radios.
        func adapter(switches: String) -> Adapter {
            let name = "hci\(index)"
            let isOn = information.current.contains(.powered)
            return Adapter(
                name: name, address: information.address,
                power: isOn ? .on : RadioSwitch.isBlocked(adapter: name, in: switches) ? .blocked : .off,
                supportsCentral: information.supported.contains(.lowEnergy), isManagedByService: false)
        }
    }

    func management() throws(BluetoothError) -> ManagementSocket {
        try state.withLock { state throws(BluetoothError) in
            if state.isClosed { throw .unavailable("it has been closed") }
            if let management = state.management { return management }
            do throws(SystemFault) {
                let management = try ManagementSocket()
                state.management = management
                let events = management.events()
                Task { [weak self] in
                    for await case .key(_, let address, let isKept) in events {
                        self?.note(pairingOf: address, isKept: isKept)
                    }
                }
                return management
            } catch {
                throw .sockets(error)
            }
        }
    }

    func information() async throws(BluetoothError) -> [KnownAdapter] {
        let management = try management()
        guard let list = await management.command(ManagementCommand.readIndexList), list.parameters.count >= 2 else {
            throw .failed(operation: "listing the adapters", "the kernel did not answer")
        }
        var adapters: [KnownAdapter] = []
        for place in stride(from: 2, to: list.parameters.count - 1, by: 2) {
            let index = UInt16(littleEndian: list.parameters.span, at: place)
            // An adapter that has been removed in the meantime answers with an error.
            if let answer = await management.command(ManagementCommand.readInformation, index: index),
                let information = AdapterInformation(answer.parameters)
            {
                adapters.append(KnownAdapter(index: index, information: information))
            }
        }
        return adapters.sorted { $0.index < $1.index }
    }

    public func switchOn() async throws(BluetoothError) {
        _ = try await poweredAdapter(switchingOn: true)
    }

    /// Returns the adapter to use if it is on. Turns it on if requested.
    func poweredAdapter(switchingOn: Bool = false) async throws(BluetoothError) -> ATTScan.Radio {
        let all = try await information().filter { $0.information.supported.contains(.lowEnergy) }
        let usable = all.filter { preferred == nil || $0.information.address == preferred }
        guard let chosen = usable.first(where: { $0.adapter.power == .on }) ?? usable.first else { throw .noAdapter }
        guard switchingOn || chosen.adapter.power == .on else {
            throw chosen.adapter.power == .blocked ? .blocked : .poweredOff
        }
        let management = try management()
        for (setting, command) in [
            (AdapterSettings.lowEnergy, ManagementCommand.setLowEnergy), (.powered, ManagementCommand.setPowered),
        ] where !chosen.information.current.contains(setting) {
            let answer = await management.command(command, index: chosen.index, [1])
            switch answer?.status {
            case ManagementStatus.success: continue
            case ManagementStatus.blocked: throw .blocked
            case ManagementStatus.invalidIndex: throw .noAdapter
            default: throw .poweredOff
            }
        }
        return ATTScan.Radio(management: management, index: chosen.index, address: chosen.information.address)
    }

    // MARK: Devices

    func kind(of address: DeviceAddress) -> DeviceAddress.Kind? {
        scan.kind(of: address) ?? state.withLock { $0.kinds[address] }
    }

    func isBonded(_ address: DeviceAddress) -> Bool {
        state.withLock { $0.bonded.contains(address) && !$0.forgetful.contains(address) }
    }

    /// Notes whether a device keeps a pairing, as the kernel reports during pairing.
    func note(pairingOf address: DeviceAddress, isKept: Bool) {
        state.withLock { state in
            if isKept { state.forgetful.remove(address) } else { state.forgetful.insert(address) }
        }
    }

    /// Removes the key of a device that has forgotten it with its last link, because a link encrypted with it would
    /// break.
    func dropSpentKey(of address: DeviceAddress) async {
        guard state.withLock({ $0.forgetful.contains(address) }) else { return }
        // If the key cannot be removed, the next attempt reports it.
        try? await forget(address)
    }

    /// - Returns: How often in a row it broke.
    @discardableResult
    func note(brokenLinkTo address: DeviceAddress, isBroken: Bool) -> Int {
        state.withLock { state in
            state.broken[address] = isBroken ? state.broken[address, default: 0] + 1 : nil
            return state.broken[address] ?? 0
        }
    }

    func remember(bondWith address: DeviceAddress) { _ = state.withLock { $0.bonded.insert(address) } }

    var adapterAddress: DeviceAddress? { preferred }

    /// Keeps the link until it ends, so that `close` can end it.
    func keep(_ link: ATTLink) throws(BluetoothError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.links[ObjectIdentifier(link)] = link }
            return state.isClosed
        }
        if isClosed { throw .unavailable("it has been closed") }
    }

    func drop(_ link: ObjectIdentifier) { _ = state.withLock { $0.links.removeValue(forKey: link) } }
}

extension BluetoothError {
    /// Returns why there is no Bluetooth socket.
    static func sockets(_ fault: SystemFault) -> BluetoothError {
        switch fault.code {
        case EACCES, EPERM: .notPermitted(fault.description)
        default: .unavailable(fault.description)
        }
    }
}
#endif
