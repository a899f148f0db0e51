#if Bluetooth
public import GATT
import Foundation

/// A device that is reached over the kernel's attribute socket.
public struct ATTPeripheral: Peripheral {
    public let address: DeviceAddress
    /// Nil uses the kind that a scan has found, or else the one that the address suggests.
    private let kind: DeviceAddress.Kind?
    private let central: ATTCentral

    init(_ address: DeviceAddress, kind: DeviceAddress.Kind?, central: ATTCentral) {
        self.address = address
        self.kind = kind
        self.central = central
    }

    public func connect() async throws(BluetoothError) -> any PeripheralLink { try await connect(nil) }

    public func connect(answering agent: any PairingAgent) async throws(BluetoothError) -> any PeripheralLink {
        try await connect(agent)
    }

    private func connect(_ agent: (any PairingAgent)?) async throws(BluetoothError) -> any PeripheralLink {
        try await central.prepareIfAllowed()
        await central.scan.pause()
        await central.dropSpentKey(of: address)
        // A link to a bonded device is encrypted during connecting, and paired again if the kernel has lost the key.
        let answering = central.isBonded(address) ? await Self.answering(address, on: central, by: agent) : nil
        defer { answering?.cancel() }
        do throws(BluetoothError) {
            let link = try await open(agent)
            await central.scan.resume()
            central.note(brokenLinkTo: address, isBroken: false)
            return link
        } catch {
            await central.scan.resume()
            throw await central.explained(error)
        }
    }

    /// Answers questions about the device until the task is cancelled, or returns true when pairing has failed. Nil
    /// without an agent or the necessary privilege.
    private static func answering(
        _ address: DeviceAddress, on central: ATTCentral, by agent: (any PairingAgent)?
    ) async -> Task<Bool, Never>? {
        guard let agent, ATTCentral.mayManage, let radio = try? await central.poweredAdapter() else { return nil }
        _ = await radio.management.command(ManagementCommand.setBondable, index: radio.index, [1])
        let events = radio.management.events()
        return Task {
            for await event in events {
                if event == .pairingFailed(index: radio.index, address) { return true }
                await Self.answer(event, of: address, on: radio, by: agent)
            }
            return false
        }
    }

    private func open(_ agent: (any PairingAgent)?) async throws(BluetoothError) -> ATTLink {
        let link: ATTLink
        do throws(SystemFault) {
            let socket = try L2CAPSocket(
                connectingTo: address, resolvedKind, from: central.adapterAddress,
                security: central.isBonded(address) ? .medium : .low)
            link = try ATTLink(address, over: socket) { [weak central] in
                central?.drop($0)
            } free: { [weak central, address, resolvedKind] in
                await central?.free(address, resolvedKind)
            } answering: { [weak central, address] in
                guard let central else { return nil }
                return await Self.answering(address, on: central, by: agent)
            } paired: { [weak central, address] in
                central?.remember(bondWith: address)
            }
        } catch {
            throw .connecting(to: address, error)
        }
        do throws(BluetoothError) {
            try central.keep(link)
            try await link.opened()
            return link
        } catch {
            await link.disconnect()
            central.drop(ObjectIdentifier(link))
            throw error
        }
    }

    var resolvedKind: DeviceAddress.Kind {
        // The two highest bits of a static random address are set (Core Specification 5.4, volume 6, part B, 1.3.2.1).
        kind ?? central.kind(of: address) ?? (address.value >> 46 == 0b11 ? .random : .public)
    }

    public func pair(answering agent: any PairingAgent) async throws(BluetoothError) {
        let radio = try await central.poweredAdapter()
        let device = ManagementCommand.device(address, resolvedKind)
        let events = radio.management.events()
        let address = address
        _ = await radio.management.command(ManagementCommand.setBondable, index: radio.index, [1])
        await central.scan.pause()
        let answer = await withTaskGroup { group -> ManagementSocket.Answer? in
            group.addTask { () -> ManagementSocket.Answer?? in
                for await event in events { await Self.answer(event, of: address, on: radio, by: agent) }
                return .none
            }
            group.addTask {
                await radio.management.command(
                    ManagementCommand.pairDevice, index: radio.index, device + [agent.capability.number],
                    within: .seconds(130))
            }
            var answer: ManagementSocket.Answer?
            for await result in group {
                if let result { answer = result }
                group.cancelAll()
            }
            return answer
        }
        await central.scan.resume()
        switch answer?.status {
        case ManagementStatus.success, ManagementStatus.alreadyPaired: central.remember(bondWith: address)
        case ManagementStatus.permissionDenied: throw .notPermitted("pairing without bluetoothd needs CAP_NET_ADMIN")
        case ManagementStatus.connectFailed, ManagementStatus.timeout:
            throw .connectionFailed(address, ManagementStatus.name(answer?.status ?? 0))
        case ManagementStatus.notPowered: throw .poweredOff
        case .some(let status): throw .pairingFailed(address, ManagementStatus.name(status))
        case nil: throw .pairingFailed(address, "no answer within 130 s")
        }
    }

    private static func answer(
        _ event: ManagementEvent, of address: DeviceAddress, on radio: ATTScan.Radio, by agent: any PairingAgent
    ) async {
        let index = radio.index
        func reply(_ command: UInt16, _ kind: DeviceAddress.Kind, _ more: [UInt8] = []) async {
            _ = await radio.management.command(
                command, index: index, ManagementCommand.device(address, kind) + more)
        }
        switch event {
        case .confirmation(index, address, let kind, let isJustWorks, let passkey):
            let agrees =
                isJustWorks
                ? await agent.allowsJustWorks(for: address) : await agent.confirms(passkey: passkey, for: address)
            await reply(
                agrees ? ManagementCommand.confirmationReply : ManagementCommand.confirmationRefusal, kind)
        case .passkeyWanted(index, address, let kind):
            if let passkey = await agent.passkey(for: address) {
                await reply(
                    ManagementCommand.passkeyReply, kind,
                    (0..<4).map { UInt8(truncatingIfNeeded: passkey >> UInt32(8 * $0)) })
            } else {
                await reply(ManagementCommand.passkeyRefusal, kind)
            }
        case .passkeyShown(index, address, let passkey):
            await agent.show(passkey: passkey, for: address)
        default:
            break
        }
    }
}

extension PairingCapability {
    /// The number in the management interface.
    var number: UInt8 {
        switch self {
        case .displayOnly: 0
        case .displayYesNo: 1
        case .keyboardOnly: 2
        case .noInputNoOutput: 3
        case .keyboardDisplay: 4
        }
    }
}

extension ATTCentral {
    /// Ensures that the adapter is on and supports Low Energy, if this process has the privilege. Otherwise connecting
    /// reports the problem.
    func prepareIfAllowed() async throws(BluetoothError) {
        guard Self.mayManage else { return }
        _ = try await poweredAdapter()
    }

    /// Ends a link that the kernel would keep for a while, if this process has the privilege.
    func free(_ address: DeviceAddress, _ kind: DeviceAddress.Kind) async {
        await dropSpentKey(of: address)
        guard Self.mayManage, let management = try? management(), let adapters = try? await information() else {
            return
        }
        for adapter in adapters where adapter.adapter.power == .on {
            // Refused if there is no link, which is fine.
            _ = await management.command(
                ManagementCommand.disconnect, index: adapter.index, ManagementCommand.device(address, kind),
                within: .seconds(5))
        }
    }

    /// Returns a better reason than the kernel's if the adapter is the cause.
    func explained(_ error: BluetoothError) async -> BluetoothError {
        switch error {
        case .connectionFailed, .noAdapter, .poweredOff: break
        default: return error
        }
        guard let adapters = try? await adapters() else { return error }
        if adapters.isEmpty { return .noAdapter }
        guard adapters.contains(where: { $0.power == .on }) else { return .poweredOff }
        // The kernel reports this if the device no longer knows the key, but also, occasionally, if a link broke for
        // another reason.
        guard case .connectionFailed(let address, let reason) = error, isBonded(address),
            reason == SystemFault("connect", code: ECONNABORTED).reason
        else { return error }
        guard note(brokenLinkTo: address, isBroken: true) >= 2 else { return error }
        return .pairingFailed(
            address,
            "the link broke twice while it was being encrypted, as it does if the device has "
                + "forgotten this machine")
    }
}
#endif
